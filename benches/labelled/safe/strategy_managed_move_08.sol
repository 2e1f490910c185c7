// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev a * b / c in full precision is not needed: all amounts are of ether and fit 128 bits.
library Shares {
    uint256 internal constant VIRTUAL_SHARES = 1e6;
    uint256 internal constant VIRTUAL_ASSETS = 1;

    function toShares(uint256 amount, uint256 total, uint256 assets) internal pure returns (uint256) {
        return (amount * (total + VIRTUAL_SHARES)) / (assets + VIRTUAL_ASSETS);
    }

    function toAssets(uint256 shares, uint256 total, uint256 assets) internal pure returns (uint256) {
        return (shares * (assets + VIRTUAL_ASSETS)) / (total + VIRTUAL_SHARES);
    }
}

/// @notice Where the vault keeps what it does not need at once.
contract ColdStrategy {
    address public immutable vault;

    event Out(address indexed to, uint256 amount);

    modifier onlyVault() {
        require(msg.sender == vault, "vault only");
        _;
    }

    constructor(address vault_) {
        vault = vault_;
    }

    receive() external payable {}

    function withdraw(uint256 amount) external onlyVault {
        _out(vault, amount);
    }

    /// @notice Hands everything on to the strategy that follows this one.
    function migrate(address next) external onlyVault returns (uint256 amount) {
        amount = address(this).balance;
        _out(next, amount);
    }

    function _out(address to, uint256 amount) private {
        emit Out(to, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "not accepted");
    }
}

/// @title Vault whose manager may move it from one strategy to another, after two days
contract ColdVault {
    using Shares for uint256;

    uint256 public constant NOTICE = 2 days;

    address public immutable manager;
    ColdStrategy public strategy;
    ColdStrategy public announced;
    uint256 public announcedAt;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;

    event Saved(address indexed who, uint256 amount, uint256 shares);
    event Redeemed(address indexed who, uint256 amount, uint256 shares);
    event Announced(address indexed strategy);
    event Moved(address indexed from, address indexed to, uint256 amount);

    modifier onlyManager() {
        require(msg.sender == manager, "manager only");
        _;
    }

    constructor() {
        manager = msg.sender;
        strategy = new ColdStrategy(address(this));
    }

    receive() external payable {
        require(msg.sender == address(strategy), "use save");
    }

    function totalAssets() public view returns (uint256) {
        return address(this).balance + address(strategy).balance;
    }

    function save() external payable returns (uint256 shares) {
        shares = msg.value.toShares(totalShares, totalAssets() - msg.value);
        require(shares > 0, "too little");
        totalShares += shares;
        sharesOf[msg.sender] += shares;
        emit Saved(msg.sender, msg.value, shares);
        uint256 reserve = totalAssets() / 10;
        if (address(this).balance > reserve) {
            (bool ok, ) = address(strategy).call{value: address(this).balance - reserve}("");
            require(ok, "strategy");
        }
    }

    function redeem(uint256 shares) external returns (uint256 amount) {
        amount = shares.toAssets(totalShares, totalAssets());
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        emit Redeemed(msg.sender, amount, shares);
        if (amount > address(this).balance) {
            strategy.withdraw(amount - address(this).balance);
        }
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function announce() external onlyManager {
        announced = new ColdStrategy(address(this));
        announcedAt = block.timestamp;
        emit Announced(address(announced));
    }

    function move() external onlyManager {
        ColdStrategy next = announced;
        require(address(next) != address(0) && block.timestamp >= announcedAt + NOTICE, "not announced");
        ColdStrategy old = strategy;
        strategy = next;
        announced = ColdStrategy(payable(0));
        emit Moved(address(old), address(next), old.migrate(address(next)));
    }
}
