// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

interface IStallBorrower {
    /// Has to call `repay` with `amount` before it returns.
    function onStallLoan(uint256 amount) external payable;
}

/// Savings of the market traders, which are lent for the length of one call.
/// Deposits and withdrawals wait until the loan is back.
contract MarketLoans {
    mapping(address => uint256) public savingsOf;
    uint256 private owed;
    bool private lending;

    event Saved(address indexed trader, uint256 amount);
    event Taken(address indexed trader, uint256 amount);
    event Lent(address indexed trader, uint256 amount);

    modifier noLoan() {
        require(!lending, "a loan is open");
        _;
    }

    function save() external payable noLoan {
        require(msg.value > 0, "nothing to save");
        savingsOf[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function take(uint256 amount) external noLoan {
        uint256 held = savingsOf[msg.sender];
        require(amount > 0 && amount <= held, "more than the savings");
        savingsOf[msg.sender] = held - amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit Taken(msg.sender, amount);
    }

    function repay() external payable {
        require(lending, "no loan is open");
        require(msg.value > 0 && msg.value <= owed, "not what is owed");
        owed -= msg.value;
    }

    function lend(uint256 amount) external noLoan {
        require(amount > 0 && amount <= address(this).balance, "not that much there");
        lending = true;
        owed = amount;
        IStallBorrower(msg.sender).onStallLoan{value: amount}(amount);
        require(owed == 0, "not paid back");
        lending = false;
        emit Lent(msg.sender, amount);
    }
}
