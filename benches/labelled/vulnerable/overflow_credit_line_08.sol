// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: pay(victim, 2**256 - 1000): the cast turns the amount into -1000, so the payer gains 1000 and the victim loses 1000.
contract CreditLine {
    int256 public constant FLOOR = -100;

    mapping(address => int256) public balance;
    mapping(address => bool) public joined;

    event Paid(address indexed from, address indexed to, int256 amount);

    function join() external {
        require(!joined[msg.sender], "joined");
        joined[msg.sender] = true;
        balance[msg.sender] += 1000;
    }

    function pay(address to, uint256 amount) external {
        require(joined[msg.sender] && joined[to], "members only");
        require(to != msg.sender, "self");
        int256 delta = int256(amount); //~ ERROR overflow
        balance[msg.sender] -= delta;
        require(balance[msg.sender] >= FLOOR, "credit limit");
        balance[to] += delta;
        emit Paid(msg.sender, to, delta);
    }
}
