// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Voters spread 10,000 points over gauges; emissions follow the weights.
contract GaugeVoting {
    uint256 public constant MAX_POINTS = 10_000;

    address public immutable governance;
    uint256 public gaugeCount;
    uint256 public voters;
    mapping(address => bool) public hasVoted;
    uint256 public epochLength;

    mapping(uint256 => bool) public isGauge;
    mapping(uint256 => uint256) public weightOf;
    mapping(address => uint256) public pointsUsed;
    mapping(address => mapping(uint256 => uint256)) public pointsOn;

    event GaugeAdded(uint256 indexed gauge);
    event Voted(address indexed voter, uint256 indexed gauge, uint256 points);
    event Reset(address indexed voter, uint256 indexed gauge, uint256 points);

    error UnknownGauge(uint256 gauge);
    error TooManyPoints(uint256 used);

    modifier onlyGovernance() {
        require(msg.sender == governance, "governance only");
        _;
    }

    constructor(uint256 epochLength_) {
        governance = msg.sender;
        epochLength = epochLength_;
        _addGauge();
        _addGauge();
    }

    function addGauge() external onlyGovernance {
        _addGauge();
    }

    function vote(uint256 gauge, uint256 points) external {
        if (!isGauge[gauge]) revert UnknownGauge(gauge);
        require(points > 0, "no points");
        uint256 used;
        unchecked {
            used = pointsUsed[msg.sender] + points; //~ ERROR overflow
        }
        if (used > MAX_POINTS) revert TooManyPoints(used);
        pointsUsed[msg.sender] = used;
        pointsOn[msg.sender][gauge] += points;
        weightOf[gauge] += points;
        if (!hasVoted[msg.sender]) {
            hasVoted[msg.sender] = true;
            voters += 1;
        }
        emit Voted(msg.sender, gauge, points);
    }

    function reset(uint256 gauge) external {
        uint256 points = pointsOn[msg.sender][gauge];
        require(points > 0, "no vote");
        require(points <= pointsUsed[msg.sender], "books");
        pointsOn[msg.sender][gauge] = 0;
        pointsUsed[msg.sender] -= points;
        weightOf[gauge] -= points;
        emit Reset(msg.sender, gauge, points);
    }

    function shareOf(uint256 gauge) external view returns (uint256) {
        if (voters == 0 || weightOf[gauge] > type(uint128).max) return 0;
        return (weightOf[gauge] * 1e18) / (voters * MAX_POINTS);
    }

    function _addGauge() private {
        gaugeCount += 1;
        isGauge[gaugeCount] = true;
        emit GaugeAdded(gaugeCount);
    }
}
