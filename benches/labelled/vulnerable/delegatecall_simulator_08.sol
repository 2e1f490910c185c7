// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: simulate(attackerContract, data) is meant for eth_call only but never reverts, so the delegated writes and payments stay.
contract SafeBox {
    address public keeper;
    uint256 public deposits;

    event Simulated(address target, bool success);

    constructor() {
        keeper = msg.sender;
    }

    function deposit() external payable {
        deposits += msg.value;
    }

    function withdraw(uint256 amount) external {
        require(msg.sender == keeper, "keeper only");
        deposits -= amount;
        payable(keeper).transfer(amount);
    }

    function simulate(address target, bytes memory data) external returns (bool success, bytes memory result) {
        (success, result) = target.delegatecall(data); //~ ERROR delegatecall
        emit Simulated(target, success);
    }
}
