// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ITransferReceiver {
    function onTransferReceived(address operator, address from, uint256 value, bytes calldata data) external returns (bytes4);
}

/// Wrapped ether with the callbacks of ERC-1363.
contract PayableEther {
    string public constant name = "Payable Ether";
    string public constant symbol = "pETH";
    uint8 public constant decimals = 18;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function wrap() external payable {
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function unwrap(uint256 value) external {
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "not accepted");
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function transferAndCall(address to, uint256 value, bytes calldata data) external returns (bool) {
        _move(msg.sender, to, value);
        if (to.code.length > 0) {
            bytes4 answer = ITransferReceiver(to).onTransferReceived(msg.sender, msg.sender, value, data); //~ ERROR reentrancy
            require(answer == ITransferReceiver.onTransferReceived.selector, "refused");
        }
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "nobody");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

contract CallbackSavings {
    PayableEther public immutable token;
    mapping(address => uint256) public savings;
    uint256 public total;

    event Saved(address indexed who, uint256 value);
    event Left(address indexed who, uint256 value);

    constructor(PayableEther token_) {
        token = token_;
    }

    function save(uint256 value) external {
        require(value > 0, "nothing");
        savings[msg.sender] += value;
        total += value;
        require(token.transferFrom(msg.sender, address(this), value), "not paid");
        emit Saved(msg.sender, value);
    }

    function leave(bytes calldata data) external {
        uint256 value = savings[msg.sender];
        require(value > 0, "no savings");
        require(token.transferAndCall(msg.sender, value, data), "not paid");
        savings[msg.sender] = 0;
        total -= value;
        emit Left(msg.sender, value);
    }
}
