// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: flashLoan the whole pool, deposit() the borrowed ether from onFlashLoan (balance check passes), then withdraw it as own credit.
interface IFlashBorrower {
    function onFlashLoan(uint256 amount) external payable;
}

contract FlashPool {
    mapping(address => uint256) public credit;

    event Loan(address indexed borrower, uint256 amount);

    function deposit() external payable {
        credit[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok, "send failed");
    }

    function flashLoan(uint256 amount) external {
        uint256 before = address(this).balance;
        require(amount > 0 && amount <= before, "amount");
        IFlashBorrower(msg.sender).onFlashLoan{value: amount}(amount); //~ ERROR reentrancy
        require(address(this).balance >= before, "not repaid");
        emit Loan(msg.sender, amount);
    }
}
