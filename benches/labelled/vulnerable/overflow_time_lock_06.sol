// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: the beneficiary of a locked grant calls extend(2**256 - unlockAt); the sum wraps to 0 and release() pays a year too early.
contract GrantLock {
    struct Grant {
        uint256 amount;
        uint256 unlockAt;
    }

    mapping(address => Grant) public grants;

    event Granted(address indexed who, uint256 amount);
    event Released(address indexed who, uint256 amount);

    function grant(address who) external payable {
        require(msg.value > 0, "empty");
        require(grants[who].amount == 0, "exists");
        grants[who] = Grant(msg.value, block.timestamp + 365 days);
        emit Granted(who, msg.value);
    }

    function extend(uint256 secs) external {
        require(grants[msg.sender].amount > 0, "no grant");
        grants[msg.sender].unlockAt += secs; //~ ERROR overflow
    }

    function release() external {
        Grant memory g = grants[msg.sender];
        require(g.amount > 0, "no grant");
        require(block.timestamp >= g.unlockAt, "locked");
        delete grants[msg.sender];
        msg.sender.transfer(g.amount);
        emit Released(msg.sender, g.amount);
    }
}
