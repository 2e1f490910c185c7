// By design: whoever has staked gets, besides his stake, his part of the rewards the owner streams in.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract StreamRewardPool {
    uint256 public constant DURATION = 7 days;
    uint256 private constant SCALE = 1e18;

    address public immutable owner;
    uint256 public rate;
    uint256 public finish;
    uint256 public lastUpdate;
    uint256 public acc;
    uint256 public unallocated;
    uint256 public totalStaked;

    mapping(address => uint256) public staked;
    mapping(address => uint256) public paidAcc;
    mapping(address => uint256) public owed;

    event Funded(uint256 amount, uint256 rate);
    event Staked(address indexed who, uint256 amount);
    event Unstaked(address indexed who, uint256 amount);
    event RewardPaid(address indexed who, uint256 amount);

    constructor() {
        owner = msg.sender;
    }

    function fund() external payable {
        require(msg.sender == owner, "owner only");
        require(block.timestamp >= finish, "period running");
        _update(address(0));
        uint256 amount = msg.value + unallocated;
        rate = amount / DURATION;
        require(rate > 0, "too little");
        unallocated = amount - rate * DURATION;
        lastUpdate = block.timestamp;
        finish = block.timestamp + DURATION;
        emit Funded(amount, rate);
    }

    function stake() external payable {
        require(msg.value > 0, "empty");
        _update(msg.sender);
        staked[msg.sender] += msg.value;
        totalStaked += msg.value;
        emit Staked(msg.sender, msg.value);
    }

    function unstake(uint256 amount) external {
        _update(msg.sender);
        staked[msg.sender] -= amount;
        totalStaked -= amount;
        _pay(msg.sender, amount);
        emit Unstaked(msg.sender, amount);
    }

    function claim() external {
        _update(msg.sender);
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        _pay(msg.sender, amount);
        emit RewardPaid(msg.sender, amount);
    }

    function earned(address who) external view returns (uint256) {
        uint256 a = acc;
        uint256 t = block.timestamp < finish ? block.timestamp : finish;
        if (t > lastUpdate && totalStaked > 0) a += (t - lastUpdate) * rate * SCALE / totalStaked;
        return owed[who] + staked[who] * (a - paidAcc[who]) / SCALE;
    }

    function _update(address who) private {
        uint256 t = block.timestamp < finish ? block.timestamp : finish;
        if (t > lastUpdate) {
            uint256 amount = (t - lastUpdate) * rate;
            if (totalStaked == 0) unallocated += amount;
            else acc += amount * SCALE / totalStaked;
            lastUpdate = t;
        }
        if (who != address(0)) {
            owed[who] += staked[who] * (acc - paidAcc[who]) / SCALE;
            paidAcc[who] = acc;
        }
    }

    function _pay(address to, uint256 amount) private {
        (bool ok,) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
