// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: supply(100); register a send hook; supply(1) and in tokensToSend redeem(100); supply then stores the old credit 100+1; redeem it again.
interface ISendHook {
    function tokensToSend(address from, address to, uint256 amount) external;
}

contract HookToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => address) public hookOf;

    function wrap() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function unwrap(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "balance");
        balanceOf[msg.sender] -= amount;
        msg.sender.transfer(amount);
    }

    function setHook(address hook) external {
        hookOf[msg.sender] = hook;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "allowance");
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal {
        address hook = hookOf[from];
        if (hook != address(0)) {
            ISendHook(hook).tokensToSend(from, to, amount);
        }
        require(balanceOf[from] >= amount, "balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

contract LendPool {
    HookToken public token;
    mapping(address => uint256) public credit;

    constructor(HookToken _token) public {
        token = _token;
    }

    function supply(uint256 amount) external {
        uint256 current = credit[msg.sender];
        require(token.transferFrom(msg.sender, address(this), amount), "pull failed"); //~ ERROR reentrancy
        credit[msg.sender] = current + amount;
    }

    function redeem(uint256 amount) external {
        require(credit[msg.sender] >= amount, "credit");
        credit[msg.sender] -= amount;
        require(token.transfer(msg.sender, amount), "push failed");
    }
}
