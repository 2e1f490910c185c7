// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract FlatFeeToken {
    string public name;
    string public symbol;
    uint256 public constant FLAT_FEE = 1e15;

    address public immutable treasury;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed holder, address indexed spender, uint256 amount);

    error InsufficientBalance(uint256 balance, uint256 amount);
    error InsufficientAllowance();

    constructor(string memory name_, string memory symbol_, uint112 supply) {
        name = name_;
        symbol = symbol_;
        treasury = address(this);
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert InsufficientAllowance();
        if (allowed != type(uint256).max) {
            allowance[from][msg.sender] = allowed - amount;
        }
        _transfer(from, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function burn(uint256 amount) external {
        uint256 balance = balanceOf[msg.sender];
        if (balance < amount) revert InsufficientBalance(balance, amount);
        balanceOf[msg.sender] = balance - amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
    }

    function _transfer(address from, address to, uint256 amount) private {
        require(to != address(0) && to != treasury, "receiver");
        uint256 balance = balanceOf[from];
        if (balance < amount) revert InsufficientBalance(balance, amount);
        uint256 fee = FLAT_FEE;
        uint256 net;
        assembly {
            net := sub(amount, fee) //~ ERROR overflow
        }
        balanceOf[from] = balance - amount;
        balanceOf[to] += net;
        balanceOf[treasury] += fee;
        emit Transfer(from, to, net);
        emit Transfer(from, treasury, fee);
    }
}
