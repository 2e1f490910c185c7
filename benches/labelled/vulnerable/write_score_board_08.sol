// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: record(10, attacker): the index is not bounded by the board's length, so the write goes past the board into referee (or any other slot).
contract ScoreBoard {
    uint256[10] public board;
    address public referee;
    uint256 public season;
    bool public closed;

    event Recorded(uint256 indexed place, uint256 score);

    constructor() {
        referee = msg.sender;
        season = 1;
    }

    function record(uint256 place, uint256 score) external {
        require(!closed, "closed");
        assembly {
            sstore(add(board.slot, place), score) //~ ERROR arbitrary-write
        }
        emit Recorded(place, score);
    }

    function closeSeason() external {
        require(msg.sender == referee, "referee only");
        season += 1;
        closed = true;
    }

    function best() external view returns (uint256 top) {
        for (uint256 i = 0; i < 10; i++) {
            if (board[i] > top) top = board[i];
        }
    }
}
