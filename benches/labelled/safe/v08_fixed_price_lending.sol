// By design: the price is a constant, the debt token is a unit of account that only serves to pay debts back.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract FixedPriceLending {
    uint256 public constant PRICE = 2000; // debt tokens for one ether
    uint256 public constant COLLATERAL_PERCENT = 150;

    struct Position {
        uint256 collateral;
        uint256 debt;
    }

    mapping(address => Position) public positions;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    uint256 public totalCollateral;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event Locked(address indexed who, uint256 amount);
    event Unlocked(address indexed who, uint256 amount);
    event Borrowed(address indexed who, uint256 amount);
    event Repaid(address indexed who, uint256 amount);

    error Unhealthy();

    function lockEther() external payable {
        positions[msg.sender].collateral += msg.value;
        totalCollateral += msg.value;
        emit Locked(msg.sender, msg.value);
    }

    function unlockEther(uint256 amount) external {
        Position storage p = positions[msg.sender];
        p.collateral -= amount;
        totalCollateral -= amount;
        if (!_healthy(p.collateral, p.debt)) revert Unhealthy();
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Unlocked(msg.sender, amount);
    }

    function borrow(uint256 amount) external {
        Position storage p = positions[msg.sender];
        p.debt += amount;
        if (!_healthy(p.collateral, p.debt)) revert Unhealthy();
        totalSupply += amount;
        balanceOf[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
        emit Borrowed(msg.sender, amount);
    }

    function repay(uint256 amount) external {
        Position storage p = positions[msg.sender];
        if (amount > p.debt) amount = p.debt;
        balanceOf[msg.sender] -= amount;
        unchecked {
            p.debt -= amount; // amount <= debt
            totalSupply -= amount; // every debt token was minted here
        }
        emit Transfer(msg.sender, address(0), amount);
        emit Repaid(msg.sender, amount);
    }

    function maxDebt(address who) external view returns (uint256) {
        return positions[who].collateral * PRICE * 100 / COLLATERAL_PERCENT;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        require(to != address(0), "zero");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _healthy(uint256 collateral, uint256 debt) private pure returns (bool) {
        return collateral * PRICE * 100 >= debt * COLLATERAL_PERCENT;
    }
}
