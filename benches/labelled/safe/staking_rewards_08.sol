// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Stakers of ether share what the owner pays in, second by second.
contract EtherStakingRewards {
    uint256 public constant DURATION = 7 days;

    address public immutable owner;
    uint256 public rewardRate;
    uint256 public periodFinish;
    uint256 public lastUpdate;
    uint256 public rewardPerTokenStored;
    uint256 public totalStaked;
    mapping(address => uint256) public stakeOf;
    mapping(address => uint256) public rewards;
    mapping(address => uint256) public paidPerToken;
    uint256 private _status = 1;

    event RewardAdded(uint256 amount);
    event Staked(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event RewardPaid(address indexed who, uint256 amount);

    modifier nonReentrant() {
        require(_status == 1, "reentrant");
        _status = 2;
        _;
        _status = 1;
    }

    modifier updateReward(address who) {
        rewardPerTokenStored = rewardPerToken();
        lastUpdate = lastTimeRewardApplicable();
        rewards[who] = earned(who);
        paidPerToken[who] = rewardPerTokenStored;
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    function lastTimeRewardApplicable() public view returns (uint256) {
        return block.timestamp < periodFinish ? block.timestamp : periodFinish;
    }

    function rewardPerToken() public view returns (uint256) {
        if (totalStaked == 0) return rewardPerTokenStored;
        return rewardPerTokenStored + ((lastTimeRewardApplicable() - lastUpdate) * rewardRate * 1e18) / totalStaked;
    }

    function earned(address who) public view returns (uint256) {
        return (stakeOf[who] * (rewardPerToken() - paidPerToken[who])) / 1e18 + rewards[who];
    }

    function stake() external payable nonReentrant updateReward(msg.sender) {
        require(msg.value > 0, "no ether");
        totalStaked += msg.value;
        stakeOf[msg.sender] += msg.value;
        emit Staked(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) public nonReentrant updateReward(msg.sender) {
        require(amount > 0 && amount <= stakeOf[msg.sender], "stake");
        unchecked {
            stakeOf[msg.sender] -= amount;
            totalStaked -= amount;
        }
        emit Withdrawn(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "stake was not taken");
    }

    function getReward() public nonReentrant updateReward(msg.sender) {
        uint256 amount = rewards[msg.sender];
        if (amount > 0) {
            rewards[msg.sender] = 0;
            emit RewardPaid(msg.sender, amount);
            (bool ok, ) = msg.sender.call{value: amount}("");
            require(ok, "reward was not taken");
        }
    }

    function exit() external {
        withdraw(stakeOf[msg.sender]);
        getReward();
    }

    function addReward() external payable updateReward(address(0)) {
        require(msg.sender == owner, "owner only");
        uint256 left = block.timestamp < periodFinish ? (periodFinish - block.timestamp) * rewardRate : 0;
        rewardRate = (msg.value + left) / DURATION;
        lastUpdate = block.timestamp;
        periodFinish = block.timestamp + DURATION;
        emit RewardAdded(msg.value);
    }
}
