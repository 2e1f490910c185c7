// SPDX-License-Identifier: MIT
pragma solidity ^0.4.18;
// Exploit: payWinner() to a winner that cannot take a plain send: paidOut is set anyway; then anyone calls takeLeftOver() and gets the prize.
contract PrizeDraw {
    address public host;
    address public winner;
    uint256 public prize;
    bool public paidOut;

    function PrizeDraw() public payable {
        host = msg.sender;
        prize = msg.value;
    }

    function addPrize() public payable {
        require(!paidOut);
        prize += msg.value;
    }

    function choose(address lucky) public {
        require(msg.sender == host);
        require(winner == address(0));
        winner = lucky;
    }

    function payWinner() public {
        require(!paidOut);
        require(winner != address(0));
        winner.send(prize); //~ ERROR unchecked-call
        paidOut = true;
    }

    function takeLeftOver() public {
        require(paidOut);
        msg.sender.transfer(this.balance); //~ ERROR ether-theft
    }
}
