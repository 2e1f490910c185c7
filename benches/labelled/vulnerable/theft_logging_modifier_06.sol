// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: onlyManager logs a stranger but goes on with the body; any account calls payout(attacker, balance).
contract ClubAccount {
    address public manager;
    uint256 public payouts;

    event Unauthorized(address who);
    event Paid(address to, uint256 amount);

    modifier onlyManager() {
        if (msg.sender != manager) {
            emit Unauthorized(msg.sender);
        }
        _;
    }

    constructor() public {
        manager = msg.sender;
    }

    receive() external payable {}

    function payout(address payable to, uint256 amount) external onlyManager {
        require(amount > 0 && amount <= address(this).balance, "amount");
        payouts += 1;
        to.transfer(amount); //~ ERROR ether-theft
        emit Paid(to, amount);
    }
}
