// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract LimitedFeed {
    address public immutable hub;
    uint256 public value;
    uint256 public updates;

    constructor(uint64 initialValue) {
        hub = msg.sender;
        value = initialValue;
    }

    function push(uint64 newValue) external {
        require(msg.sender == hub, "hub only");
        require(newValue > value, "not newer");
        value = newValue;
        updates += 1;
    }
}

contract CountingHub {
    struct Report {
        address by;
        uint64 value;
        bool delivered;
    }

    LimitedFeed public immutable feed;
    address public immutable keeper;
    uint256 public delivered;
    uint256 public failed;
    Report[] private reports;
    mapping(address => bool) public muted;

    event Delivered(uint256 indexed id, uint64 value);
    event Failed(uint256 indexed id, uint64 value, bytes reason);

    constructor(uint64 initialValue) {
        keeper = msg.sender;
        feed = new LimitedFeed(initialValue);
    }

    function report(uint64 newValue) external returns (uint256 id) {
        require(!muted[msg.sender], "muted");
        id = reports.length;
        (bool ok, bytes memory reason) = address(feed).call(abi.encodeWithSelector(LimitedFeed.push.selector, newValue));
        reports.push(Report(msg.sender, newValue, ok));
        if (ok) {
            delivered += 1;
            emit Delivered(id, newValue);
        } else {
            failed += 1;
            emit Failed(id, newValue, reason);
        }
    }

    function reportStrictly(uint64 newValue) external {
        require(!muted[msg.sender], "muted");
        (bool ok, ) = address(feed).call(abi.encodeWithSelector(LimitedFeed.push.selector, newValue));
        require(ok, "not taken");
        delivered += 1;
    }

    function reportKindly(uint64 newValue) external returns (bool) {
        require(!muted[msg.sender], "muted");
        try feed.push(newValue) {
            delivered += 1;
            return true;
        } catch {
            failed += 1;
            return false;
        }
    }

    function setMuted(address who, bool value) external {
        require(msg.sender == keeper, "keeper only");
        muted[who] = value;
    }

    function reportCount() external view returns (uint256) {
        return reports.length;
    }
}
