// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Credits that the desk lends out. Only the desk may mint and burn them.
contract CreditToken {
    string public constant name = "Desk Credit";
    string public constant symbol = "DCR";
    uint8 public constant decimals = 18;

    address public immutable desk;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    modifier onlyDesk() {
        require(msg.sender == desk, "only the desk");
        _;
    }

    constructor(address desk_) {
        desk = desk_;
    }

    function mint(address to, uint256 value) external onlyDesk {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function burn(address from, uint256 value) external onlyDesk {
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Ether is deposited as collateral, credits are borrowed against half of it.
contract CollateralDesk {
    uint256 public constant MAX_LTV = 50;

    CreditToken public immutable credit;
    mapping(address => uint256) public collateral;
    mapping(address => uint256) public debt;
    bool private entered;

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);

    modifier nonReentrant() {
        require(!entered, "entered");
        entered = true;
        _;
        entered = false;
    }

    constructor() {
        credit = new CreditToken(address(this));
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing sent");
        collateral[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function borrow(uint256 amount) external nonReentrant {
        uint256 owed = debt[msg.sender] + amount;
        require(owed <= collateral[msg.sender] * MAX_LTV / 100, "too much debt");
        debt[msg.sender] = owed;
        credit.mint(msg.sender, amount);
    }

    function repay(uint256 amount) external nonReentrant {
        require(amount <= debt[msg.sender], "more than owed");
        debt[msg.sender] -= amount;
        credit.burn(msg.sender, amount);
    }

    /// The part of the collateral that no debt stands against.
    function free(address account) public view returns (uint256) {
        uint256 bound = debt[account] * 100 / MAX_LTV;
        return bound >= collateral[account] ? 0 : collateral[account] - bound;
    }

    function withdraw(uint256 amount) external nonReentrant {
        require(amount > 0 && amount <= free(msg.sender), "not free");
        uint256 held = collateral[msg.sender];
        (bool success,) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(success, "payment refused");
        collateral[msg.sender] = held - amount;
        emit Withdrawn(msg.sender, amount);
    }

    /// Hands collateral to another account, such as a new wallet of the same person.
    function move(address to, uint256 amount) external {
        require(to != msg.sender && to != address(0), "bad account");
        require(amount <= free(msg.sender), "not free");
        collateral[msg.sender] -= amount;
        collateral[to] += amount;
        emit Moved(msg.sender, to, amount);
    }
}
