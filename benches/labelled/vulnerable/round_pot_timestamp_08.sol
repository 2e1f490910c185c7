// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Remembers the winners of all rounds.
contract HallOfFame {
    struct Win {
        uint256 round;
        address winner;
        uint256 amount;
    }

    address public immutable game;
    Win[] private wins;
    mapping(address => uint256) public wonBy;

    constructor(address game_) {
        game = game_;
    }

    function add(uint256 round, address winner, uint256 amount) external {
        require(msg.sender == game, "not the game");
        wins.push(Win(round, winner, amount));
        wonBy[winner] += amount;
    }

    function count() external view returns (uint256) {
        return wins.length;
    }

    function at(uint256 index) external view returns (Win memory) {
        require(index < wins.length, "no such win");
        return wins[index];
    }
}

/// A savings game: each entry costs the same, and one of the entries gets the pot.
contract RoundPot {
    uint256 public constant ENTRY = 10 gwei;
    uint256 public constant MAX_ENTRIES = 20;
    uint256 public constant MIN_ENTRIES = 2;

    HallOfFame public immutable hall;
    address public immutable host;
    uint256 public round;
    uint256 public hostShare;
    address payable[] private entries;

    event Entered(uint256 indexed round, address indexed player);
    event Drawn(uint256 indexed round, address indexed winner, uint256 amount);

    constructor() {
        host = msg.sender;
        hall = new HallOfFame(address(this));
    }

    function entryCount() external view returns (uint256) {
        return entries.length;
    }

    function enter() external payable {
        require(msg.value == ENTRY, "wrong amount");
        require(entries.length < MAX_ENTRIES, "the round is full");
        entries.push(payable(msg.sender));
        emit Entered(round, msg.sender);
    }

    function draw() external {
        uint256 count = entries.length;
        require(count >= MIN_ENTRIES, "too few entries");
        address payable winner = entries[block.timestamp % count];
        uint256 pot = count * ENTRY;
        uint256 share = pot / 20;
        hostShare += share;
        delete entries;
        hall.add(round, winner, pot - share);
        emit Drawn(round, winner, pot - share);
        round += 1;
        (bool success,) = winner.call{value: pot - share}(""); //~ ERROR timestamp
        require(success, "payment refused");
    }

    function collect() external {
        require(msg.sender == host, "not the host");
        uint256 amount = hostShare;
        hostShare = 0;
        payable(host).transfer(amount);
    }
}
