// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: pay the join fee once, call claimBonus, and call claimBonus again from the fallback while bonusTaken is still false.
contract MemberClub {
    uint256 public constant FEE = 1 ether;
    uint256 public constant BONUS = 0.4 ether;

    address payable public treasurer;
    mapping(address => bool) public member;
    mapping(address => bool) public bonusTaken;
    mapping(address => uint256) public due;
    uint256 public bonusesLeft;

    constructor() public {
        treasurer = msg.sender;
    }

    function join() external payable {
        require(msg.value == FEE, "wrong fee");
        require(!member[msg.sender], "already in");
        member[msg.sender] = true;
    }

    function withdrawDue(address payable who) public {
        uint256 amount = due[who];
        due[who] = 0;
        (bool ok, ) = who.call.value(amount)(""); //~ ERROR reentrancy
        require(ok, "payment failed");
    }

    function claimBonus() external {
        require(member[msg.sender], "not a member");
        require(!bonusTaken[msg.sender], "already taken");
        due[msg.sender] += BONUS;
        withdrawDue(msg.sender);
        bonusTaken[msg.sender] = true;
    }

    function collect(uint256 amount) external {
        require(msg.sender == treasurer, "treasurer only");
        treasurer.transfer(amount);
    }
}
