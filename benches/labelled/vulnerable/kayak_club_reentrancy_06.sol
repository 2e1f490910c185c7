// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Members keep a credit at the club and hire kayaks with it.
contract KayakClub {
    uint256 public constant HIRE_FEE = 20 finney;

    address payable public owner;
    uint256 public earnings;
    bool private paying;

    mapping(address => uint256) public credit;
    mapping(uint16 => mapping(uint8 => address)) public bookings;

    event ToppedUp(address indexed member, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event Booked(address indexed member, uint16 day, uint8 kayak);
    event CashedOut(address indexed member, uint256 amount);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    modifier whileNotPaying() {
        require(!paying, "payment in progress");
        paying = true;
        _;
        paying = false;
    }

    constructor() public {
        owner = msg.sender;
    }

    function topUp() external payable {
        require(msg.value > 0, "nothing sent");
        credit[msg.sender] += msg.value;
        emit ToppedUp(msg.sender, msg.value);
    }

    function moveCredit(address to, uint256 amount) external {
        require(to != address(0), "no receiver");
        require(credit[msg.sender] >= amount, "not enough credit");
        credit[msg.sender] -= amount;
        credit[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function book(uint16 day, uint8 kayak) external {
        require(kayak < 12, "no such kayak");
        require(bookings[day][kayak] == address(0), "already hired");
        require(credit[msg.sender] >= HIRE_FEE, "not enough credit");
        credit[msg.sender] -= HIRE_FEE;
        earnings += HIRE_FEE;
        bookings[day][kayak] = msg.sender;
        emit Booked(msg.sender, day, kayak);
    }

    function cashOut() external whileNotPaying {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "payment refused");
        credit[msg.sender] = 0;
        emit CashedOut(msg.sender, amount);
    }

    function collectEarnings() external onlyOwner {
        uint256 amount = earnings;
        earnings = 0;
        owner.transfer(amount);
    }
}
