// Sound: the 32-bit clock and the running sum are meant to wrap around, and only differences of two observations are used, which come out right all the same; the divisor is never zero.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Mean sea level from a tide gauge
/// @notice The gauge reports the level; the mean between two observations is the
///         difference of their running sums, divided by the time between them.
contract TideGauge {
    struct Observation {
        uint32 time;
        uint224 sum;
    }

    uint256 public constant SLOTS = 64;

    address public immutable gauge;
    Observation[64] public observations;
    uint256 public count;
    uint32 public level;

    event Reported(uint256 indexed index, uint32 level);

    constructor(address gauge_, uint32 firstLevel) {
        gauge = gauge_;
        level = firstLevel;
        observations[0] = Observation(_clock(), 0);
        count = 1;
    }

    /// @notice Reports a new level, in millimetres above the chart datum.
    function report(uint32 newLevel) external {
        require(msg.sender == gauge, "not the gauge");
        Observation memory last = observations[(count - 1) % SLOTS];
        uint32 nowTime = _clock();
        uint32 elapsed;
        uint224 sum;
        unchecked {
            elapsed = nowTime - last.time; // overflow is desired
            sum = last.sum + uint224(elapsed) * level; // overflow is desired
        }
        if (elapsed == 0) {
            // a second report in the same block only replaces the level
            level = newLevel;
            emit Reported(count - 1, newLevel);
            return;
        }
        observations[count % SLOTS] = Observation(nowTime, sum);
        count += 1;
        level = newLevel;
        emit Reported(count - 1, newLevel);
    }

    /// @notice The mean level since the observation `back` reports ago.
    function mean(uint256 back) external view returns (uint256) {
        require(back < count && back < SLOTS, "not kept");
        Observation memory from = observations[(count - 1 - back) % SLOTS];
        Observation memory last = observations[(count - 1) % SLOTS];
        uint32 nowTime = _clock();
        unchecked {
            uint224 sumNow = last.sum + uint224(nowTime - last.time) * level; // overflow is desired
            uint32 elapsed = nowTime - from.time; // overflow is desired
            if (elapsed == 0) return level;
            return uint256(sumNow - from.sum) / elapsed; // overflow is desired
        }
    }

    /// @notice The mean between two observations that are both kept.
    function meanBetween(uint256 first, uint256 second) external view returns (uint256) {
        require(first < second && second < count, "order");
        require(count - first <= SLOTS, "not kept");
        Observation memory a = observations[first % SLOTS];
        Observation memory b = observations[second % SLOTS];
        unchecked {
            uint32 elapsed = b.time - a.time; // overflow is desired
            if (elapsed == 0) return level;
            return uint256(b.sum - a.sum) / elapsed; // overflow is desired
        }
    }

    /// @dev The clock has 32 bits and starts again at zero in 2106.
    function _clock() private view returns (uint32) {
        return uint32(block.timestamp % 2 ** 32);
    }
}
