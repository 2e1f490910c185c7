// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: play(), then claimStarter(): the desk passes level 0 while the badge contract demands 1..5, so it always reverts.
contract BadgeBook {
    address public immutable desk;
    mapping(address => uint8) public levelOf;

    constructor() {
        desk = msg.sender;
    }

    function grant(address who, uint8 level) external {
        require(msg.sender == desk, "desk only");
        require(level >= 1 && level <= 5, "bad level");
        levelOf[who] = level;
    }
}

contract BadgeDesk {
    uint8 private constant STARTER = 0;
    uint8 private constant EXPERT = 5;

    BadgeBook public immutable book;
    mapping(address => uint256) public points;

    constructor() {
        book = new BadgeBook();
    }

    function play() external {
        points[msg.sender] += 1;
    }

    function claimStarter() external {
        require(points[msg.sender] >= 1, "play first");
        book.grant(msg.sender, STARTER); //~ ERROR requirement
    }

    function claimExpert() external {
        require(points[msg.sender] >= 3, "play more");
        points[msg.sender] = 0;
        book.grant(msg.sender, EXPERT);
    }
}
