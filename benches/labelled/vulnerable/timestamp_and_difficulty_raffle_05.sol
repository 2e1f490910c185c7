// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: three players enter; whoever calls draw() can compute (and a proposer can choose) the index from timestamp and difficulty before sending.
contract MixedRaffle {
    uint256 public constant STAKE = 0.5 ether;

    address payable[] public players;
    address public lastWinner;

    event Winner(address indexed who, uint256 prize);

    function enter() external payable {
        require(msg.value == STAKE, "stake");
        require(players.length < 10, "full");
        players.push(msg.sender);
    }

    function draw() external {
        require(players.length >= 3, "too few");
        uint256 seed = uint256(keccak256(abi.encodePacked(now, block.difficulty, players.length)));
        address payable winner = players[seed % players.length];
        lastWinner = winner;
        delete players;
        uint256 prize = address(this).balance;
        winner.transfer(prize); //~ ERROR timestamp //~ ERROR block-number
        emit Winner(winner, prize);
    }
}
