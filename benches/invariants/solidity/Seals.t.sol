// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";

/// @notice Four seals with numbers of their own, in order.
contract Seals {
    uint256 public opened;
    uint256 public tries;

    function openFirst(uint256 number) external {
        tries += 1;
        if (number == 14_142_135_623) opened = 1;
    }

    function openSecond(uint256 number) external {
        tries += 1;
        if (opened == 1 && number == 0xC0FFEE0BAD) opened = 2;
    }

    function openThird(uint256 number) external {
        tries += 1;
        if (opened == 2 && number == 2_718_281_828_459) opened = 3;
    }

    function openFourth(uint256 number) external {
        tries += 1;
        if (opened == 3 && number == 3_141_592_653) opened = 4;
    }
}

/// @notice Broken by four calls with four numbers that stand in the code.
contract SealsTest is Base {
    Seals internal seals;

    function setUp() public {
        seals = new Seals();
    }

    function invariant_staysClosed() public view { //~ ERROR property
        assertTrue(seals.opened() < 4);
    }
}
