// By design: block numbers measure the voting period (about a week).
pragma solidity ^0.4.24;

contract BlockVoteClub {
    uint256 public constant VOTING_BLOCKS = 40320;

    struct Proposal {
        address recipient;
        uint256 amount;
        uint256 endBlock;
        uint256 needed;
        uint256 yes;
        bool executed;
    }

    address public chair;
    uint256 public memberCount;
    mapping(address => bool) public isMember;
    Proposal[] public proposals;
    mapping(uint256 => mapping(address => bool)) public voted;

    event Proposed(uint256 indexed id, address recipient, uint256 amount);
    event Voted(uint256 indexed id, address indexed member);
    event Executed(uint256 indexed id);

    modifier onlyMember() {
        require(isMember[msg.sender], "members only");
        _;
    }

    constructor() public {
        chair = msg.sender;
        isMember[msg.sender] = true;
        memberCount = 1;
    }

    function () external payable {}

    function invite(address who) public {
        require(msg.sender == chair, "chair only");
        require(who != address(0) && !isMember[who], "bad member");
        isMember[who] = true;
        memberCount += 1;
    }

    function propose(address recipient, uint256 amount) public onlyMember returns (uint256 id) {
        require(recipient != address(0), "zero");
        id = proposals.length;
        proposals.push(Proposal(recipient, amount, block.number + VOTING_BLOCKS, memberCount / 2 + 1, 0, false));
        emit Proposed(id, recipient, amount);
    }

    function vote(uint256 id) public onlyMember {
        require(id < proposals.length, "unknown");
        Proposal storage p = proposals[id];
        require(block.number <= p.endBlock, "over");
        require(!voted[id][msg.sender], "voted");
        voted[id][msg.sender] = true;
        p.yes += 1;
        emit Voted(id, msg.sender);
    }

    function execute(uint256 id) public onlyMember {
        require(id < proposals.length, "unknown");
        Proposal storage p = proposals[id];
        require(block.number > p.endBlock, "running");
        require(p.yes >= p.needed, "rejected");
        require(!p.executed, "done");
        p.executed = true;
        require(p.recipient.call.value(p.amount)(), "payment failed");
        emit Executed(id);
    }
}
