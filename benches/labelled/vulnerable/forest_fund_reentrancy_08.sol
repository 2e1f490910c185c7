// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Fund that owns forest; its units are a token
contract ForestFund {
    string public constant name = "Forest Unit";
    string public constant symbol = "FRU";
    uint8 public constant decimals = 18;

    address public immutable forester;
    uint256 public totalSupply;
    uint256 public reserves;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    uint256 private locked = 1;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        forester = msg.sender;
    }

    modifier nonReentrant() {
        require(locked == 1, "locked");
        locked = 2;
        _;
        locked = 1;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function subscribe() external payable nonReentrant returns (uint256 units) {
        units = totalSupply == 0 ? msg.value : msg.value * totalSupply / reserves;
        require(units >= 1e6, "too small");
        reserves += msg.value;
        totalSupply += units;
        balanceOf[msg.sender] += units;
        emit Transfer(address(0), msg.sender, units);
    }

    /// @notice Proceeds of felled timber raise the price of every unit.
    function addProceeds() external payable nonReentrant {
        require(msg.sender == forester, "not the forester");
        require(totalSupply > 0, "no units");
        reserves += msg.value;
    }

    function redeem(uint256 units) external nonReentrant returns (uint256 amount) {
        require(units > 0, "nothing");
        amount = units * reserves / totalSupply;
        balanceOf[msg.sender] -= units;
        totalSupply -= units;
        emit Transfer(msg.sender, address(0), units);
        (bool ok,) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        reserves -= amount;
    }

    /// @notice Ether for 1e18 units.
    function price() external view returns (uint256) {
        return totalSupply == 0 ? 1e18 : reserves * 1e18 / totalSupply;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "recipient");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// @title Desk that takes units off small holders' hands at once, for a fee of one percent
contract UnitDesk {
    ForestFund public immutable fund;
    address public immutable dealer;
    uint256 public bought;

    event Bought(address indexed from, uint256 units, uint256 amount);

    constructor(ForestFund fund_) {
        fund = fund_;
        dealer = msg.sender;
    }

    receive() external payable {}

    function sell(uint256 units) external {
        uint256 amount = units * fund.price() / 1e18 * 99 / 100;
        require(amount > 0, "too small");
        bought += units;
        require(fund.transferFrom(msg.sender, address(this), units), "units");
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit Bought(msg.sender, units, amount);
    }

    function redeemAll() external {
        require(msg.sender == dealer, "not the dealer");
        fund.redeem(fund.balanceOf(address(this)));
    }

    function withdraw(uint256 amount) external {
        require(msg.sender == dealer, "not the dealer");
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }
}
