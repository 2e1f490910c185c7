// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

interface IFlashBorrower {
    function onFlashLoan(address initiator, uint256 amount, bytes calldata data) external returns (bytes4);
}

/// Wrapped ether that can also be minted for the length of a call.
contract FlashEther {
    string public constant name = "Flash Ether";
    string public constant symbol = "fETH";
    uint8 public constant decimals = 18;

    uint256 public flashMinted;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed holder, address indexed spender, uint256 amount);

    receive() external payable {
        _deposit(msg.sender);
    }

    function deposit() external payable {
        _deposit(msg.sender);
    }

    function depositTo(address to) external payable {
        require(to != address(0), "no receiver");
        _deposit(to);
    }

    function withdraw(uint256 amount) external {
        uint256 balance = balanceOf[msg.sender];
        require(balance >= amount, "balance");
        balanceOf[msg.sender] = balance - amount;
        emit Transfer(msg.sender, address(0), amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "ether was not taken");
    }

    function totalSupply() external view returns (uint256) {
        return address(this).balance + flashMinted;
    }

    function flashLoan(IFlashBorrower receiver, uint256 amount, bytes calldata data) external {
        require(amount <= type(uint112).max, "too much");
        flashMinted = flashMinted + amount;
        require(flashMinted <= type(uint112).max, "too much in all");
        balanceOf[address(receiver)] += amount;
        emit Transfer(address(0), address(receiver), amount);

        bytes4 answer = receiver.onFlashLoan(msg.sender, amount, data);
        require(answer == IFlashBorrower.onFlashLoan.selector, "loan refused");

        uint256 balance = balanceOf[address(receiver)];
        require(balance >= amount, "not paid back");
        balanceOf[address(receiver)] = balance - amount;
        flashMinted = flashMinted - amount;
        emit Transfer(address(receiver), address(0), amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (from != msg.sender) {
            uint256 allowed = allowance[from][msg.sender];
            if (allowed != type(uint256).max) {
                require(allowed >= amount, "allowance");
                allowance[from][msg.sender] = allowed - amount;
            }
        }
        _move(from, to, amount);
        return true;
    }

    function _deposit(address to) private {
        balanceOf[to] += msg.value;
        emit Transfer(address(0), to, msg.value);
    }

    function _move(address from, address to, uint256 amount) private {
        require(to != address(0) && to != address(this), "receiver");
        uint256 balance = balanceOf[from];
        require(balance >= amount, "balance");
        balanceOf[from] = balance - amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
