// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Farmers pool money for a well, and own it by fractions.
contract WellPool {
    uint256 public totalStake;
    mapping(address farmer => uint256) public stakeOf;
    mapping(address farmer => uint256) public joinedAt;
    uint256 private _entered = 1;

    event Joined(address indexed farmer, uint256 amount);
    event Left(address indexed farmer, uint256 amount);

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
        stakeOf[msg.sender] = stake - amount;
        totalStake -= amount;
        emit Left(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function fractionOf(address farmer) external view returns (uint256) {
        require(_entered == 1, "while somebody leaves");
        return totalStake == 0 ? 0 : (stakeOf[farmer] * 1e18) / totalStake;
    }
}

/// @notice A dairy pays for water now and then; the farmers of the well share it.
contract WaterMoney {
    struct Delivery {
        uint256 paid;
        uint256 left;
        uint256 at;
    }

    WellPool public immutable pool;
    Delivery[] public deliveries;
    mapping(uint256 delivery => mapping(address farmer => bool)) public claimed;

    event Delivered(uint256 indexed delivery, address indexed dairy, uint256 paid);
    event Claimed(uint256 indexed delivery, address indexed farmer, uint256 amount);

    constructor(WellPool pool_) {
        pool = pool_;
    }

    function deliver() external payable returns (uint256 delivery) {
        require(msg.value >= 1 gwei, "no money");
        delivery = deliveries.length;
        deliveries.push(Delivery(msg.value, msg.value, block.timestamp));
        emit Delivered(delivery, msg.sender, msg.value);
    }

    function claim(uint256 delivery) external {
        require(delivery < deliveries.length, "no such delivery");
        Delivery storage d = deliveries[delivery];
        require(!claimed[delivery][msg.sender], "claimed");
        require(pool.joinedAt(msg.sender) < d.at, "joined too late");
        claimed[delivery][msg.sender] = true;
        uint256 amount = (d.paid * pool.fractionOf(msg.sender)) / 1e18;
        if (amount > d.left) amount = d.left;
        require(amount > 0, "nothing");
        d.left -= amount;
        emit Claimed(delivery, msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }
}
