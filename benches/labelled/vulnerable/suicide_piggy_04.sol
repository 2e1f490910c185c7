// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: anyone calls smash(): no owner check, the contract is destroyed and its ether goes to the caller.
contract PiggyBank {
    address public owner;
    uint256 public saved;

    event Saved(address indexed from, uint256 amount);

    constructor() public {
        owner = msg.sender;
    }

    function save() public payable {
        saved += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function takeOut(uint256 amount) public {
        require(msg.sender == owner);
        saved -= amount <= saved ? amount : saved;
        owner.transfer(amount);
    }

    function smash() public {
        require(msg.sender != address(0));
        selfdestruct(msg.sender); //~ ERROR self-destruct
    }
}
