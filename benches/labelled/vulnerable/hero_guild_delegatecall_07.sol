// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Heroes of a browser game. Skills are contracts of their own.
contract HeroGuild {
    struct Hero {
        bytes32 name;
        uint16 level;
        uint32 stamina;
        uint64 trainedAt;
    }

    address public guildMaster;
    bool public maintenance;
    mapping(address => Hero) public heroes;
    mapping(address => uint256) public skillsUsed;

    event Recruited(address indexed player, bytes32 name);
    event Trained(address indexed player, uint16 level);
    event SkillUsed(address indexed player, address skill);

    modifier onlyHero() {
        require(heroes[msg.sender].level > 0, "recruit a hero first");
        require(!maintenance, "under maintenance");
        _;
    }

    constructor() {
        guildMaster = msg.sender;
    }

    function recruit(bytes32 name) external {
        require(name != bytes32(0), "give it a name");
        require(heroes[msg.sender].level == 0, "you have a hero");
        heroes[msg.sender] = Hero(name, 1, 100, uint64(block.timestamp));
        emit Recruited(msg.sender, name);
    }

    function train() external onlyHero {
        Hero storage hero = heroes[msg.sender];
        require(hero.level < 50, "highest level");
        require(block.timestamp >= hero.trainedAt + 4 hours, "still tired");
        hero.level += 1;
        hero.trainedAt = uint64(block.timestamp);
        emit Trained(msg.sender, hero.level);
    }

    function useSkill(address skill, bytes calldata data) external onlyHero {
        Hero storage hero = heroes[msg.sender];
        require(hero.stamina >= 10, "no stamina left");
        hero.stamina -= 10;
        skillsUsed[msg.sender] += 1;
        (bool ok, ) = skill.delegatecall(data); //~ ERROR delegatecall
        require(ok, "the skill failed");
        emit SkillUsed(msg.sender, skill);
    }

    function rest() external onlyHero {
        heroes[msg.sender].stamina = 100;
    }

    function setMaintenance(bool value) external {
        require(msg.sender == guildMaster, "not the guild master");
        maintenance = value;
    }
}
