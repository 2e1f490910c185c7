// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Asserting, Handler, Stateful, Stateless} from "./Test.sol";
import {Channel} from "src/channel/src/Channel.sol";
import {ChannelFixed} from "src/channel/src/ChannelFixed.sol";

contract ChannelStateless is Stateless {
    ChannelFixed private _target;

    function setUp() external {
        vm.prank(OWNER);
        _target = new ChannelFixed();
    }

    function testFuzz_open(uint8 sender, address payee, uint256 lifetime, uint256 value) external {
        _call(address(_target), sender, value, abi.encodeCall(_target.open, (payee, lifetime)));
    }

    function testFuzz_pledge(uint8 sender, uint256 id, uint256 total) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.pledge, (id, total)));
    }

    function testFuzz_claim(uint8 sender, uint256 id) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.claim, (id)));
    }

    function testFuzz_close(uint8 sender, uint256 id) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.close, (id)));
    }
}

contract ChannelStateful is Stateful {
    function setUp() external {
        vm.prank(OWNER);
        _targets.push(address(new ChannelFixed()));
    }

    function invariant_nothing() external view {}
}

contract ChannelHandler is Handler {
    ChannelFixed private immutable _target;

    constructor(ChannelFixed target) {
        _target = target;
    }

    function open(address payee, uint256 lifetime, uint256 value) external {
        _call(address(_target), value, abi.encodeCall(_target.open, (payee, lifetime)));
    }

    function pledge(uint256 id, uint256 total) external {
        _call(address(_target), 0, abi.encodeCall(_target.pledge, (id, total)));
    }

    function claim(uint256 id) external {
        _call(address(_target), 0, abi.encodeCall(_target.claim, (id)));
    }

    function close(uint256 id) external {
        _call(address(_target), 0, abi.encodeCall(_target.close, (id)));
    }
}

contract ChannelHandled is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new ChannelHandler(new ChannelFixed());
        _targets.push(address(_handler));
    }
}

contract ChannelPlanted is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new ChannelHandler(ChannelFixed(address(new Channel())));
        _targets.push(address(_handler));
    }
}
