// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Asserting, Handler, Stateful, Stateless} from "./Test.sol";
import {Vesting} from "src/vesting/contracts/Vesting.sol";
import {VestingFixed} from "src/vesting/contracts/VestingFixed.sol";

contract VestingStateless is Stateless {
    VestingFixed private _target;

    function setUp() external {
        vm.prank(OWNER);
        _target = new VestingFixed(payable(address(0xbeef)), 30 days);
    }

    function testFuzz_fund(uint8 sender, uint256 value) external {
        _call(address(_target), sender, value, abi.encodeCall(_target.fund, ()));
    }

    function testFuzz_release(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.release, ()));
    }

    function testFuzz_revoke(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.revoke, ()));
    }

    function testFuzz_releasable(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.releasable, ()));
    }
}

contract VestingStateful is Stateful {
    function setUp() external {
        vm.prank(OWNER);
        _targets.push(address(new VestingFixed(payable(address(0xbeef)), 30 days)));
    }

    function invariant_nothing() external view {}
}

contract VestingHandler is Handler {
    VestingFixed private immutable _target;

    constructor(VestingFixed target) {
        _target = target;
    }

    function fund(uint256 value) external {
        _call(address(_target), value, abi.encodeCall(_target.fund, ()));
    }

    function release() external {
        _call(address(_target), 0, abi.encodeCall(_target.release, ()));
    }

    function revoke() external {
        _call(address(_target), 0, abi.encodeCall(_target.revoke, ()));
    }

    function releasable() external {
        _call(address(_target), 0, abi.encodeCall(_target.releasable, ()));
    }
}

contract VestingHandled is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new VestingHandler(new VestingFixed(payable(address(0xbeef)), 30 days));
        _targets.push(address(_handler));
    }
}

contract VestingPlanted is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new VestingHandler(VestingFixed(address(new Vesting(payable(address(0xbeef)), 30 days))));
        _targets.push(address(_handler));
    }
}
