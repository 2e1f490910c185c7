// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IFlashBorrower {
    function onFlashLoan(address initiator, uint256 amount, uint256 fee) external payable;
}

abstract contract Stewarded {
    address public steward = msg.sender;
    address public nextSteward;

    event StewardChanged(address indexed steward);

    modifier onlySteward() {
        require(msg.sender == steward, "not the steward");
        _;
    }

    function offerStewardship(address to) external onlySteward {
        nextSteward = to;
    }

    function acceptStewardship() external {
        require(msg.sender == nextSteward, "not offered");
        steward = msg.sender;
        nextSteward = address(0);
        emit StewardChanged(msg.sender);
    }
}

/// Depositors provide ether, which is lent for the time of one transaction.
contract FlashLiquidity is Stewarded {
    uint256 public constant FEE_PER_10000 = 5;

    mapping(address => uint256) public deposits;
    uint256 public totalDeposits;
    uint256 public feesEarned;
    uint256 public maxLoan = 1000 ether;

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, uint256 amount);
    event Lent(address indexed borrower, uint256 amount, uint256 fee);

    receive() external payable {}

    function deposit() external payable {
        require(msg.value > 0, "nothing sent");
        deposits[msg.sender] += msg.value;
        totalDeposits += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(amount <= deposits[msg.sender], "more than deposited");
        deposits[msg.sender] -= amount;
        totalDeposits -= amount;
        emit Withdrawn(msg.sender, amount);
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }

    function feeFor(uint256 amount) public pure returns (uint256) {
        return amount * FEE_PER_10000 / 10000;
    }

    /// The borrower gets the ether with the call, and has to send it back before the call ends.
    function flashLoan(uint256 amount) external {
        require(amount > 0 && amount <= maxLoan, "bad amount");
        uint256 held = address(this).balance;
        require(amount <= held, "not enough liquidity");
        uint256 fee = feeFor(amount);
        IFlashBorrower(msg.sender).onFlashLoan{value: amount}(msg.sender, amount, fee); //~ ERROR reentrancy
        require(address(this).balance >= held + fee, "not paid back");
        feesEarned += fee;
        emit Lent(msg.sender, amount, fee);
    }

    function setMaxLoan(uint256 amount) external onlySteward {
        maxLoan = amount;
    }

    function collectFees(address payable to) external onlySteward {
        uint256 amount = feesEarned;
        feesEarned = 0;
        to.transfer(amount);
    }
}
