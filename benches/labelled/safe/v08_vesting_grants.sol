// By design: block.timestamp drives a vesting of months or years.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract VestingGrants {
    struct Grant {
        address beneficiary;
        uint64 start;
        uint64 cliff;
        uint64 duration;
        bool revocable;
        bool revoked;
        uint256 total;
        uint256 released;
    }

    address public immutable owner;
    Grant[] public grants;

    event Granted(uint256 indexed id, address indexed beneficiary, uint256 amount);
    event Released(uint256 indexed id, uint256 amount);
    event Revoked(uint256 indexed id, uint256 returned);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    function grant(address beneficiary, uint64 cliff, uint64 duration, bool revocable)
        external
        payable
        onlyOwner
        returns (uint256 id)
    {
        require(beneficiary != address(0) && msg.value > 0, "grant");
        require(duration >= 30 days && duration <= 3650 days && cliff <= duration, "times");
        id = grants.length;
        uint64 start = uint64(block.timestamp);
        grants.push(Grant(beneficiary, start, start + cliff, duration, revocable, false, msg.value, 0));
        emit Granted(id, beneficiary, msg.value);
    }

    function vested(uint256 id) public view returns (uint256) {
        Grant storage g = grants[id];
        if (g.revoked) return g.total;
        if (block.timestamp < g.cliff) return 0;
        uint256 elapsed = block.timestamp - g.start;
        return elapsed >= g.duration ? g.total : g.total * elapsed / g.duration;
    }

    /// anybody may push it, the money goes to the beneficiary
    function release(uint256 id) external {
        Grant storage g = grants[id];
        uint256 amount = vested(id) - g.released;
        require(amount > 0, "nothing vested");
        g.released += amount;
        (bool ok,) = g.beneficiary.call{value: amount}("");
        require(ok, "payment failed");
        emit Released(id, amount);
    }

    function revoke(uint256 id) external onlyOwner {
        Grant storage g = grants[id];
        require(g.revocable && !g.revoked, "not revocable");
        uint256 kept = vested(id);
        uint256 back = g.total - kept;
        g.total = kept;
        g.revoked = true;
        (bool ok,) = owner.call{value: back}("");
        require(ok, "payment failed");
        emit Revoked(id, back);
    }

    function changeBeneficiary(uint256 id, address to) external {
        Grant storage g = grants[id];
        require(msg.sender == g.beneficiary && to != address(0), "beneficiary only");
        g.beneficiary = to;
    }
}
