// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Players draw cards that attack, defend or heal.
contract CardDuel {
    address public dealer;
    uint256 public season = 1;
    address public champion;

    mapping(address => uint256) public points;
    mapping(address => uint256) public shield;
    mapping(address => uint256) public turns;

    event Played(address indexed player, uint256 card, uint256 emote, uint256 power);
    event SeasonClosed(uint256 season, address champion);

    constructor() {
        dealer = msg.sender;
    }

    function closeSeason(address winner) external {
        require(msg.sender == dealer, "not the dealer");
        crown(winner);
    }

    function play(uint256 card, uint256 power, uint256 emote) external {
        require(power > 0 && power <= 100, "power is 1 to 100");
        function(uint256) internal[3] memory cards;
        cards[0] = attack;
        cards[1] = defend;
        cards[2] = heal;
        uint256[2] memory shown = [emote, power];
        function(uint256) internal chosen;
        assembly {
            chosen := mload(add(cards, mul(card, 32)))
        }
        turns[msg.sender] += 1;
        chosen(power); //~ ERROR arbitrary-jump
        emit Played(msg.sender, card, shown[0], shown[1]);
    }

    function attack(uint256 power) internal {
        points[msg.sender] += power;
    }

    function defend(uint256 power) internal {
        shield[msg.sender] = power * 2;
    }

    function heal(uint256 power) internal {
        if (shield[msg.sender] < power) {
            shield[msg.sender] = power;
        }
        points[msg.sender] += 1;
    }

    function crown(address winner) internal {
        champion = winner;
        emit SeasonClosed(season, winner);
        season += 1;
    }
}
