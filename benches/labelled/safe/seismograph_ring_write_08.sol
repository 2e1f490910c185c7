// Sound: the slots that assembly writes are taken modulo the length of the ring, or bounded by a check, so that a caller reaches no slot but those of their own ring.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Rings of the last tremors that seismographs have felt
contract SeismographRings {
    uint256 public constant LENGTH = 32;
    uint256 public constant BOND = 5 gwei;

    struct Instrument {
        address keeper;
        uint96 bond;
        uint256 written;
        uint256[32] ring;
    }

    mapping(uint256 => Instrument) private instruments;
    uint256 public instrumentCount;

    event Installed(uint256 indexed id, address indexed keeper);
    event Felt(uint256 indexed id, uint256 index, uint256 strength);
    event Amended(uint256 indexed id, uint256 index, uint256 strength);
    event Removed(uint256 indexed id);

    modifier onlyKeeper(uint256 id) {
        require(instruments[id].keeper == msg.sender, "not your instrument");
        _;
    }

    function install() external payable returns (uint256 id) {
        require(msg.value == BOND, "the bond");
        id = ++instrumentCount;
        instruments[id].keeper = msg.sender;
        instruments[id].bond = uint96(msg.value);
        emit Installed(id, msg.sender);
    }

    function feel(uint256 id, uint128 strength) external onlyKeeper(id) {
        Instrument storage it = instruments[id];
        uint256 index = it.written;
        it.written = index + 1;
        uint256[32] storage ring = it.ring;
        assembly {
            sstore(add(ring.slot, mod(index, 32)), or(shl(128, timestamp()), strength))
        }
        emit Felt(id, index, strength);
    }

    /// @notice Corrects a value that is still in the ring.
    function amend(uint256 id, uint256 index, uint128 strength) external onlyKeeper(id) {
        Instrument storage it = instruments[id];
        require(index < it.written && it.written - index <= LENGTH, "not in the ring");
        uint256[32] storage ring = it.ring;
        assembly {
            let slot := add(ring.slot, mod(index, 32))
            sstore(slot, or(shl(128, shr(128, sload(slot))), strength))
        }
        emit Amended(id, index, strength);
    }

    /// @notice Writes a row of values at once, each at the place that the caller names.
    function restore(uint256 id, uint256[] calldata places, uint256[] calldata words) external onlyKeeper(id) {
        require(places.length == words.length, "lengths");
        require(instruments[id].written == 0, "in use already");
        uint256[32] storage ring = instruments[id].ring;
        for (uint256 i = 0; i < places.length; i++) {
            uint256 place = places[i];
            uint256 word = words[i];
            assembly {
                sstore(add(ring.slot, and(place, 31)), word)
            }
        }
        instruments[id].written = LENGTH;
    }

    function remove(uint256 id) external onlyKeeper(id) {
        uint256 bond = instruments[id].bond;
        delete instruments[id];
        (bool ok,) = msg.sender.call{value: bond}("");
        require(ok, "not accepted");
        emit Removed(id);
    }

    function at(uint256 id, uint256 index) external view returns (uint256 time, uint256 strength) {
        Instrument storage it = instruments[id];
        require(index < it.written && it.written - index <= LENGTH, "not in the ring");
        uint256 word = it.ring[index % LENGTH];
        return (word >> 128, uint128(word));
    }
}
