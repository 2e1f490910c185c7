// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// One bond is one wei owed by the desk.
contract BondToken {
    string public constant name = "Series A Bond";
    string public constant symbol = "BOND-A";
    uint8 public constant decimals = 18;

    address public immutable desk = msg.sender;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyDesk() {
        require(msg.sender == desk, "not the desk");
        _;
    }

    function mint(address to, uint256 value) external onlyDesk {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function burnAll(address from) external onlyDesk returns (uint256 value) {
        value = balanceOf[from];
        balanceOf[from] = 0;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
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

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

contract BondDesk {
    BondToken public immutable token = new BondToken();
    address public immutable issuer = msg.sender;
    bool public subscriptionsOpen = true;
    bool private busy;

    event Subscribed(address indexed who, uint256 amount);
    event Redeemed(address indexed who, uint256 amount);

    modifier nonReentrant() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    function setSubscriptions(bool open) external {
        require(msg.sender == issuer, "not the issuer");
        subscriptionsOpen = open;
    }

    function subscribe() external payable nonReentrant {
        require(subscriptionsOpen, "closed");
        require(msg.value >= 1000, "too little");
        token.mint(msg.sender, msg.value);
        emit Subscribed(msg.sender, msg.value);
    }

    function redeemAll() external nonReentrant {
        uint256 amount = token.balanceOf(msg.sender);
        require(amount > 0, "no bonds");
        (bool ok, ) = payable(msg.sender).call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        token.burnAll(msg.sender);
        emit Redeemed(msg.sender, amount);
    }
}
