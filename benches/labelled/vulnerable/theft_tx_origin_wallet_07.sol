// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract HouseholdWallet {
    struct Payment {
        address payable to;
        uint256 amount;
        bytes32 reason;
    }

    address public owner;
    string public family;
    Payment[] private payments;
    mapping(address => uint256) public paidIn;

    event PaidIn(address indexed from, uint256 amount);
    event PaidOut(address indexed to, uint256 amount, bytes32 reason);
    event OwnerChanged(address indexed from, address indexed to);

    constructor(string memory _family) {
        owner = msg.sender;
        family = _family;
    }

    receive() external payable {
        paidIn[msg.sender] += msg.value;
        emit PaidIn(msg.sender, msg.value);
    }

    function payOut(address payable to, uint256 amount, bytes32 reason) external {
        require(tx.origin == owner, "owner only");
        require(to != address(0), "no receiver");
        require(amount <= address(this).balance, "not that much");
        payments.push(Payment(to, amount, reason));
        emit PaidOut(to, amount, reason);
        to.transfer(amount); //~ ERROR ether-theft
    }

    function changeOwner(address newOwner) external {
        require(msg.sender == owner, "owner only");
        require(newOwner != address(0), "no owner");
        emit OwnerChanged(owner, newOwner);
        owner = newOwner;
    }

    function paymentCount() external view returns (uint256) {
        return payments.length;
    }

    function payment(uint256 index) external view returns (address, uint256, bytes32) {
        require(index < payments.length, "no such payment");
        Payment storage p = payments[index];
        return (p.to, p.amount, p.reason);
    }
}
