// SPDX-License-Identifier: MIT
pragma solidity ^0.4.11;
// Exploit: winner of a round is a contract wallet; anyone calls cash(round), the send fails, the round is marked as cashed and the pot is lost for the winner.
contract RoundPot {
    struct Round {
        uint256 pot;
        address winner;
        bool cashed;
    }

    address public croupier;
    uint256 public current;
    mapping(uint256 => Round) public rounds;

    event Cashed(uint256 indexed round, address winner, uint256 pot);

    function RoundPot() public {
        croupier = msg.sender;
    }

    function enter() public payable {
        require(msg.value > 0);
        rounds[current].pot += msg.value;
    }

    function closeRound(address winner) public {
        require(msg.sender == croupier);
        require(winner != address(0));
        rounds[current].winner = winner;
        current += 1;
    }

    function cash(uint256 round) public {
        Round storage r = rounds[round];
        require(r.winner != address(0));
        require(!r.cashed);
        r.winner.send(r.pot); //~ ERROR unchecked-call
        r.cashed = true;
        Cashed(round, r.winner, r.pot);
    }
}
