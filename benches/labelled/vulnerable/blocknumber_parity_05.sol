// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: two duellists stake; resolve() is sent in a block of the parity that suits the sender (odd number pays the challenger, even pays the opponent).
contract ParityDuel {
    address payable public challenger;
    address payable public opponent;
    uint256 public stake;

    event Resolved(address winner, uint256 prize);

    function challenge() external payable {
        require(challenger == address(0), "busy");
        require(msg.value > 0, "stake");
        challenger = msg.sender;
        stake = msg.value;
    }

    function accept() external payable {
        require(challenger != address(0) && opponent == address(0), "no duel");
        require(msg.value == stake, "stake");
        opponent = msg.sender;
    }

    function resolve() external {
        require(opponent != address(0), "not accepted");
        address payable winner = block.number % 2 == 1 ? challenger : opponent;
        uint256 prize = stake * 2;
        challenger = address(0);
        opponent = address(0);
        stake = 0;
        winner.transfer(prize); //~ ERROR block-number
        emit Resolved(winner, prize);
    }
}
