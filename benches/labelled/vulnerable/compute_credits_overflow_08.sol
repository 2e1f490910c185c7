// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Prepaid credits for a network of machines. A credit pays for one minute of a machine.
contract ComputeCredits {
    struct Booking {
        address customer;
        uint64 from;
        uint32 machines;
        uint32 minutesEach;
        bool cancelled;
    }

    uint256 public constant CREDIT_PRICE = 10 wei;
    uint256 public constant MAX_MACHINES = 64;

    address payable public immutable provider;
    mapping(address => uint256) private credits;
    Booking[] private bookings;

    event Bought(address indexed customer, uint256 amount);
    event Granted(address indexed from, address indexed to, uint256 amount);
    event Booked(uint256 indexed id, address indexed customer, uint256 cost);

    constructor() {
        provider = payable(msg.sender);
    }

    function creditsOf(address account) external view returns (uint256) {
        return credits[account];
    }

    function bookingCount() external view returns (uint256) {
        return bookings.length;
    }

    function booking(uint256 id) external view returns (Booking memory) {
        require(id < bookings.length, "no such booking");
        return bookings[id];
    }

    function buy() external payable {
        require(msg.value >= CREDIT_PRICE && msg.value % CREDIT_PRICE == 0, "whole credits only");
        uint256 amount = msg.value / CREDIT_PRICE;
        credits[msg.sender] += amount;
        emit Bought(msg.sender, amount);
    }

    /// Gives credits to a colleague; in assembly since it is called for whole teams.
    function grant(address to, uint256 amount) external {
        require(to != address(0) && to != msg.sender, "bad receiver");
        require(amount > 0 && amount <= 1_000_000, "bad amount");
        assembly {
            mstore(0x00, caller())
            mstore(0x20, credits.slot)
            let from := keccak256(0x00, 0x40)
            let left := sub(sload(from), amount) //~ ERROR overflow
            sstore(from, left)
        }
        credits[to] += amount;
        emit Granted(msg.sender, to, amount);
    }

    function book(uint32 machines, uint32 minutesEach, uint64 from) external returns (uint256 id) {
        require(machines > 0 && machines <= MAX_MACHINES, "bad number of machines");
        require(minutesEach > 0 && minutesEach <= 1440, "bad duration");
        require(from >= block.timestamp, "in the past");
        uint256 cost = uint256(machines) * minutesEach;
        require(credits[msg.sender] >= cost, "too few credits");
        credits[msg.sender] -= cost;
        id = bookings.length;
        bookings.push(Booking(msg.sender, from, machines, minutesEach, false));
        emit Booked(id, msg.sender, cost);
    }

    function cancel(uint256 id) external {
        require(id < bookings.length, "no such booking");
        Booking storage b = bookings[id];
        require(b.customer == msg.sender && !b.cancelled, "not yours");
        require(block.timestamp + 1 hours < b.from, "too late");
        b.cancelled = true;
        credits[msg.sender] += uint256(b.machines) * b.minutesEach;
    }

    function collect() external {
        require(msg.sender == provider, "not the provider");
        provider.transfer(address(this).balance);
    }
}
