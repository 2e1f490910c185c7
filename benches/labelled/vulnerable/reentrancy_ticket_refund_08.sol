// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: buy one ticket, organiser calls the event off, refund() and again refund() from receive() before refunded[] is set.
contract EventTickets {
    uint256 public constant PRICE = 0.1 ether;

    address public immutable organiser;
    mapping(address => uint256) public tickets;
    mapping(address => bool) public refunded;
    bool public calledOff;
    bool public held;

    constructor() {
        organiser = msg.sender;
    }

    function buy(uint256 count) external payable {
        require(!calledOff && !held, "closed");
        require(count > 0 && msg.value == count * PRICE, "wrong price");
        tickets[msg.sender] += count;
    }

    function callOff() external {
        require(msg.sender == organiser && !held, "not allowed");
        calledOff = true;
    }

    function finish() external {
        require(msg.sender == organiser && !calledOff, "not allowed");
        held = true;
        payable(organiser).transfer(address(this).balance);
    }

    function refund() external {
        require(calledOff, "not called off");
        require(!refunded[msg.sender], "already refunded");
        uint256 amount = tickets[msg.sender] * PRICE;
        require(amount > 0, "no tickets");
        (bool ok, ) = payable(msg.sender).call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "refund failed");
        refunded[msg.sender] = true;
    }
}
