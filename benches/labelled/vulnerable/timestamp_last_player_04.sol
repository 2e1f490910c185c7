// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: a proposer who is the last player sets the timestamp past the minute when the next play() comes in, so that it closes the round for him and does not replace him.
contract LastPlayer {
    uint256 public constant WAIT = 1 minutes;
    uint256 public constant STAKE = 1 ether;

    address public lastPlayer;
    uint256 public lastTime;
    uint256 public pot;

    event Played(address indexed who, uint256 pot);
    event Won(address indexed who, uint256 pot);

    function play() public payable {
        require(msg.value == STAKE);
        if (lastPlayer != address(0) && now > lastTime + WAIT) {
            uint256 prize = pot;
            address winner = lastPlayer;
            pot = 0;
            lastPlayer = address(0);
            winner.transfer(prize); //~ ERROR timestamp
            emit Won(winner, prize);
        }
        pot += msg.value;
        lastPlayer = msg.sender;
        lastTime = now;
        emit Played(msg.sender, pot);
    }
}
