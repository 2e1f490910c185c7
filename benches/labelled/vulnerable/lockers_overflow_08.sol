// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Luggage lockers at a station, let by the second
/// @notice Travellers pay in advance. Who gives a locker back early keeps the seconds
///         that are left, uses them for another locker, or cashes them for nine tenths.
contract LuggageLockers {
    struct Lease {
        address user;
        uint64 billed;
        uint64 until;
    }

    uint256 public constant PRICE = 1 gwei;
    uint256 public constant LONGEST = 30 days;

    address public immutable station;
    uint256 public immutable lockers;
    mapping(uint256 => Lease) public leases;
    mapping(address => uint256) public saved;
    uint256 public earned;

    event Opened(uint256 indexed locker, address indexed user, uint256 until);
    event GivenBack(uint256 indexed locker, address indexed user, uint256 left);
    event Cashed(address indexed user, uint256 amount);

    constructor(uint16 count) {
        station = msg.sender;
        lockers = uint256(count) + 8;
    }

    function open(uint256 locker) external payable {
        require(msg.value % PRICE == 0, "whole seconds");
        _let(locker, msg.value / PRICE);
    }

    function openWithSaved(uint256 locker, uint256 time) external {
        saved[msg.sender] -= time;
        _let(locker, time);
    }

    function extend(uint256 locker) external payable {
        require(msg.value % PRICE == 0, "whole seconds");
        Lease storage lease = leases[locker];
        require(lease.user == msg.sender, "not yours");
        require(block.timestamp < lease.until, "ran out");
        uint256 until = lease.until + msg.value / PRICE;
        require(until <= block.timestamp + LONGEST, "too long");
        lease.until = uint64(until);
    }

    function giveBack(uint256 locker) external {
        require(leases[locker].user == msg.sender, "not yours");
        _bill(locker);
        uint256 until = leases[locker].until;
        delete leases[locker];
        uint256 left;
        assembly {
            left := sub(until, timestamp()) //~ ERROR overflow
        }
        saved[msg.sender] += left;
        emit GivenBack(locker, msg.sender, left);
    }

    function cash(uint256 time) external {
        saved[msg.sender] -= time;
        uint256 gross = time * PRICE;
        uint256 fee = gross / 10;
        earned += fee;
        payable(msg.sender).send(gross - fee); //~ ERROR unchecked-call
        emit Cashed(msg.sender, gross - fee);
    }

    /// @notice The station clears a locker whose time has run out.
    function clear(uint256 locker) external {
        require(msg.sender == station, "not the station");
        Lease storage lease = leases[locker];
        require(lease.user != address(0) && block.timestamp > uint256(lease.until) + 7 days, "not yet");
        _bill(locker);
        delete leases[locker];
    }

    function collect() external {
        require(msg.sender == station, "not the station");
        uint256 amount = earned;
        earned = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _bill(uint256 locker) private {
        Lease storage lease = leases[locker];
        uint256 upTo = block.timestamp < lease.until ? block.timestamp : lease.until;
        earned += (upTo - lease.billed) * PRICE;
        lease.billed = uint64(upTo);
    }

    function _let(uint256 locker, uint256 time) private {
        require(locker < lockers, "no such locker");
        require(leases[locker].user == address(0), "taken");
        require(time > 0 && time <= LONGEST, "time");
        leases[locker] = Lease(msg.sender, uint64(block.timestamp), uint64(block.timestamp + time));
        emit Opened(locker, msg.sender, block.timestamp + time);
    }
}
