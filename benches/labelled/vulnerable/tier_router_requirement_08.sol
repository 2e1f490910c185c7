// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The fee tiers of the pools, in hundredths of a basis point.
contract FeeTiers {
    function feeOn(uint256 amount, uint24 tier) external pure returns (uint256) {
        require(tier == 100 || tier == 500 || tier == 3000 || tier == 10000, "no such tier");
        return amount / 1_000_000 * tier + amount % 1_000_000 * tier / 1_000_000;
    }

    function tickSpacing(uint24 tier) external pure returns (int24) {
        if (tier == 100) return 1;
        if (tier == 500) return 10;
        if (tier == 3000) return 60;
        return 200;
    }
}

/// Keeps the ether of traders, and converts it into points of a pool. Points of stable
/// pools cost less in fees than those of volatile pools.
contract TierRouter {
    uint24 public constant STABLE = 50;
    uint24 public constant NORMAL = 3000;
    uint24 public constant EXOTIC = 10000;

    FeeTiers public immutable tiers = new FeeTiers();
    address payable public immutable treasury = payable(msg.sender);

    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public stablePoints;
    mapping(address => uint256) public normalPoints;
    mapping(address => uint256) public exoticPoints;
    uint256 public fees;

    event Deposited(address indexed trader, uint256 amount);
    event Converted(address indexed trader, uint24 tier, uint256 amount, uint256 fee);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(amount <= balanceOf[msg.sender], "not enough");
        balanceOf[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function toStable(uint256 amount) external {
        uint256 fee = tiers.feeOn(amount, STABLE); //~ ERROR requirement
        _charge(STABLE, amount, fee);
        stablePoints[msg.sender] += amount - fee;
    }

    function toNormal(uint256 amount) external {
        uint256 fee = tiers.feeOn(amount, NORMAL);
        _charge(NORMAL, amount, fee);
        normalPoints[msg.sender] += amount - fee;
    }

    function toExotic(uint256 amount) external {
        uint256 fee = tiers.feeOn(amount, EXOTIC);
        _charge(EXOTIC, amount, fee);
        exoticPoints[msg.sender] += amount - fee;
    }

    function cashStable(uint256 points) external {
        require(points <= stablePoints[msg.sender], "not enough points");
        stablePoints[msg.sender] -= points;
        balanceOf[msg.sender] += points;
    }

    function cashNormal(uint256 points) external {
        require(points <= normalPoints[msg.sender], "not enough points");
        normalPoints[msg.sender] -= points;
        balanceOf[msg.sender] += points;
    }

    function cashExotic(uint256 points) external {
        require(points <= exoticPoints[msg.sender], "not enough points");
        exoticPoints[msg.sender] -= points;
        balanceOf[msg.sender] += points;
    }

    function collect() external {
        require(msg.sender == treasury, "not the treasury");
        uint256 amount = fees;
        fees = 0;
        treasury.transfer(amount);
    }

    function _charge(uint24 tier, uint256 amount, uint256 fee) private {
        require(amount <= balanceOf[msg.sender], "not enough");
        balanceOf[msg.sender] -= amount;
        fees += fee;
        emit Converted(msg.sender, tier, amount, fee);
    }
}
