// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// The ladder of a chess club: rank 1 is the strongest player.
contract ChessLadder {
    address public arbiter;
    uint256 public players;

    mapping(uint256 => address) public playerAt;
    mapping(address => uint256) public rankOf;
    mapping(address => uint256) public gamesLost;

    event Joined(address indexed player, uint256 rank);
    event Left(address indexed player, uint256 rank);
    event Swapped(address indexed up, address indexed down, uint256 rank);

    constructor() public {
        arbiter = msg.sender;
    }

    function join() external {
        require(rankOf[msg.sender] == 0, "already on the ladder");
        require(players < 500, "the ladder is full");
        players += 1;
        playerAt[players] = msg.sender;
        rankOf[msg.sender] = players;
        emit Joined(msg.sender, players);
    }

    /// The sender lost against the next player, who moves up.
    function concede() external {
        uint256 rank = rankOf[msg.sender];
        require(rank > 0 && rank < players, "nobody below you");
        address other = playerAt[rank + 1];
        playerAt[rank] = other;
        playerAt[rank + 1] = msg.sender;
        rankOf[other] = rank;
        rankOf[msg.sender] = rank + 1;
        gamesLost[msg.sender] += 1;
        emit Swapped(other, msg.sender, rank);
    }

    /// The last player of the ladder takes the place that becomes free.
    function leave() external {
        uint256 rank = rankOf[msg.sender];
        require(rank > 0 && rank <= players, "not on the ladder");
        address last = playerAt[players];
        playerAt[rank] = last;
        delete playerAt[players];
        delete rankOf[msg.sender];
        players -= 1;
        emit Left(msg.sender, rank);
    }

    function champion() external view returns (address) {
        return playerAt[1];
    }

    function checkRank(uint256 rank) external view {
        require(rank > 0 && rank <= players, "no such rank");
        assert(rankOf[playerAt[rank]] == rank); //~ ERROR assertion
    }
}
