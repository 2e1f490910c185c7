// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Fishers pool their money for the quota of the year, and own it by fractions.
contract QuotaPool {
    uint256 public totalStake;
    mapping(address holder => uint256) public stakeOf;
    mapping(address holder => uint256) public joinedAt;
    uint256 private _entered = 1;

    event Joined(address indexed holder, uint256 amount);
    event Left(address indexed holder, uint256 amount);

    modifier nonReentrant() {
        require(_entered == 1, "entered");
        _entered = 2;
        _;
        _entered = 1;
    }

    function join() external payable nonReentrant {
        require(msg.value >= 1 gwei, "too little");
        stakeOf[msg.sender] += msg.value;
        joinedAt[msg.sender] = block.timestamp;
        totalStake += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function leave(uint256 amount) external nonReentrant {
        uint256 stake = stakeOf[msg.sender];
        require(amount > 0 && amount <= stake, "not that much");
        totalStake -= amount;
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        stakeOf[msg.sender] = stake - amount;
        emit Left(msg.sender, amount);
    }

    /// @notice The part of the pool that is the holder's, 18 decimals.
    function fractionOf(address holder) external view returns (uint256) {
        return totalStake == 0 ? 0 : (stakeOf[holder] * 1e18) / totalStake;
    }
}

/// @notice Canneries give a bonus after good weeks. Who was in the pool before gets their fraction of it.
contract CatchBonus {
    struct Week {
        uint256 bonus;
        uint256 left;
        uint256 openedAt;
        address cannery;
    }

    QuotaPool public immutable pool;
    address public immutable clerk;
    Week[] public weeksOf;
    mapping(uint256 week => mapping(address holder => bool)) public claimed;
    bool public stopped;

    event Opened(uint256 indexed week, address indexed cannery, uint256 bonus);
    event Claimed(uint256 indexed week, address indexed holder, uint256 amount);

    constructor(QuotaPool pool_) {
        pool = pool_;
        clerk = msg.sender;
    }

    function open() external payable returns (uint256 week) {
        require(!stopped, "stopped");
        require(msg.value >= 1 gwei, "no bonus");
        week = weeksOf.length;
        weeksOf.push(Week(msg.value, msg.value, block.timestamp, msg.sender));
        emit Opened(week, msg.sender, msg.value);
    }

    function claim(uint256 week) external {
        require(week < weeksOf.length, "no such week");
        Week storage w = weeksOf[week];
        require(!claimed[week][msg.sender], "claimed");
        require(pool.joinedAt(msg.sender) < w.openedAt, "joined too late");
        claimed[week][msg.sender] = true;
        uint256 amount = (w.bonus * pool.fractionOf(msg.sender)) / 1e18;
        if (amount > w.left) amount = w.left;
        require(amount > 0, "nothing");
        w.left -= amount;
        emit Claimed(week, msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function stop() external {
        require(msg.sender == clerk, "clerk only");
        stopped = true;
    }

    function weekCount() external view returns (uint256) {
        return weeksOf.length;
    }
}
