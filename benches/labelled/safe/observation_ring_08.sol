// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Scores of a game: the latest ones in a ring, the best ones in a list, and who played.
contract ObservationRing {
    uint256 private constant SIZE = 64;

    address public owner = msg.sender;
    uint256 public cursor;
    uint256[SIZE] private ring;
    uint256[] private best;
    mapping(uint256 => uint256) private playedBits;

    event Observed(uint256 indexed place, uint256 value);
    event Listed(uint256 indexed index, uint256 value);
    event Played(uint256 indexed season);

    /// Any number is a place, since places are counted modulo the size of the ring.
    function observeAt(uint256 place, uint256 value) public {
        assembly {
            let slot := add(ring.slot, mod(place, SIZE))
            sstore(slot, value)
        }
        emit Observed(place % SIZE, value);
    }

    function observe(uint256 value) external {
        observeAt(cursor, value);
        cursor++;
    }

    function observation(uint256 place) external view returns (uint256 value) {
        assembly {
            value := sload(add(ring.slot, and(place, 63)))
        }
    }

    function list(uint256 value) external {
        require(best.length < 1000, "full");
        best.push(value);
        emit Listed(best.length - 1, value);
    }

    function amend(uint256 index, uint256 value) external {
        uint256 length = best.length;
        require(index < length, "no such entry");
        assembly {
            mstore(0, best.slot)
            sstore(add(keccak256(0, 32), index), value)
        }
        emit Listed(index, value);
    }

    function bestAt(uint256 index) external view returns (uint256) {
        return best[index];
    }

    /// Sets one bit for the season, in a word that the hash of its number leads to.
    function play(uint256 season) external {
        assembly {
            mstore(0x00, shr(8, season))
            mstore(0x20, playedBits.slot)
            let slot := keccak256(0x00, 0x40)
            sstore(slot, or(sload(slot), shl(and(season, 0xff), 1)))
        }
        emit Played(season);
    }

    function played(uint256 season) external view returns (bool) {
        return (playedBits[season >> 8] >> (season & 0xff)) & 1 == 1;
    }
}
