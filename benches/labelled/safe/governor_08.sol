// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract StakeToken {
    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(address holder, uint256 supply) {
        totalSupply = supply;
        balanceOf[holder] = supply;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice Locked tokens vote on calls, which can be made some blocks after the vote.
contract BlockGovernor {
    struct Proposal {
        address proposer;
        address target;
        uint256 value;
        bytes data;
        uint64 voteStart;
        uint64 voteEnd;
        uint128 eta;
        uint256 yes;
        uint256 no;
        bool executed;
    }

    uint64 public constant DELAY = 10;
    uint64 public constant PERIOD = 100;

    StakeToken public immutable token;
    uint256 public immutable quorum;
    uint256 public proposalCount;
    mapping(uint256 => Proposal) public proposals;
    mapping(uint256 => mapping(address => bool)) public hasVoted;
    mapping(address => uint256) public lockedOf;
    mapping(address => uint256) public lockedUntil;

    event Proposed(uint256 indexed id, address indexed proposer, address target, uint256 value);
    event Voted(uint256 indexed id, address indexed voter, bool yes, uint256 weight);
    event Executed(uint256 indexed id);

    constructor(uint96 supply) {
        token = new StakeToken(msg.sender, supply);
        quorum = (uint256(supply) * 40) / 100 + 1;
    }

    receive() external payable {}

    function lock(uint256 amount) external {
        require(amount > 0, "nothing");
        lockedOf[msg.sender] += amount;
        require(token.transferFrom(msg.sender, address(this), amount), "tokens");
    }

    function unlock(uint256 amount) external {
        require(block.number > lockedUntil[msg.sender], "votes are running");
        require(amount <= lockedOf[msg.sender], "not locked");
        lockedOf[msg.sender] -= amount;
        require(token.transfer(msg.sender, amount), "tokens");
    }

    function propose(address target, uint256 value, bytes calldata data) external returns (uint256 id) {
        require(lockedOf[msg.sender] > 0, "holders only");
        require(target != address(0) && target != address(token), "target");
        id = ++proposalCount;
        Proposal storage p = proposals[id];
        p.proposer = msg.sender;
        p.target = target;
        p.value = value;
        p.data = data;
        p.voteStart = uint64(block.number) + DELAY;
        p.voteEnd = p.voteStart + PERIOD;
        p.eta = uint128(p.voteEnd) + DELAY;
        emit Proposed(id, msg.sender, target, value);
    }

    function vote(uint256 id, bool yes) external {
        Proposal storage p = proposals[id];
        require(p.proposer != address(0), "no such proposal");
        require(block.number >= p.voteStart && block.number <= p.voteEnd, "not the time");
        require(!hasVoted[id][msg.sender], "voted");
        uint256 weight = lockedOf[msg.sender];
        require(weight > 0, "no votes");
        hasVoted[id][msg.sender] = true;
        if (lockedUntil[msg.sender] < p.voteEnd) lockedUntil[msg.sender] = p.voteEnd;
        if (yes) p.yes += weight;
        else p.no += weight;
        emit Voted(id, msg.sender, yes, weight);
    }

    function execute(uint256 id) external {
        Proposal storage p = proposals[id];
        require(p.proposer != address(0) && !p.executed, "not open");
        require(block.number > p.eta, "too early");
        require(p.yes >= quorum && p.yes > p.no, "not accepted");
        p.executed = true;
        (bool ok, bytes memory reason) = p.target.call{value: p.value}(p.data);
        if (!ok) {
            assembly {
                revert(add(reason, 0x20), mload(reason))
            }
        }
        emit Executed(id);
    }
}
