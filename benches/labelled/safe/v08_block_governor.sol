// By design: block numbers are the voting period, and the majority of locked stake sets the fee within its bounds.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract FeeGovernor {
    uint256 public constant VOTING_DELAY = 1;
    uint256 public constant VOTING_PERIOD = 50_400;
    uint256 public constant MAX_FEE_BPS = 300;
    uint256 public constant QUORUM = 10 ether;

    struct Proposal {
        uint16 feeBps;
        uint64 startBlock;
        uint64 endBlock;
        bool executed;
        uint256 yes;
        uint256 no;
    }

    uint256 public feeBps = 30;
    Proposal[] public proposals;
    mapping(address => uint256) public stakeOf;
    mapping(address => uint256) public lockedUntil;
    mapping(uint256 => mapping(address => bool)) public hasVoted;

    event Proposed(uint256 indexed id, uint16 feeBps, uint64 endBlock);
    event Voted(uint256 indexed id, address indexed who, bool support, uint256 weight);
    event FeeChanged(uint256 feeBps);

    function stake() external payable {
        stakeOf[msg.sender] += msg.value;
    }

    /// stake that has voted stays until the vote is over, so it cannot vote from a second account
    function unstake(uint256 amount) external {
        require(block.number > lockedUntil[msg.sender], "locked by a vote");
        stakeOf[msg.sender] -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function propose(uint16 newFeeBps) external returns (uint256 id) {
        require(stakeOf[msg.sender] >= 1 ether, "stake first");
        require(newFeeBps <= MAX_FEE_BPS, "fee bound");
        uint64 start = uint64(block.number + VOTING_DELAY);
        uint64 end = uint64(block.number + VOTING_DELAY + VOTING_PERIOD);
        id = proposals.length;
        proposals.push(Proposal(newFeeBps, start, end, false, 0, 0));
        emit Proposed(id, newFeeBps, end);
    }

    function vote(uint256 id, bool support) external {
        Proposal storage p = proposals[id];
        require(block.number >= p.startBlock && block.number <= p.endBlock, "not open");
        require(!hasVoted[id][msg.sender], "voted");
        uint256 weight = stakeOf[msg.sender];
        require(weight > 0, "no stake");
        hasVoted[id][msg.sender] = true;
        if (p.endBlock > lockedUntil[msg.sender]) lockedUntil[msg.sender] = p.endBlock;
        if (support) p.yes += weight;
        else p.no += weight;
        emit Voted(id, msg.sender, support, weight);
    }

    function execute(uint256 id) external {
        Proposal storage p = proposals[id];
        require(block.number > p.endBlock, "running");
        require(block.number <= p.endBlock + VOTING_PERIOD, "stale");
        require(!p.executed, "executed");
        require(p.yes > p.no && p.yes + p.no >= QUORUM, "rejected");
        p.executed = true;
        feeBps = p.feeBps;
        emit FeeChanged(p.feeBps);
    }
}
