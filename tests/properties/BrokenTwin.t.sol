// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";

/// @notice There is another contract of this name in `Broken.t.sol`.
contract SameName is Base {
    function test_there() public pure { //~ ERROR property
        assertTrue(false, "in BrokenTwin.t.sol");
    }

    function test_inBoth() public pure {
        assertTrue(true);
    }
}
