// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";

/// @notice A checklist before a launch: five checks in order, of eight that there are. Anything else begins it anew.
contract Launch {
    uint256 public checked;
    bool public aborted;
    bool public launched;

    function fuel() external {
        _check(0);
    }

    function seal() external {
        _check(1);
    }

    function pressurise() external {
        _check(2);
    }

    function arm() external {
        _check(3);
    }

    function ignite() external {
        _check(4);
        // Defect: nobody asks whether the launch was aborted.
        if (checked == 5) launched = true;
    }

    function abort() external {
        aborted = true;
        checked = 0;
    }

    function drain() external {
        checked = 0;
    }

    function inspect() external {
        if (checked == 1) checked = 0;
    }

    function _check(uint256 number) private {
        checked = checked == number ? number + 1 : 0;
    }
}

/// @notice Broken by `abort` and the five checks in order.
contract LaunchTest is Base {
    Launch internal launch;

    function setUp() public {
        launch = new Launch();
    }

    function invariant_noLaunchAfterAbort() public view { //~ ERROR property
        assertTrue(!(launch.launched() && launch.aborted()));
    }
}
