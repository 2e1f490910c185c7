// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract WrappedEther {
    string public constant name = "Wrapped Ether";
    string public constant symbol = "WETH";
    uint8 public constant decimals = 18;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event Deposit(address indexed from, uint256 amount);
    event Withdrawal(address indexed to, uint256 amount);

    error EtherTransferFailed();
    error BadRecipient();

    receive() external payable {
        _deposit(msg.sender);
    }

    function deposit() external payable {
        _deposit(msg.sender);
    }

    function depositTo(address to) external payable {
        if (to == address(0) || to == address(this)) revert BadRecipient();
        _deposit(to);
    }

    function withdraw(uint256 amount) external {
        withdrawTo(payable(msg.sender), amount);
    }

    function withdrawTo(address payable to, uint256 amount) public {
        if (to == address(0) || to == address(this)) revert BadRecipient();
        balanceOf[msg.sender] -= amount;
        emit Withdrawal(msg.sender, amount);
        (bool ok,) = to.call{value: amount}("");
        if (!ok) revert EtherTransferFailed();
    }

    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (from != msg.sender && allowed != type(uint256).max) {
            allowance[from][msg.sender] = allowed - amount;
        }
        _transfer(from, to, amount);
        return true;
    }

    function _transfer(address from, address to, uint256 amount) private {
        if (to == address(0) || to == address(this)) revert BadRecipient();
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _deposit(address to) private {
        balanceOf[to] += msg.value;
        emit Deposit(to, msg.value);
    }
}
