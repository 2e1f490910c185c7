// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        require((c = a + b) >= a, "add");
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "sub");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256 c) {
        require(a == 0 || (c = a * b) / a == b, "mul");
    }
}

/// Stakers of ether earn points; the points are minted by nobody else and have a fixed rate.
contract StakingPoints {
    using SafeMath for uint256;

    uint256 public constant MAX_RATE = 1e24;

    address public owner;
    uint256 public rewardRate;
    uint256 public periodFinish;
    uint256 public lastUpdateTime;
    uint256 public rewardPerTokenStored;
    uint256 public totalStaked;

    mapping(address => uint256) public staked;
    mapping(address => uint256) public rewardPerTokenPaid;
    mapping(address => uint256) public rewards;
    mapping(address => uint256) public points;

    event RewardAdded(uint256 rate, uint256 duration);
    event Staked(address indexed user, uint256 amount);
    event Withdrawn(address indexed user, uint256 amount);
    event RewardPaid(address indexed user, uint256 reward);

    modifier updateReward(address account) {
        rewardPerTokenStored = rewardPerToken();
        lastUpdateTime = lastTimeRewardApplicable();
        if (account != address(0)) {
            rewards[account] = earned(account);
            rewardPerTokenPaid[account] = rewardPerTokenStored;
        }
        _;
    }

    constructor() public {
        owner = msg.sender;
    }

    function lastTimeRewardApplicable() public view returns (uint256) {
        return block.timestamp < periodFinish ? block.timestamp : periodFinish;
    }

    function rewardPerToken() public view returns (uint256) {
        if (totalStaked == 0) return rewardPerTokenStored;
        uint256 elapsed = lastTimeRewardApplicable().sub(lastUpdateTime);
        return rewardPerTokenStored.add(elapsed.mul(rewardRate).mul(1e18) / totalStaked);
    }

    function earned(address account) public view returns (uint256) {
        uint256 delta = rewardPerToken().sub(rewardPerTokenPaid[account]);
        return rewards[account].add(staked[account].mul(delta) / 1e18);
    }

    function stake() external payable updateReward(msg.sender) {
        require(msg.value > 0, "Cannot stake 0");
        totalStaked = totalStaked.add(msg.value);
        staked[msg.sender] = staked[msg.sender].add(msg.value);
        emit Staked(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) public updateReward(msg.sender) {
        require(amount > 0, "Cannot withdraw 0");
        totalStaked = totalStaked.sub(amount);
        staked[msg.sender] = staked[msg.sender].sub(amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Withdrawn(msg.sender, amount);
    }

    function getReward() public updateReward(msg.sender) {
        uint256 reward = rewards[msg.sender];
        if (reward > 0) {
            rewards[msg.sender] = 0;
            points[msg.sender] = points[msg.sender].add(reward);
            emit RewardPaid(msg.sender, reward);
        }
    }

    function exit() external {
        withdraw(staked[msg.sender]);
        getReward();
    }

    function startPeriod(uint256 rate, uint256 duration) external updateReward(address(0)) {
        require(msg.sender == owner, "owner only");
        require(rate <= MAX_RATE && duration > 0 && duration <= 365 days, "parameters");
        require(block.timestamp >= periodFinish, "period running");
        rewardRate = rate;
        lastUpdateTime = block.timestamp;
        periodFinish = block.timestamp.add(duration);
        emit RewardAdded(rate, duration);
    }
}
