// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: claimFor(victim) clears the victim's claim but pays msg.sender; call it for every saver.
contract InheritancePool {
    struct Claim {
        uint256 amount;
        address benefactor;
    }

    mapping(address => Claim) public claims;

    event Assigned(address indexed heir, uint256 amount);
    event Claimed(address indexed heir, uint256 amount);

    function assign(address heir) external payable {
        require(heir != address(0), "heir");
        require(msg.value > 0, "empty");
        Claim storage c = claims[heir];
        c.amount += msg.value;
        if (c.benefactor == address(0)) c.benefactor = msg.sender;
        emit Assigned(heir, msg.value);
    }

    function claimFor(address heir) external {
        Claim memory c = claims[heir];
        require(c.amount > 0, "no claim");
        delete claims[heir];
        payable(msg.sender).transfer(c.amount); //~ ERROR ether-theft
        emit Claimed(heir, c.amount);
    }
}
