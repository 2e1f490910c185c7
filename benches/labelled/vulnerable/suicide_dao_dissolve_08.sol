// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice A club with a common purse. More than half of the members may dissolve it.
contract ClubDao {
    struct Motion {
        address proposer;
        address payable receiver;
        uint64 createdAt;
        uint64 votes;
    }

    uint256 public constant ENTRY = 0.01 ether;

    string public statute;
    uint256 public memberCount;
    uint256 public motionCount;
    mapping(address => bool) public isMember;
    mapping(uint256 => Motion) public motions;

    event Joined(address indexed member);
    event Left(address indexed member);
    event MotionMade(uint256 indexed id, address indexed proposer, address receiver);
    event VoteCast(uint256 indexed id, address indexed member, uint256 votes);
    event Dissolved(uint256 indexed id, address receiver);

    modifier onlyMember() {
        require(isMember[msg.sender], "members only");
        _;
    }

    constructor(string memory statute_) payable {
        statute = statute_;
        isMember[msg.sender] = true;
        memberCount = 1;
    }

    receive() external payable {}

    function join() external payable {
        require(!isMember[msg.sender], "member already");
        require(msg.value >= ENTRY, "entry fee");
        isMember[msg.sender] = true;
        memberCount += 1;
        emit Joined(msg.sender);
    }

    function resign() external onlyMember {
        require(memberCount > 1, "the last one stays");
        isMember[msg.sender] = false;
        memberCount -= 1;
        emit Left(msg.sender);
    }

    function moveToDissolve(address payable receiver) external onlyMember returns (uint256 id) {
        require(receiver != address(0), "no receiver");
        id = ++motionCount;
        motions[id] = Motion(msg.sender, receiver, uint64(block.timestamp), 1);
        emit MotionMade(id, msg.sender, receiver);
    }

    function vote(uint256 id) external onlyMember {
        Motion storage m = motions[id];
        require(m.proposer != address(0), "no such motion");
        m.votes += 1;
        emit VoteCast(id, msg.sender, m.votes);
    }

    function dissolve(uint256 id) external onlyMember {
        Motion storage m = motions[id];
        require(m.proposer != address(0), "no such motion");
        require(uint256(m.votes) * 2 > memberCount, "no majority");
        emit Dissolved(id, m.receiver);
        selfdestruct(m.receiver); //~ ERROR self-destruct
    }
}
