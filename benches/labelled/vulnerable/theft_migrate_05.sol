// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: savers deposit; anyone calls migrate(attacker), which moves the entire balance and checks nobody.
contract SavingsCircle {
    address public organiser;
    mapping(address => uint256) public savings;
    uint256 public version = 1;

    event Migrated(address to, uint256 amount);

    constructor() public {
        organiser = msg.sender;
    }

    function save() external payable {
        require(msg.value > 0, "empty");
        savings[msg.sender] += msg.value;
    }

    function takeBack(uint256 amount) external {
        require(savings[msg.sender] >= amount, "too much");
        savings[msg.sender] -= amount;
        msg.sender.transfer(amount);
    }

    function migrate(address payable successor) external {
        require(successor != address(0), "successor");
        uint256 amount = address(this).balance;
        version += 1;
        successor.transfer(amount); //~ ERROR ether-theft
        emit Migrated(successor, amount);
    }
}
