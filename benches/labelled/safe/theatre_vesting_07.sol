// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Retirement money of a theatre company. The theatre pays it in, and the
/// actors get it bit by bit over the years.
contract TheatreVesting {
    struct Grant {
        uint256 total;
        uint256 claimed;
        uint256 start;
        uint256 length;
    }

    address public immutable theatre;
    mapping(address => Grant) private grants;
    uint256 public held;

    event Granted(address indexed actor, uint256 total, uint256 length);
    event Claimed(address indexed actor, uint256 amount);
    event HandedOver(address indexed from, address indexed to);

    constructor() {
        theatre = msg.sender;
    }

    function grant(address actor, uint256 length) external payable {
        require(msg.sender == theatre, "only the theatre");
        require(actor != address(0), "no actor");
        require(msg.value > 0 && msg.value < 2**100, "no such amount");
        require(length >= 1 days && length <= 3650 days, "no such length");
        require(grants[actor].total == 0, "has a grant");
        grants[actor] = Grant(msg.value, 0, block.timestamp, length);
        held += msg.value;
        emit Granted(actor, msg.value, length);
    }

    function vestedOf(address actor) public view returns (uint256) {
        Grant storage g = grants[actor];
        if (g.total == 0) return 0;
        uint256 passed = block.timestamp - g.start;
        if (passed >= g.length) return g.total;
        return (g.total * passed) / g.length;
    }

    function claim() external {
        Grant storage g = grants[msg.sender];
        uint256 vested = vestedOf(msg.sender);
        require(vested > g.claimed, "nothing to claim");
        uint256 amount = vested - g.claimed;
        g.claimed = vested;
        assert(g.claimed <= g.total);
        held -= amount;
        msg.sender.transfer(amount);
        emit Claimed(msg.sender, amount);
    }

    /// Moves the whole grant to another account of the actor.
    function handOver(address to) external {
        Grant memory g = grants[msg.sender];
        require(g.total > 0, "no grant");
        require(to != address(0) && grants[to].total == 0, "has a grant");
        delete grants[msg.sender];
        grants[to] = g;
        emit HandedOver(msg.sender, to);
    }

    function grantOf(address actor) external view returns (uint256 total, uint256 claimed) {
        return (grants[actor].total, grants[actor].claimed);
    }
}
