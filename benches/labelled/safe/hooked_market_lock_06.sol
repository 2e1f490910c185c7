// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

interface ITokenHolder {
    function tokensToSend(address operator, address to, uint256 amount) external;
}

/// Wrapped ether whose holders are told before an operator moves their tokens.
contract NotifyingEther {
    string public constant symbol = "nETH";
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        totalSupply += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "balance");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        msg.sender.transfer(amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "allowance");
        allowance[from][msg.sender] -= amount;
        uint256 size;
        assembly {
            size := extcodesize(from)
        }
        if (from != msg.sender && size > 0) {
            ITokenHolder(from).tokensToSend(msg.sender, to, amount);
        }
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        require(balanceOf[from] >= amount, "balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

contract LockedMarket {
    NotifyingEther public token;
    address public admin;
    bool public suspended;
    bool private entered;
    uint256 public totalSupplied;
    mapping(address => uint256) public supplied;

    event Supplied(address indexed who, uint256 amount);
    event Redeemed(address indexed who, uint256 amount);

    modifier nonReentrant() {
        require(!entered, "reentrant");
        entered = true;
        _;
        entered = false;
    }

    constructor(NotifyingEther _token) public {
        token = _token;
        admin = msg.sender;
    }

    function supply(uint256 amount) external nonReentrant {
        require(!suspended, "suspended");
        require(amount > 0, "nothing");
        uint256 balance = supplied[msg.sender];
        require(token.transferFrom(msg.sender, address(this), amount), "transfer");
        supplied[msg.sender] = balance + amount;
        totalSupplied += amount;
        emit Supplied(msg.sender, amount);
    }

    function redeem(uint256 amount) external nonReentrant {
        uint256 balance = supplied[msg.sender];
        require(amount > 0 && amount <= balance, "balance");
        supplied[msg.sender] = balance - amount;
        totalSupplied -= amount;
        require(token.transfer(msg.sender, amount), "transfer");
        emit Redeemed(msg.sender, amount);
    }

    function setSuspended(bool value) external {
        require(msg.sender == admin, "admin only");
        suspended = value;
    }
}
