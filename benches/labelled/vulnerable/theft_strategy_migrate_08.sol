// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IStrategy {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
    function balance() external view returns (uint256);
}

/// @dev What all strategies of the vault have in common.
abstract contract BaseStrategy is IStrategy {
    address public immutable vault;
    uint256 public deposited;
    uint256 public lastReport;

    event Deposited(uint256 amount);
    event Returned(uint256 amount);
    event Migrated(address indexed to, uint256 amount);

    modifier onlyVault() {
        require(msg.sender == vault, "vault only");
        _;
    }

    constructor(address vault_) {
        vault = vault_;
        lastReport = block.timestamp;
    }

    receive() external payable {}

    function deposit() external payable onlyVault {
        deposited += msg.value;
        _employ(msg.value);
        emit Deposited(msg.value);
    }

    function withdraw(uint256 amount) external onlyVault {
        deposited = amount > deposited ? 0 : deposited - amount;
        _recall(amount);
        emit Returned(amount);
        (bool ok, ) = vault.call{value: amount}("");
        require(ok, "vault refused");
    }

    function balance() public view virtual returns (uint256) {
        return address(this).balance;
    }

    /// @notice Hands everything on to the strategy that follows this one.
    function migrate(address next) external {
        require(next != address(0) && next != address(this), "next");
        uint256 amount = balance();
        _recall(amount);
        deposited = 0;
        emit Migrated(next, amount);
        (bool ok, ) = next.call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "next refused");
    }

    function _employ(uint256 amount) internal virtual;

    function _recall(uint256 amount) internal virtual;
}

/// @notice Holds ether until a validator slot is free.
contract IdleStrategy is BaseStrategy {
    uint256 public employed;

    constructor(address vault_) BaseStrategy(vault_) {}

    function _employ(uint256 amount) internal override {
        employed += amount;
    }

    function _recall(uint256 amount) internal override {
        employed = amount > employed ? 0 : employed - amount;
    }
}

/// @title Savings vault with one strategy
contract SavingsVault {
    uint256 private constant DEAD_ASSETS = 1;
    uint256 private constant DEAD_SHARES = 1e6;

    address public immutable manager;
    IdleStrategy public immutable strategy;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;

    event Saved(address indexed who, uint256 amount, uint256 shares);
    event Redeemed(address indexed who, uint256 amount, uint256 shares);
    event Invested(uint256 amount);

    constructor() {
        manager = msg.sender;
        strategy = new IdleStrategy(address(this));
    }

    receive() external payable {
        require(msg.sender == address(strategy), "use save");
    }

    function totalAssets() public view returns (uint256) {
        return address(this).balance + strategy.balance();
    }

    function save() external payable returns (uint256 shares) {
        uint256 before = totalAssets() - msg.value;
        shares = (msg.value * (totalShares + DEAD_SHARES)) / (before + DEAD_ASSETS);
        require(shares > 0, "too little");
        totalShares += shares;
        sharesOf[msg.sender] += shares;
        emit Saved(msg.sender, msg.value, shares);
        _invest();
    }

    function redeem(uint256 shares) external returns (uint256 amount) {
        amount = (shares * (totalAssets() + DEAD_ASSETS)) / (totalShares + DEAD_SHARES);
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        emit Redeemed(msg.sender, amount, shares);
        if (amount > address(this).balance) {
            strategy.withdraw(amount - address(this).balance);
        }
        payable(msg.sender).transfer(amount);
    }

    /// @dev a tenth stays for small withdrawals
    function _invest() private {
        uint256 reserve = totalAssets() / 10;
        if (address(this).balance > reserve) {
            uint256 amount = address(this).balance - reserve;
            strategy.deposit{value: amount}();
            emit Invested(amount);
        }
    }
}
