// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base, UsesVm} from "./Base.sol";

/// @notice Loans against collateral, at most three quarters of its value. A loan may be liquidated when it is worth
///         more than nine tenths of it; the collateral that is taken is a tenth more than the debt.
contract Lending {
    uint256 public price = 1e18;
    uint256 public totalCollateral;
    mapping(address => uint256) public collateralOf;
    mapping(address => uint256) public debtOf;

    function setPrice(uint256 price_) external {
        price = price_;
    }

    function deposit(address account, uint256 amount) external {
        collateralOf[account] += amount;
        totalCollateral += amount;
    }

    function withdraw(address account, uint256 amount) external {
        collateralOf[account] -= amount;
        totalCollateral -= amount;
        require(debtOf[account] * 4 <= valueOf(account) * 3, "Lending: too little collateral");
    }

    function borrow(address account, uint256 amount) external {
        debtOf[account] += amount;
        require(debtOf[account] * 4 <= valueOf(account) * 3, "Lending: too little collateral");
    }

    function repay(address account, uint256 amount) external {
        debtOf[account] -= amount;
    }

    function valueOf(address account) public view returns (uint256) {
        return (collateralOf[account] * price) / 1e18;
    }

    function liquidate(address account) external {
        uint256 debt = debtOf[account];
        require(debt > 0 && debt * 10 > valueOf(account) * 9, "Lending: healthy");
        uint256 taken = (debt * 11 * 1e18) / (price * 10);
        debtOf[account] = 0;
        // Defect: more may be taken off the total than the account has.
        uint256 held = collateralOf[account];
        collateralOf[account] = held > taken ? held - taken : 0;
        totalCollateral -= taken;
    }
}

contract LendingHandler is UsesVm {
    Lending public immutable lending = new Lending();

    function deposit(uint8 account, uint256 amount) external {
        lending.deposit(actor(account), bound(amount, 1e18, 1_000e18));
    }

    function withdraw(uint8 account, uint256 amount) external {
        lending.withdraw(actor(account), amount);
    }

    function borrow(uint8 account, uint256 amount) external {
        lending.borrow(actor(account), bound(amount, 1e18, 1_000e18));
    }

    function repay(uint8 account, uint256 amount) external {
        lending.repay(actor(account), amount);
    }

    /// @notice Moves the price by at most an eighth.
    function movePrice(uint256 change) external {
        uint256 price = lending.price();
        lending.setPrice(bound(change, price - price / 8, price + price / 8));
    }

    function liquidate(uint8 account) external {
        lending.liquidate(actor(account));
    }

    function actor(uint256 number) public pure returns (address) {
        return address(uint160(0xA0 + (number % 4)));
    }
}

/// @notice Broken by deposits of two accounts, a loan near the limit, several falls of the price, and a liquidation.
contract LendingTest is Base {
    LendingHandler internal handler;

    function setUp() public {
        handler = new LendingHandler();
        targetContract(address(handler));
    }

    function invariant_collateralAddsUp() public view { //~ ERROR property
        Lending lending = handler.lending();
        uint256 sum;
        for (uint256 i = 0; i < 4; i++) {
            sum += lending.collateralOf(handler.actor(i));
        }
        assertEq(sum, lending.totalCollateral());
    }
}
