// By design: signed changes are added by two's complement in unchecked, the comparison after it is the guard.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract SignedLedger {
    mapping(address => uint256) public positionOf;
    uint256 public total;

    event Adjusted(address indexed who, int128 delta, uint256 position);

    error Underflow();
    error WrongValue();
    error PaymentFailed();

    /// delta > 0 pays in, delta < 0 takes out
    function adjust(int128 delta) external payable {
        uint256 position = addDelta(positionOf[msg.sender], delta);
        positionOf[msg.sender] = position;
        total = addDelta(total, delta);
        emit Adjusted(msg.sender, delta, position);

        if (delta >= 0) {
            if (msg.value != uint256(uint128(delta))) revert WrongValue();
        } else {
            if (msg.value != 0) revert WrongValue();
            // widened first: type(int128).min has no positive twin in 128 bits
            (bool ok,) = msg.sender.call{value: uint256(-int256(delta))}("");
            if (!ok) revert PaymentFailed();
        }
    }

    /// several small changes of one's own, netted first
    function net(int64[] calldata deltas) external pure returns (int256 sum) {
        for (uint256 i; i < deltas.length; ++i) {
            sum += deltas[i];
        }
    }

    function addDelta(uint256 x, int128 delta) public pure returns (uint256 y) {
        unchecked {
            y = x + uint256(int256(delta));
        }
        if (delta < 0) {
            if (y >= x) revert Underflow();
        } else {
            if (y < x) revert Underflow();
        }
    }

    function abs(int256 x) public pure returns (uint256) {
        unchecked {
            // right for type(int256).min too
            return x < 0 ? uint256(0) - uint256(x) : uint256(x);
        }
    }

    function spread(address a, address b) external view returns (uint256) {
        uint256 x = positionOf[a];
        uint256 y = positionOf[b];
        if (x > uint256(type(int256).max) || y > uint256(type(int256).max)) revert Underflow();
        return abs(int256(x) - int256(y));
    }
}
