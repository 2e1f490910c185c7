// SPDX-License-Identifier: MIT
pragma solidity ^0.4.0;
// Exploit: a contract computes blockhash(number - 1) % 6 in the same transaction and bets on exactly that face, five times the stake.
contract HashDice {
    address public bank;
    mapping(address => uint256) public rolls;

    function HashDice() public payable {
        bank = msg.sender;
    }

    function fill() public payable {}

    function roll(uint256 face) public payable {
        require(face < 6);
        require(msg.value > 0 && msg.value <= 1 ether);
        require(this.balance >= msg.value * 5);
        rolls[msg.sender] += 1;
        uint256 outcome = uint256(block.blockhash(block.number - 1)) % 6;
        if (outcome == face) {
            msg.sender.transfer(msg.value * 5); //~ ERROR block-number
        }
    }

    function drain(uint256 amount) public {
        require(msg.sender == bank);
        bank.transfer(amount);
    }
}
