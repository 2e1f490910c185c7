// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Shares in a quarry. What the foreman earns with the stone raises the value of each share.
contract QuarryPool {
    string public constant name = "Quarry Pool";
    uint256 public constant MIN_JOIN = 1000;

    address public foreman;
    uint256 public totalShares;
    uint256 public holdings;
    mapping(address => uint256) public shares;

    event Joined(address indexed who, uint256 paid, uint256 shares);
    event Left(address indexed who, uint256 shares, uint256 paid);
    event StoneSold(uint256 value);

    modifier onlyForeman() {
        require(msg.sender == foreman, "foreman only");
        _;
    }

    constructor() {
        foreman = msg.sender;
    }

    function appoint(address next) external onlyForeman {
        require(next != address(0), "nobody");
        foreman = next;
    }

    function sellStone() external payable onlyForeman {
        require(totalShares > 0, "nobody owns the quarry");
        holdings += msg.value;
        emit StoneSold(msg.value);
    }

    function join() external payable returns (uint256 minted) {
        require(msg.value >= MIN_JOIN, "too little");
        minted = totalShares == 0 ? msg.value : (msg.value * totalShares) / holdings;
        require(minted > 0, "less than a share");
        shares[msg.sender] += minted;
        totalShares += minted;
        holdings += msg.value;
        emit Joined(msg.sender, msg.value, minted);
    }

    function leave(uint256 amount) external {
        require(amount > 0, "no shares");
        require(shares[msg.sender] >= amount, "more than you have");
        uint256 payout = worth(amount);
        shares[msg.sender] -= amount;
        totalShares -= amount;
        holdings -= payout;
        emit Left(msg.sender, amount, payout);
        (bool ok, ) = msg.sender.call{value: payout}("");
        require(ok, "not accepted");
    }

    function give(address to, uint256 amount) external {
        require(to != address(0) && to != msg.sender, "to nobody else");
        require(shares[msg.sender] >= amount, "more than you have");
        shares[msg.sender] -= amount;
        shares[to] += amount;
    }

    function worth(uint256 amount) public view returns (uint256) {
        return totalShares == 0 ? 0 : (holdings * amount) / totalShares;
    }
}
