// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Champions of the arena. Training costs ether and makes them stronger.
abstract contract Champions {
    struct Champion {
        address owner;
        uint32 strength;
        uint32 duels;
        uint32 victories;
    }

    uint256 public constant LESSON = 0.0005 ether;
    uint32 public constant STRONGEST = 20;

    Champion[] public champions;
    uint256 public schoolMoney;

    event Born(uint256 indexed champion, address indexed owner);
    event Trained(uint256 indexed champion, uint256 strength);

    modifier ownerOf(uint256 champion) {
        require(champion < champions.length && champions[champion].owner == msg.sender, "not your champion");
        _;
    }

    function raise() external returns (uint256 champion) {
        champion = champions.length;
        champions.push(Champion(msg.sender, 10, 0, 0));
        emit Born(champion, msg.sender);
    }

    function train(uint256 champion) external payable ownerOf(champion) {
        require(msg.value == LESSON, "lesson");
        require(champions[champion].strength < STRONGEST, "as strong as it gets");
        champions[champion].strength++;
        schoolMoney += LESSON;
        emit Trained(champion, champions[champion].strength);
    }
}

/// @title Arena for duels with a stake
/// @notice One champion challenges, another one answers with the same stake, and they fight at once.
contract Arena is Champions {
    address payable public immutable lanista;
    uint256 public constant CUT = 20;

    struct Challenge {
        uint128 champion;
        uint128 stake;
    }

    Challenge[] public challenges;
    uint256 public fights;

    event Challenged(uint256 indexed challenge, uint256 indexed champion, uint256 stake);
    event CalledOff(uint256 indexed challenge);
    event Fought(uint256 indexed challenge, uint256 indexed winner, uint256 indexed loser, uint256 prize);

    constructor() {
        lanista = payable(msg.sender);
    }

    function challenge(uint256 champion) external payable ownerOf(champion) returns (uint256 id) {
        require(msg.value >= 1 gwei && msg.value <= 10 ether, "stake");
        id = challenges.length;
        challenges.push(Challenge(uint128(champion), uint128(msg.value)));
        emit Challenged(id, champion, msg.value);
    }

    function callOff(uint256 id) external {
        Challenge memory open = challenges[id];
        require(open.stake > 0, "not open");
        require(champions[open.champion].owner == msg.sender, "not your champion");
        delete challenges[id];
        emit CalledOff(id);
        payable(msg.sender).transfer(open.stake);
    }

    function answer(uint256 id, uint256 champion) external payable ownerOf(champion) {
        Challenge memory open = challenges[id];
        require(open.stake > 0 && msg.value == open.stake, "stake");
        require(open.champion != champion, "itself");
        delete challenges[id];

        Champion storage first = champions[open.champion];
        Champion storage second = champions[champion];
        uint256 luck = uint256(keccak256(abi.encodePacked(blockhash(block.number - 1), fights++, id)));
        bool firstWins = luck % (first.strength + second.strength) < first.strength;
        (uint256 winner, uint256 loser) = firstWins ? (open.champion, champion) : (champion, uint256(open.champion));
        champions[winner].victories++;
        first.duels++;
        second.duels++;

        uint256 prize = 2 * uint256(open.stake);
        uint256 cut = prize / CUT;
        schoolMoney += cut;
        emit Fought(id, winner, loser, prize - cut);
        payable(champions[winner].owner).transfer(prize - cut); //~ ERROR block-number
    }

    function collect() external {
        require(msg.sender == lanista, "lanista only");
        uint256 amount = schoolMoney;
        schoolMoney = 0;
        lanista.transfer(amount);
    }
}
