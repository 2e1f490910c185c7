// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Ether that strategies put to work. Strategies run in the context of the vault.
contract StrategyVault {
    struct Strategy {
        bool active;
        uint64 addedAt;
        uint96 runs;
    }

    address public governance;
    uint256 public totalShares;
    uint256 public strategyCount;
    mapping(address => uint256) public sharesOf;
    mapping(address => Strategy) public strategies;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event StrategyAdded(address indexed strategy);
    event StrategyRemoved(address indexed strategy);
    event Harvested(address indexed strategy, address indexed by);

    error NotGovernance();
    error NotActive(address strategy);

    modifier onlyGovernance() {
        if (msg.sender != governance) revert NotGovernance();
        _;
    }

    constructor(address governance_) {
        governance = governance_;
    }

    function deposit() external payable {
        sharesOf[msg.sender] += msg.value;
        totalShares += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 shares) external {
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        emit Withdrawn(msg.sender, shares);
        payable(msg.sender).transfer(shares);
    }

    function addStrategy(address strategy) external {
        require(strategy.code.length > 0, "no code");
        require(!strategies[strategy].active, "active");
        strategies[strategy] = Strategy(true, uint64(block.timestamp), 0);
        strategyCount += 1;
        emit StrategyAdded(strategy);
    }

    function removeStrategy(address strategy) external onlyGovernance {
        if (!strategies[strategy].active) revert NotActive(strategy);
        strategies[strategy].active = false;
        strategyCount -= 1;
        emit StrategyRemoved(strategy);
    }

    function harvest(address strategy, bytes calldata data) external returns (bytes memory) {
        Strategy storage s = strategies[strategy];
        if (!s.active) revert NotActive(strategy);
        s.runs += 1;
        (bool ok, bytes memory result) = strategy.delegatecall(data); //~ ERROR delegatecall
        require(ok, "strategy failed");
        emit Harvested(strategy, msg.sender);
        return result;
    }

    function setGovernance(address next) external onlyGovernance {
        require(next != address(0), "no governance");
        governance = next;
    }
}
