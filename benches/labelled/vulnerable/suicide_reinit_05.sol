// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: call initialize(attacker) a second time (no guard), then destroy().
contract Treasury {
    address payable public governor;
    uint256 public epoch;
    mapping(uint256 => bytes32) public reports;

    event Received(address indexed from, uint256 amount);

    constructor() public payable {
        initialize(msg.sender);
    }

    function initialize(address payable who) public {
        require(who != address(0), "zero");
        governor = who;
        epoch = 1;
    }

    function () external payable {
        emit Received(msg.sender, msg.value);
    }

    function report(bytes32 hash) external {
        require(msg.sender == governor, "governor only");
        reports[epoch] = hash;
        epoch += 1;
    }

    function destroy() external {
        require(msg.sender == governor, "governor only");
        selfdestruct(governor); //~ ERROR self-destruct
    }
}
