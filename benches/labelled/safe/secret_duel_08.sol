// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Both players commit to a number that they drew at random, a new one for each duel. The two numbers decide who gets the stakes.
contract SecretDuel {
    struct Duel {
        address[2] players;
        bytes32[2] hashes;
        uint256[2] numbers;
        bool[2] revealed;
        uint256 stake;
        uint256 revealBy;
    }

    uint256 public constant BLOCKS = 200;

    uint256 public nextId;
    mapping(uint256 => Duel) private duels;
    mapping(address => uint256) public credit;

    event Offered(uint256 indexed id, address indexed maker, uint256 stake);
    event Joined(uint256 indexed id, address indexed taker);
    event Revealed(uint256 indexed id, address indexed player);
    event Settled(uint256 indexed id, address indexed winner);

    function hashOf(address player, uint256 number) public pure returns (bytes32) {
        return keccak256(abi.encode(player, number));
    }

    function offer(bytes32 hash) external payable returns (uint256 id) {
        require(msg.value > 0, "no stake");
        id = nextId++;
        Duel storage duel = duels[id];
        duel.players[0] = msg.sender;
        duel.hashes[0] = hash;
        duel.stake = msg.value;
        emit Offered(id, msg.sender, msg.value);
    }

    function cancel(uint256 id) external {
        Duel storage duel = duels[id];
        require(msg.sender == duel.players[0] && duel.players[1] == address(0), "too late");
        uint256 stake = duel.stake;
        delete duels[id];
        credit[msg.sender] += stake;
    }

    function join(uint256 id, bytes32 hash) external payable {
        Duel storage duel = duels[id];
        require(duel.stake > 0 && duel.players[1] == address(0), "not open");
        require(msg.sender != duel.players[0] && msg.value == duel.stake, "wrong player or stake");
        duel.players[1] = msg.sender;
        duel.hashes[1] = hash;
        duel.revealBy = block.number + BLOCKS;
        emit Joined(id, msg.sender);
    }

    function reveal(uint256 id, uint256 number) external {
        Duel storage duel = duels[id];
        require(duel.revealBy != 0 && block.number <= duel.revealBy, "not now");
        uint256 side = msg.sender == duel.players[0] ? 0 : 1;
        require(msg.sender == duel.players[side] && !duel.revealed[side], "not a player");
        require(duel.hashes[side] == hashOf(msg.sender, number), "another number");
        duel.numbers[side] = number;
        duel.revealed[side] = true;
        emit Revealed(id, msg.sender);
    }

    function settle(uint256 id) external {
        Duel memory duel = duels[id];
        require(duel.revealBy != 0, "not joined");
        bool both = duel.revealed[0] && duel.revealed[1];
        require(both || block.number > duel.revealBy, "still open");
        delete duels[id];
        if (!duel.revealed[0] && !duel.revealed[1]) {
            credit[duel.players[0]] += duel.stake;
            credit[duel.players[1]] += duel.stake;
            return;
        }
        uint256 side = duel.revealed[0] ? 0 : 1;
        if (both) side = uint256(keccak256(abi.encode(duel.numbers[0], duel.numbers[1]))) % 2;
        emit Settled(id, duel.players[side]);
        payable(duel.players[side]).transfer(duel.stake * 2);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
