pragma solidity ^0.4.24;

contract DonationDao {
    struct Proposal {
        address proposer;
        bytes32 purpose;
        uint256 votes;
        bool closed;
    }

    address public curator;
    bytes32 public charter;
    mapping(address => uint256) public credit;
    mapping(address => bool) public blocked;
    mapping(uint256 => mapping(address => bool)) public hasVoted;
    Proposal[] private proposals;

    event Donated(address indexed from, address indexed to, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Proposed(uint256 indexed id, address indexed proposer, bytes32 purpose);

    modifier onlyCurator() {
        require(msg.sender == curator);
        _;
    }

    modifier notBlocked() {
        require(!blocked[msg.sender]);
        _;
    }

    constructor(bytes32 _charter) public {
        curator = msg.sender;
        charter = _charter;
    }

    function donate(address to) public payable notBlocked {
        require(to != address(0));
        credit[to] += msg.value;
        emit Donated(msg.sender, to, msg.value);
    }

    function withdraw(uint256 amount) public notBlocked {
        if (credit[msg.sender] >= amount) {
            bool sent = msg.sender.call.value(amount)(); //~ ERROR reentrancy
            require(sent);
            credit[msg.sender] -= amount;
            emit Withdrawn(msg.sender, amount);
        }
    }

    function propose(bytes32 purpose) public notBlocked returns (uint256) {
        require(credit[msg.sender] > 0);
        proposals.push(Proposal(msg.sender, purpose, 0, false));
        emit Proposed(proposals.length - 1, msg.sender, purpose);
        return proposals.length - 1;
    }

    function vote(uint256 id) public notBlocked {
        require(id < proposals.length && !proposals[id].closed);
        require(!hasVoted[id][msg.sender]);
        hasVoted[id][msg.sender] = true;
        proposals[id].votes += credit[msg.sender];
    }

    function closeProposal(uint256 id) public onlyCurator {
        require(id < proposals.length);
        proposals[id].closed = true;
    }

    function setBlocked(address who, bool value) public onlyCurator {
        blocked[who] = value;
    }

    function votesOf(uint256 id) public view returns (uint256) {
        require(id < proposals.length);
        return proposals[id].votes;
    }
}
