// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Stakes of one season. Whoever exits may not come back before the next season.
contract SeasonStaking {
    error Paused();
    error AlreadyExited();
    error NothingStaked();
    error PaymentFailed();

    address public immutable manager;
    uint256 public immutable season;
    uint256 public totalStaked;
    bool public paused;

    mapping(address => uint256) public stakeOf;
    mapping(address => bool) public exited;

    event Staked(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event Exited(address indexed who, uint256 amount);

    modifier whenActive() {
        if (paused) revert Paused();
        _;
    }

    constructor(uint256 season_) {
        manager = msg.sender;
        season = season_;
    }

    function stake() external payable whenActive {
        if (exited[msg.sender]) revert AlreadyExited();
        require(msg.value > 0, "no ether");
        stakeOf[msg.sender] += msg.value;
        totalStaked += msg.value;
        emit Staked(msg.sender, msg.value);
    }

    /// @notice Moves the whole stake to another wallet of the staker.
    function moveStake(address to) external {
        uint256 amount = stakeOf[msg.sender];
        if (amount == 0) revert NothingStaked();
        require(to != address(0) && to != msg.sender, "bad wallet");
        stakeOf[msg.sender] = 0;
        stakeOf[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    /// @notice Pays the stake back. Can be done once by each wallet.
    function exit() external {
        if (exited[msg.sender]) revert AlreadyExited();
        uint256 amount = stakeOf[msg.sender];
        if (amount == 0) revert NothingStaked();
        exited[msg.sender] = true;
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        if (!ok) revert PaymentFailed();
        stakeOf[msg.sender] = 0;
        totalStaked -= amount;
        emit Exited(msg.sender, amount);
    }

    function shareOf(address who) external view returns (uint256) {
        return totalStaked == 0 ? 0 : (stakeOf[who] * 1e18) / totalStaked;
    }

    function setPaused(bool value) external {
        require(msg.sender == manager, "manager only");
        paused = value;
    }
}
