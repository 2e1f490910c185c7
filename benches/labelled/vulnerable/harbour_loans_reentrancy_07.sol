// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

interface IBridgeBorrower {
    /// Has to pay `amount` back before it returns.
    function onBridgeLoan(uint256 amount) external payable;
}

/// Dock workers put their savings together. Between two shifts the pool lends
/// them out, without a fee, for the length of one call.
contract HarbourLoans {
    mapping(address => uint256) public stakeOf;
    mapping(address => uint256) public loansOf;
    address public immutable founder;
    bool public closed;

    event Staked(address indexed who, uint256 amount);
    event Unstaked(address indexed who, uint256 amount);
    event Lent(address indexed who, uint256 amount);

    constructor() {
        founder = msg.sender;
    }

    function stake() external payable {
        require(msg.value > 0, "nothing to stake");
        stakeOf[msg.sender] += msg.value;
        emit Staked(msg.sender, msg.value);
    }

    function unstake(uint256 amount) external {
        uint256 held = stakeOf[msg.sender];
        require(amount <= held, "more than the stake");
        stakeOf[msg.sender] = held - amount;
        msg.sender.transfer(amount);
        emit Unstaked(msg.sender, amount);
    }

    /// Takes back a loan.
    function repay() external payable {
        require(msg.value > 0, "nothing to repay");
    }

    function bridge(uint256 amount) external {
        require(!closed, "no loans any more");
        uint256 before = address(this).balance;
        require(amount > 0 && amount <= before, "not that much there");
        loansOf[msg.sender] += 1;
        IBridgeBorrower(msg.sender).onBridgeLoan{value: amount}(amount); //~ ERROR reentrancy
        require(address(this).balance >= before, "not paid back");
        emit Lent(msg.sender, amount);
    }

    /// Stakes can still be taken back afterwards.
    function close() external {
        require(msg.sender == founder, "only the founder");
        closed = true;
    }
}
