// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: forward(attackerContract, data) runs the attacker's code in this contract: it can overwrite owner or send the ether away.
contract Forwarder {
    address public owner;
    mapping(address => uint256) public uses;

    event Forwarded(address indexed callee);

    constructor() public {
        owner = msg.sender;
    }

    function () public payable {}

    function forward(address callee, bytes data) public {
        require(callee != address(0));
        uses[msg.sender] += 1;
        require(callee.delegatecall(data)); //~ ERROR delegatecall
        emit Forwarded(callee);
    }

    function payOwner(uint256 amount) public {
        owner.transfer(amount);
    }
}
