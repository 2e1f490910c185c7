// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: stake, sponsor(), stake again (debt > 0), unstake everything (debt is kept), harvest(): 0 - debt wraps to a huge number of points.
contract PointsFarm {
    address payable public immutable treasury;
    uint256 public accPerShare;
    uint256 public totalShares;
    mapping(address => uint256) public shares;
    mapping(address => uint256) public debt;
    mapping(address => uint256) public points;

    event Harvest(address indexed who, uint256 points);

    constructor() {
        treasury = payable(msg.sender);
    }

    function stake() external payable {
        require(msg.value > 0, "empty");
        shares[msg.sender] += msg.value;
        totalShares += msg.value;
        debt[msg.sender] += (msg.value * accPerShare) / 1e12;
    }

    function sponsor() external payable {
        require(totalShares > 0, "nobody staked");
        accPerShare += (msg.value * 1e12) / totalShares;
        treasury.transfer(msg.value);
    }

    function unstake(uint256 amount) external {
        shares[msg.sender] -= amount;
        totalShares -= amount;
        payable(msg.sender).transfer(amount);
    }

    function harvest() external {
        uint256 accrued = (shares[msg.sender] * accPerShare) / 1e12;
        uint256 pending;
        unchecked {
            pending = accrued - debt[msg.sender]; //~ ERROR overflow
        }
        debt[msg.sender] = accrued;
        points[msg.sender] += pending;
        emit Harvest(msg.sender, pending);
    }
}
