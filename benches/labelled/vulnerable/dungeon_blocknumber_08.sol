// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Dungeon
/// @notice Heroes pay to enter, train with what they have earned, and fight the dragon
///         for a quarter of the hoard. Strength is the chance to win, in percent.
contract Dungeon {
    struct Hero {
        uint32 strength;
        uint32 fights;
        uint32 wins;
        uint64 restUntil;
        bool alive;
    }

    uint256 public constant ENTRY = 10 gwei;
    uint256 public constant LESSON = 2 gwei;
    uint256 public constant STRIKE = 5 gwei;
    uint32 public constant MAX_STRENGTH = 60;

    address public immutable master;
    uint256 public hoard;
    uint256 public masterShare;
    mapping(address => Hero) public heroes;

    event Entered(address indexed who);
    event Trained(address indexed who, uint32 strength);
    event Fought(address indexed who, uint256 roll, bool won);

    constructor() payable {
        master = msg.sender;
        hoard = msg.value;
    }

    modifier onlyHero() {
        require(heroes[msg.sender].alive, "no hero");
        _;
    }

    function enter() external payable {
        require(msg.value == ENTRY, "entry");
        require(!heroes[msg.sender].alive, "already inside");
        heroes[msg.sender] = Hero(10, 0, 0, 0, true);
        hoard += msg.value;
        emit Entered(msg.sender);
    }

    function train() external payable onlyHero {
        require(msg.value == LESSON, "lesson");
        Hero storage hero = heroes[msg.sender];
        require(hero.strength < MAX_STRENGTH, "strong enough");
        hero.strength += 10;
        masterShare += msg.value;
        emit Trained(msg.sender, hero.strength);
    }

    function fight() external payable onlyHero {
        require(msg.value == STRIKE, "stake");
        Hero storage hero = heroes[msg.sender];
        require(block.timestamp >= hero.restUntil, "resting");
        hero.fights += 1;
        hoard += msg.value;
        uint256 roll = uint256(
            keccak256(abi.encode(blockhash(block.number - 1), block.prevrandao, msg.sender, hero.fights))
        ) % 100;
        bool won = roll < hero.strength;
        emit Fought(msg.sender, roll, won);
        if (won) {
            uint256 loot = hoard / 4;
            hoard -= loot;
            hero.wins += 1;
            hero.strength = 10;
            (bool ok,) = msg.sender.call{value: loot}(""); //~ ERROR block-number
            require(ok, "not accepted");
        } else if (hero.strength > 10) {
            hero.strength -= 10;
            hero.restUntil = uint64(block.timestamp + 10 minutes);
        }
    }

    function leave() external onlyHero {
        delete heroes[msg.sender];
    }

    function collectShare() external {
        require(msg.sender == master, "not the master");
        uint256 amount = masterShare;
        masterShare = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }
}
