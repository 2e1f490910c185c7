// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Tells how much of an amount is due after a part of the time.
library Schedule {
    function due(uint256 amount, uint256 start, uint256 cliff, uint256 duration, uint256 time)
        internal
        pure
        returns (uint256)
    {
        require(duration > 0, "no duration");
        if (time < start + cliff) return 0;
        uint256 passed = time - start;
        return passed >= duration ? amount : amount * passed / duration;
    }
}

/// Vesting of ether with a cliff. The sponsor may revoke what is not vested yet, if that was agreed.
contract PayStream {
    struct Grant {
        address sponsor;
        address holder;
        uint256 amount;
        uint256 taken;
        uint256 start;
        uint256 cliff;
        uint256 duration;
        bool revocable;
        bool revoked;
    }

    uint256 public grantCount;
    mapping(uint256 => Grant) private grants;
    mapping(address => uint256) public refundOf;

    event Granted(uint256 indexed id, address indexed sponsor, address indexed holder, uint256 amount);
    event Taken(uint256 indexed id, uint256 amount);
    event Revoked(uint256 indexed id, uint256 refund);
    event HandedOver(uint256 indexed id, address indexed holder);

    function grantOf(uint256 id) external view returns (Grant memory) {
        return grants[id];
    }

    function grant(address holder, uint256 cliff, uint256 duration, bool revocable)
        external
        payable
        returns (uint256 id)
    {
        require(holder != address(0), "no holder");
        require(msg.value > 0 && msg.value <= type(uint128).max, "bad amount");
        require(duration > 0 && duration <= 3650 days && cliff <= duration, "bad schedule");
        id = grantCount++;
        grants[id] = Grant(msg.sender, holder, msg.value, 0, block.timestamp, cliff, duration, revocable, false);
        emit Granted(id, msg.sender, holder, msg.value);
    }

    function vested(uint256 id) public view returns (uint256) {
        Grant storage g = grants[id];
        require(g.holder != address(0), "no such grant");
        if (g.revoked) return g.amount;
        return Schedule.due(g.amount, g.start, g.cliff, g.duration, block.timestamp);
    }

    function take(uint256 id, address payable to) external {
        Grant storage g = grants[id];
        require(g.holder == msg.sender, "not the holder");
        require(to != address(0), "no receiver");
        uint256 amount = vested(id) - g.taken;
        require(amount > 0, "nothing due");
        g.taken += amount;
        emit Taken(id, amount);
        (bool success,) = to.call{value: amount}("");
        require(success, "payment refused");
    }

    function handOver(uint256 id, address holder) external {
        require(grants[id].holder == msg.sender, "not the holder");
        require(holder != address(0), "no holder");
        grants[id].holder = holder;
        emit HandedOver(id, holder);
    }

    /// What is vested by now stays with the holder, the rest goes back.
    function revoke(uint256 id) external {
        Grant storage g = grants[id];
        require(g.sponsor == msg.sender, "not the sponsor");
        require(g.revocable && !g.revoked, "not revocable");
        uint256 kept = vested(id);
        uint256 refund = g.amount - kept;
        g.amount = kept;
        g.revoked = true;
        refundOf[msg.sender] += refund;
        emit Revoked(id, refund);
    }

    function fetchRefund() external {
        uint256 amount = refundOf[msg.sender];
        refundOf[msg.sender] = 0;
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }
}
