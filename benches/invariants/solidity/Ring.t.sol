// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";

/// @notice A ring of eight places. Defect: when it is full it looks empty.
contract Ring {
    uint256 private constant PLACES = 8;

    uint256[PLACES] private _values;
    uint256 private _head;
    uint256 private _tail;
    uint256 public put_;
    uint256 public taken;

    function put(uint256 value) external {
        _values[_tail] = value;
        _tail = (_tail + 1) % PLACES;
        put_ += 1;
    }

    function take() external returns (uint256 value) {
        require(_head != _tail, "Ring: empty");
        value = _values[_head];
        _head = (_head + 1) % PLACES;
        taken += 1;
    }

    function clear() external {
        _head = _tail;
        taken = put_;
    }

    function size() external view returns (uint256) {
        return (_tail + PLACES - _head) % PLACES;
    }
}

/// @notice Broken by eight more values put than taken, with no `clear` between.
contract RingTest is Base {
    Ring internal ring;

    function setUp() public {
        ring = new Ring();
    }

    function invariant_sizeIsPutLessTaken() public view { //~ ERROR property
        assertEq(ring.size(), ring.put_() - ring.taken());
    }
}
