// By design: block.timestamp is cut to 40 bits for storage (good for 34000 years).
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// points (96) | lastSeen (40) | level (8) | flags (8) in one slot
contract PackedRecords {
    uint256 private constant POINTS_MASK = (1 << 96) - 1;
    uint256 private constant SEEN_SHIFT = 96;
    uint256 private constant SEEN_MASK = ((1 << 40) - 1) << SEEN_SHIFT;
    uint256 private constant LEVEL_SHIFT = 136;
    uint256 private constant LEVEL_MASK = 0xff << LEVEL_SHIFT;
    uint256 private constant FLAGS_SHIFT = 144;

    uint8 public constant FLAG_MEMBER = 1;
    uint8 public constant FLAG_BANNED = 2;

    address public immutable admin;
    mapping(address => uint256) private records;

    event Seen(address indexed who, uint256 points);

    constructor() {
        admin = msg.sender;
    }

    function join() external {
        uint256 r = records[msg.sender];
        require(!_flag(r, FLAG_MEMBER), "member");
        records[msg.sender] = r | (uint256(FLAG_MEMBER) << FLAGS_SHIFT);
    }

    /// one point for each day one shows up
    function checkIn() external {
        uint256 r = records[msg.sender];
        require(_flag(r, FLAG_MEMBER) && !_flag(r, FLAG_BANNED), "not allowed");
        uint256 last = (r & SEEN_MASK) >> SEEN_SHIFT;
        require(block.timestamp >= last + 1 days, "once a day");

        uint256 points = r & POINTS_MASK;
        require(points < POINTS_MASK, "full");
        unchecked {
            points += 1;
        }
        r = (r & ~POINTS_MASK) | points;
        r = (r & ~SEEN_MASK) | (uint256(uint40(block.timestamp)) << SEEN_SHIFT);
        records[msg.sender] = r;
        emit Seen(msg.sender, points);
    }

    function levelUp() external {
        uint256 r = records[msg.sender];
        uint256 level = (r & LEVEL_MASK) >> LEVEL_SHIFT;
        require(level < 255, "top level");
        uint256 price = 10 * (level + 1);
        uint256 points = r & POINTS_MASK;
        require(points >= price, "points");
        r = (r & ~POINTS_MASK) | (points - price);
        records[msg.sender] = (r & ~LEVEL_MASK) | ((level + 1) << LEVEL_SHIFT);
    }

    function setBanned(address who, bool banned) external {
        require(msg.sender == admin, "admin only");
        uint256 bit = uint256(FLAG_BANNED) << FLAGS_SHIFT;
        records[who] = banned ? records[who] | bit : records[who] & ~bit;
    }

    function recordOf(address who)
        external
        view
        returns (uint96 points, uint40 lastSeen, uint8 level, uint8 flags)
    {
        uint256 r = records[who];
        points = uint96(r);
        lastSeen = uint40(r >> SEEN_SHIFT);
        level = uint8(r >> LEVEL_SHIFT);
        flags = uint8(r >> FLAGS_SHIFT);
    }

    function _flag(uint256 r, uint8 flag) private pure returns (bool) {
        return uint8(r >> FLAGS_SHIFT) & flag != 0;
    }
}
