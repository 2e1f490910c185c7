// SPDX-License-Identifier: MIT
pragma solidity ^0.4.0;
// Exploit: bet 1 ether in a block whose timestamp is divisible by 15 (the proposer or a waiting player picks it) and take the pot.
contract RouletteWheel {
    uint256 public lastSpin;

    function RouletteWheel() public payable {}

    function () public payable {}

    function spin() public payable {
        require(msg.value == 1 ether);
        require(now != lastSpin);
        lastSpin = now;
        if (now % 15 == 0) {
            msg.sender.transfer(this.balance); //~ ERROR timestamp
        }
    }
}
