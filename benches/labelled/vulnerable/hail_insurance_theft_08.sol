// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Mutual hail insurance of the fruit growers
/// @notice Premiums make up the reserve. The adjuster draws on it and pays the
/// growers after a visit to the orchard. If the adjuster falls ill, a deputy
/// can step in after thirty days.
contract HailInsurance {
    error NotAdjuster();
    error WrongPremium(uint256 expected);
    error ReserveTooSmall(uint256 reserve);
    error NobodyMissing();

    uint256 public constant PREMIUM = 50 gwei;
    uint256 public constant TERM = 365 days;
    uint256 public constant ABSENCE = 30 days;

    address public adjuster;
    uint256 public lastSeen;
    mapping(address grower => uint256 time) public insuredUntil;
    mapping(address grower => bytes32 report) public reports;

    event Insured(address indexed grower, uint256 until);
    event Damage(address indexed grower, bytes32 report);
    event Drawn(address indexed adjuster, uint256 amount);
    event SteppedIn(address indexed deputy);

    modifier onlyAdjuster() {
        if (msg.sender != adjuster) revert NotAdjuster();
        lastSeen = block.timestamp;
        _;
    }

    constructor() {
        adjuster = msg.sender;
        lastSeen = block.timestamp;
    }

    function insure() external payable {
        if (msg.value != PREMIUM) revert WrongPremium(PREMIUM);
        uint256 from = insuredUntil[msg.sender];
        if (from < block.timestamp) from = block.timestamp;
        insuredUntil[msg.sender] = from + TERM;
        emit Insured(msg.sender, from + TERM);
    }

    function reportDamage(bytes32 report) external {
        require(insuredUntil[msg.sender] >= block.timestamp, "not insured");
        reports[msg.sender] = report;
        emit Damage(msg.sender, report);
    }

    /// @notice Replaces an adjuster who has not been seen for a while.
    function stepIn() external {
        bool missing = block.timestamp > lastSeen + ABSENCE;
        if (!missing && msg.sender == adjuster) revert NobodyMissing();
        adjuster = msg.sender;
        lastSeen = block.timestamp;
        emit SteppedIn(msg.sender);
    }

    function checkIn() external onlyAdjuster {}

    function draw(uint256 amount) external onlyAdjuster {
        uint256 reserve = address(this).balance;
        if (amount > reserve) revert ReserveTooSmall(reserve);
        payable(msg.sender).transfer(amount); //~ ERROR ether-theft
        emit Drawn(msg.sender, amount);
    }
}
