// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: players buy tickets; draw() picks by block.timestamp, so the proposer (or a caller who waits for the right second) decides who is paid.
contract HourlyLottery {
    uint256 public constant TICKET = 0.1 ether;
    uint256 public constant MIN_PLAYERS = 2;

    address[] public entries;
    uint256 public round;
    mapping(uint256 => address) public winnerOf;

    event Drawn(uint256 indexed round, address winner, uint256 prize);

    function buy() external payable {
        require(msg.value == TICKET, "price");
        entries.push(msg.sender);
    }

    function draw() external {
        uint256 count = entries.length;
        require(count >= MIN_PLAYERS, "players");
        uint256 index = uint256(keccak256(abi.encode(block.timestamp, round))) % count;
        address winner = entries[index];
        uint256 prize = count * TICKET;
        winnerOf[round] = winner;
        emit Drawn(round, winner, prize);
        round += 1;
        delete entries;
        (bool ok, ) = payable(winner).call{value: prize}(""); //~ ERROR timestamp
        require(ok, "prize not sent");
    }
}
