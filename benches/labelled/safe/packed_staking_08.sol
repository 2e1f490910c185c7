// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Staked ether earns points with time. A position takes one slot.
contract PackedStaking {
    struct Position {
        uint128 amount;
        uint64 since;
        uint64 points;
    }

    uint256 public constant MAX_STAKE = 1_000_000 ether;

    mapping(address => Position) private positions;
    mapping(address => uint256) public badges;
    uint128 public total;

    event Staked(address indexed who, uint256 amount);
    event Unstaked(address indexed who, uint256 amount);
    event BadgeBought(address indexed who, uint256 points);

    function stake() external payable {
        require(msg.value > 0 && msg.value <= MAX_STAKE, "wrong amount");
        Position storage position = positions[msg.sender];
        _accrue(position);
        position.amount += uint128(msg.value);
        total += uint128(msg.value);
        emit Staked(msg.sender, msg.value);
    }

    function unstake(uint256 amount) external {
        Position storage position = positions[msg.sender];
        require(amount > 0 && amount <= position.amount, "not that much");
        _accrue(position);
        unchecked {
            position.amount -= uint128(amount);
            total -= uint128(amount);
        }
        emit Unstaked(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function buyBadge(uint64 points) external {
        Position storage position = positions[msg.sender];
        _accrue(position);
        require(points >= 100 && points <= position.points, "not enough points");
        unchecked {
            position.points -= points;
            badges[msg.sender]++;
        }
        emit BadgeBought(msg.sender, points);
    }

    function positionOf(address who) external view returns (Position memory) {
        return positions[who];
    }

    /// One point for each gwei and day, as many as fit.
    function _accrue(Position storage position) private {
        uint256 earned;
        unchecked {
            earned = (uint256(position.amount) * (block.timestamp - position.since)) / (1 gwei * 1 days);
        }
        uint256 sum = _min(position.points + earned, type(uint64).max);
        position.points = uint64(sum);
        position.since = uint64(block.timestamp);
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256 c) {
        assembly {
            c := xor(a, mul(xor(a, b), lt(b, a)))
        }
    }
}
