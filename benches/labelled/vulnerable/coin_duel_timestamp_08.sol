// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Two players put in the same, and one of them gets both stakes.
contract CoinDuel {
    struct Duel {
        address maker;
        uint256 stake;
        bool heads;
    }

    uint256 public constant MIN_STAKE = 1 gwei;

    uint256 public nextId;
    uint256 public settled;
    mapping(uint256 => Duel) public duels;
    mapping(address => uint256) public wins;

    event Offered(uint256 indexed id, address indexed maker, uint256 stake, bool heads);
    event Withdrawn(uint256 indexed id);
    event Settled(uint256 indexed id, address indexed winner, uint256 pot);

    function offer(bool heads) external payable returns (uint256 id) {
        require(msg.value >= MIN_STAKE, "stake too small");
        id = nextId++;
        duels[id] = Duel(msg.sender, msg.value, heads);
        emit Offered(id, msg.sender, msg.value, heads);
    }

    function withdrawOffer(uint256 id) external {
        Duel memory duel = duels[id];
        require(duel.maker == msg.sender, "not the maker");
        delete duels[id];
        emit Withdrawn(id);
        payable(msg.sender).transfer(duel.stake);
    }

    function flip() private view returns (bool) {
        return block.timestamp % 2 == 0;
    }

    function accept(uint256 id) external payable {
        Duel memory duel = duels[id];
        require(duel.maker != address(0), "no such duel");
        require(msg.value == duel.stake, "not the same stake");
        delete duels[id];
        settled++;

        address winner = flip() == duel.heads ? duel.maker : msg.sender;
        wins[winner]++;
        emit Settled(id, winner, duel.stake * 2);
        payable(winner).transfer(duel.stake * 2); //~ ERROR timestamp
    }

    function isOpen(uint256 id) external view returns (bool) {
        return duels[id].maker != address(0);
    }

    function stakeOf(uint256 id) external view returns (uint256) {
        return duels[id].stake;
    }
}
