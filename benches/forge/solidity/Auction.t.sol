// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Asserting, Handler, Stateful, Stateless} from "./Test.sol";
import {Auction} from "src/auction/src/Auction.sol";
import {AuctionFixed} from "src/auction/src/AuctionFixed.sol";

contract AuctionStateless is Stateless {
    AuctionFixed private _target;

    function setUp() external {
        vm.prank(OWNER);
        _target = new AuctionFixed(payable(address(0xbeef)), 1 days);
    }

    function testFuzz_bid(uint8 sender, uint256 value) external {
        _call(address(_target), sender, value, abi.encodeCall(_target.bid, ()));
    }

    function testFuzz_withdraw(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.withdraw, ()));
    }

    function testFuzz_reclaim(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.reclaim, ()));
    }

    function testFuzz_settle(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.settle, ()));
    }
}

contract AuctionStateful is Stateful {
    function setUp() external {
        vm.prank(OWNER);
        _targets.push(address(new AuctionFixed(payable(address(0xbeef)), 1 days)));
    }

    function invariant_nothing() external view {}
}

contract AuctionHandler is Handler {
    AuctionFixed private immutable _target;

    constructor(AuctionFixed target) {
        _target = target;
    }

    function bid(uint256 value) external {
        _call(address(_target), value, abi.encodeCall(_target.bid, ()));
    }

    function withdraw() external {
        _call(address(_target), 0, abi.encodeCall(_target.withdraw, ()));
    }

    function reclaim() external {
        _call(address(_target), 0, abi.encodeCall(_target.reclaim, ()));
    }

    function settle() external {
        _call(address(_target), 0, abi.encodeCall(_target.settle, ()));
    }
}

contract AuctionHandled is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new AuctionHandler(new AuctionFixed(payable(address(0xbeef)), 1 days));
        _targets.push(address(_handler));
    }
}

contract AuctionPlanted is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new AuctionHandler(AuctionFixed(address(new Auction(payable(address(0xbeef)), 1 days))));
        _targets.push(address(_handler));
    }
}
