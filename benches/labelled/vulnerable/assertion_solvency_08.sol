// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: one saver deposits 1 ether, then addBonus() is called (it credits 1% that nobody paid in) and check() finds less ether than credits.
contract BonusSavings {
    uint256 public totalCredit;
    mapping(address => uint256) public credit;
    mapping(address => bool) public bonusTaken;

    event Checked(uint256 balance, uint256 owed);

    function save() external payable {
        require(msg.value >= 0.01 ether, "too little");
        credit[msg.sender] += msg.value;
        totalCredit += msg.value;
    }

    function addBonus() external {
        require(credit[msg.sender] > 0, "no savings");
        require(!bonusTaken[msg.sender], "taken");
        bonusTaken[msg.sender] = true;
        uint256 bonus = credit[msg.sender] / 100;
        credit[msg.sender] += bonus;
        totalCredit += bonus;
    }

    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount;
        totalCredit -= amount;
        payable(msg.sender).transfer(amount); //~ ERROR ether-theft
    }

    function check() external {
        assert(address(this).balance >= totalCredit); //~ ERROR assertion
        emit Checked(address(this).balance, totalCredit);
    }
}
