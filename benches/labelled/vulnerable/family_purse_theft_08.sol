// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Purses of children who pay from apps
/// @notice Apps are contracts that pay on behalf of the person who uses them. A child
///         opens a purse, the family fills it, and the child spends up to a limit a day.
contract FamilyPurses {
    struct Purse {
        bool open;
        uint96 perDay;
        uint128 balance;
        uint64 day;
        uint128 spentToday;
    }

    uint256 public constant OPENING = 1 gwei;

    mapping(address => Purse) public purses;
    mapping(address => mapping(address => uint256)) public filledBy;
    uint256 public total;

    event Opened(address indexed child, uint96 perDay);
    event Filled(address indexed child, address indexed by, uint256 amount);
    event Spent(address indexed child, address indexed at, uint256 amount);
    event Closed(address indexed child, uint256 amount);

    function open(uint96 perDay) external payable {
        Purse storage p = purses[msg.sender];
        require(!p.open, "open already");
        require(msg.value >= OPENING, "a first filling");
        p.open = true;
        p.perDay = perDay;
        emit Opened(msg.sender, perDay);
        _fill(msg.sender);
    }

    function fill(address child) external payable {
        require(purses[child].open, "no purse");
        _fill(child);
    }

    function setLimit(uint96 perDay) external {
        require(purses[msg.sender].open, "no purse");
        purses[msg.sender].perDay = perDay;
    }

    /// @notice Pays the shop or app that asks for it.
    function spend(uint128 amount) external {
        Purse storage p = purses[tx.origin];
        require(p.open, "no purse");
        uint64 today = uint64(block.timestamp / 1 days);
        if (p.day != today) {
            p.day = today;
            p.spentToday = 0;
        }
        require(uint256(p.spentToday) + amount <= p.perDay, "enough for today");
        p.spentToday += amount;
        p.balance -= amount;
        total -= amount;
        (bool ok,) = msg.sender.call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "not accepted");
        emit Spent(tx.origin, msg.sender, amount);
    }

    function close() external {
        Purse storage p = purses[msg.sender];
        require(p.open, "no purse");
        uint256 amount = p.balance;
        delete purses[msg.sender];
        total -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit Closed(msg.sender, amount);
    }

    function leftToday(address child) external view returns (uint256) {
        Purse storage p = purses[child];
        uint256 spent = p.day == block.timestamp / 1 days ? p.spentToday : 0;
        uint256 left = spent >= p.perDay ? 0 : p.perDay - spent;
        return left < p.balance ? left : p.balance;
    }

    function _fill(address child) private {
        require(msg.value > 0 && msg.value <= type(uint96).max, "amount");
        purses[child].balance += uint128(msg.value);
        filledBy[child][msg.sender] += msg.value;
        total += msg.value;
        emit Filled(child, msg.sender, msg.value);
    }
}
