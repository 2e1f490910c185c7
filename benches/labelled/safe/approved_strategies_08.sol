// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Runs in the context of the vault, and touches what it is passed only.
contract SkimStrategy {
    event Skimmed(uint256 amount);

    function run(uint256 amount) external {
        emit Skimmed(amount);
    }
}

contract GovernedVault {
    struct Strategy {
        bool active;
        uint64 addedAt;
        bytes32 codehash;
    }

    address public governance;
    uint256 public totalHeld;
    mapping(address => uint256) public heldOf;
    mapping(address => Strategy) public strategies;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event StrategySet(address indexed strategy, bool active);
    event Ran(address indexed strategy, address indexed by, uint256 amount);

    error NotGovernance();
    error NotActive(address strategy);
    error CodeChanged(address strategy);

    modifier onlyGovernance() {
        if (msg.sender != governance) revert NotGovernance();
        _;
    }

    constructor() {
        governance = msg.sender;
        SkimStrategy first = new SkimStrategy();
        strategies[address(first)] = Strategy(true, uint64(block.timestamp), address(first).codehash);
        emit StrategySet(address(first), true);
    }

    function deposit() external payable {
        heldOf[msg.sender] += msg.value;
        totalHeld += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(amount <= heldOf[msg.sender], "not held");
        heldOf[msg.sender] -= amount;
        totalHeld -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function setStrategy(address strategy, bool active) external onlyGovernance {
        require(strategy.code.length > 0, "no code");
        strategies[strategy] = Strategy(active, uint64(block.timestamp), strategy.codehash);
        emit StrategySet(strategy, active);
    }

    /// @notice Anybody may run what governance has approved.
    function run(address strategy, uint256 amount) external {
        Strategy storage s = strategies[strategy];
        if (!s.active) revert NotActive(strategy);
        if (strategy.codehash != s.codehash) revert CodeChanged(strategy);
        (bool ok, ) = strategy.delegatecall(abi.encodeCall(SkimStrategy.run, (amount)));
        require(ok, "strategy failed");
        emit Ran(strategy, msg.sender, amount);
    }

    function setGovernance(address next) external onlyGovernance {
        require(next != address(0), "no governance");
        governance = next;
    }
}
