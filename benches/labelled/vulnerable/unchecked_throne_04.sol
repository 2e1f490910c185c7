// SPDX-License-Identifier: MIT
pragma solidity ^0.4.0;
// Exploit: the monarch is a contract whose fallback refuses (or needs more than 2300 gas); the next claim() takes the throne, the send fails, the monarch is never compensated.
contract Throne {
    address public wizard;
    address public monarch;
    uint256 public claimPrice = 100 finney;
    uint256 public reigns;

    function Throne() public {
        wizard = msg.sender;
    }

    function claim() public payable {
        require(msg.value >= claimPrice);
        uint256 commission = msg.value / 50;
        uint256 compensation = msg.value - commission;

        if (monarch != address(0)) {
            monarch.send(compensation); //~ ERROR unchecked-call
        }
        monarch = msg.sender;
        reigns += 1;
        claimPrice = msg.value + msg.value / 2;
    }

    function sweep(uint256 amount) public {
        require(msg.sender == wizard);
        wizard.transfer(amount);
    }
}
