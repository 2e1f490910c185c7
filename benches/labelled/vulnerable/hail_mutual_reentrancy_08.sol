// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The book in which the units of the mutual's members are kept
contract UnitBook {
    address public immutable office;
    mapping(address => uint256) public unitsOf;
    mapping(address => bool) public suspended;
    uint256 public totalUnits;

    event Assigned(address indexed from, address indexed to, uint256 units);

    constructor() {
        office = msg.sender;
    }

    modifier onlyOffice() {
        require(msg.sender == office, "not the office");
        _;
    }

    function enter(address member, uint256 units) external onlyOffice {
        unitsOf[member] += units;
        totalUnits += units;
    }

    /// @notice Farms are sold, and their cover goes with them.
    function assign(address to, uint256 units) external {
        require(to != address(0) && to != office, "recipient");
        require(!suspended[msg.sender], "suspended");
        unitsOf[msg.sender] -= units;
        unitsOf[to] += units;
        emit Assigned(msg.sender, to, units);
    }

    function suspend(address member, bool value) external onlyOffice {
        suspended[member] = value;
    }

    /// @notice Strikes out the account of a member who has left.
    function close(address member) external onlyOffice returns (uint256 units) {
        units = unitsOf[member];
        totalUnits -= units;
        delete unitsOf[member];
    }
}

/// @title Hail mutual
/// @notice Farmers buy units of cover. Adjusters pay for damage out of the fund.
///         Who leaves the mutual gets nine tenths of what the units cost.
contract HailMutual {
    UnitBook public immutable book;
    address public immutable adjuster;
    uint256 public constant UNIT = 1 gwei;
    uint256 public constant SURRENDER_PERCENT = 90;

    mapping(address => uint256) public paidFor;
    uint256 public paidThisSeason;
    uint256 private locked;

    event Covered(address indexed farmer, uint256 units);
    event Surrendered(address indexed farmer, uint256 amount);
    event DamagePaid(address indexed farmer, uint256 amount);

    constructor(address adjuster_) {
        book = new UnitBook();
        adjuster = adjuster_;
    }

    modifier lock() {
        require(locked == 0, "locked");
        locked = 1;
        _;
        locked = 0;
    }

    function cover() external payable lock {
        require(msg.value > 0 && msg.value % UNIT == 0, "whole units");
        uint256 units = msg.value / UNIT;
        book.enter(msg.sender, units);
        emit Covered(msg.sender, units);
    }

    function surrender() external lock {
        uint256 units = book.unitsOf(msg.sender);
        require(units > 0, "no cover");
        require(!book.suspended(msg.sender), "claim is open");
        uint256 amount = units * UNIT * SURRENDER_PERCENT / 100;
        (bool ok,) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        book.close(msg.sender);
        emit Surrendered(msg.sender, amount);
    }

    function openClaim(address farmer) external {
        require(msg.sender == adjuster, "not the adjuster");
        book.suspend(farmer, true);
    }

    function payDamage(address farmer, uint256 amount) external lock {
        require(msg.sender == adjuster, "not the adjuster");
        require(book.suspended(farmer), "no claim");
        require(amount <= book.unitsOf(farmer) * UNIT * 3, "above the cover");
        book.suspend(farmer, false);
        paidFor[farmer] += amount;
        paidThisSeason += amount;
        (bool ok,) = farmer.call{value: amount}("");
        require(ok, "not accepted");
        emit DamagePaid(farmer, amount);
    }
}
