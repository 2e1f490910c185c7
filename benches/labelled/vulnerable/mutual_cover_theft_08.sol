// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Assessed {
    address public assessor;
    address public pendingAssessor;

    event AssessorChanged(address indexed from, address indexed to);

    modifier onlyAssessor() {
        require(msg.sender == assessor, "not the assessor");
        _;
    }

    constructor() {
        assessor = msg.sender;
    }

    function nominate(address next) external onlyAssessor {
        pendingAssessor = next;
    }

    function acceptNomination() external {
        require(pendingAssessor == address(0) || pendingAssessor == msg.sender, "not nominated");
        emit AssessorChanged(assessor, msg.sender);
        assessor = msg.sender;
        pendingAssessor = address(0);
    }
}

/// Members pay premiums into one pot, and an assessor decides about the claims.
contract MutualCover is Assessed {
    enum Status {
        None,
        Filed,
        Paid,
        Rejected
    }

    struct Claim {
        address payable claimant;
        uint256 amount;
        bytes32 evidence;
        Status status;
    }

    mapping(address => uint256) public premiums;
    mapping(address => uint256) public coveredUntil;
    Claim[] private claims;

    event PremiumPaid(address indexed member, uint256 amount);
    event Filed(uint256 indexed id, address indexed claimant, uint256 amount);
    event Decided(uint256 indexed id, Status status);

    function payPremium() external payable {
        require(msg.value > 0, "no premium");
        premiums[msg.sender] += msg.value;
        coveredUntil[msg.sender] = block.timestamp + 90 days;
        emit PremiumPaid(msg.sender, msg.value);
    }

    function claimCount() external view returns (uint256) {
        return claims.length;
    }

    function claim(uint256 id) external view returns (Claim memory) {
        require(id < claims.length, "no such claim");
        return claims[id];
    }

    /// Third parties may file as well, since members can be liable to them.
    function file(uint256 amount, bytes32 evidence) external returns (uint256 id) {
        require(amount > 0, "nothing claimed");
        id = claims.length;
        claims.push(Claim(payable(msg.sender), amount, evidence, Status.Filed));
        emit Filed(id, msg.sender, amount);
    }

    function reject(uint256 id) external onlyAssessor {
        require(id < claims.length, "no such claim");
        require(claims[id].status == Status.Filed, "already decided");
        claims[id].status = Status.Rejected;
        emit Decided(id, Status.Rejected);
    }

    function approve(uint256 id) external onlyAssessor {
        require(id < claims.length, "no such claim");
        Claim storage filed = claims[id];
        require(filed.status == Status.Filed, "already decided");
        require(filed.amount <= address(this).balance, "not enough in the pot");
        filed.status = Status.Paid;
        emit Decided(id, Status.Paid);
        filed.claimant.transfer(filed.amount); //~ ERROR ether-theft
    }
}
