// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base, UsesVm} from "./Base.sol";

/// @notice A month for ten tokens. It can be renewed on its last day, and what is left is paid back when it is
///         cancelled. Defect: a renewed one is paid back from the day on which it began first.
contract Subscription {
    uint256 public constant PRICE = 300;
    uint256 public constant MONTH = 30 days;

    uint256 public start;
    uint256 public end;
    uint256 public balance;
    bool public overdrawn;

    function subscribe() external {
        require(block.timestamp >= end, "Subscription: there is one");
        (start, end) = (block.timestamp, block.timestamp + MONTH);
        balance = PRICE;
    }

    function renew() external {
        require(block.timestamp < end && end - block.timestamp <= 1 days, "Subscription: not the last day");
        end += MONTH;
        balance += PRICE;
        // Used up so far.
        uint256 used = (PRICE * (block.timestamp - start)) / MONTH;
        balance -= used > balance ? balance : used;
    }

    function cancel() external {
        require(block.timestamp < end, "Subscription: none");
        uint256 left = (PRICE * (end - block.timestamp)) / MONTH;
        if (left > balance) overdrawn = true;
        balance = 0;
        end = block.timestamp;
    }
}

contract SubscriptionHandler is UsesVm {
    Subscription public immutable subscription = new Subscription();

    function subscribe() external {
        subscription.subscribe();
    }

    function renew() external {
        subscription.renew();
    }

    function cancel() external {
        subscription.cancel();
    }

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1 hours, 40 days));
    }
}

/// @notice Broken by a subscription that is renewed on its last day, two times, and cancelled.
contract SubscriptionTest is Base {
    SubscriptionHandler internal handler;

    function setUp() public {
        handler = new SubscriptionHandler();
        targetContract(address(handler));
    }

    function invariant_paysBackWhatThereIs() public view { //~ ERROR property
        assertTrue(!handler.subscription().overdrawn());
    }
}
