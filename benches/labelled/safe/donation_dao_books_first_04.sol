pragma solidity ^0.4.24;

contract GuildFund {
    struct Motion {
        address proposer;
        bytes32 purpose;
        uint256 votes;
        bool closed;
    }

    address public curator;
    bytes32 public charter;
    uint256 public totalCredit;
    mapping(address => uint256) public credit;
    mapping(address => uint256) public votingCredit;
    mapping(uint256 => mapping(address => bool)) public hasVoted;
    Motion[] private motions;

    event Donated(address indexed from, address indexed to, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Moved(uint256 indexed id, address indexed proposer, bytes32 purpose);

    modifier onlyCurator() {
        require(msg.sender == curator);
        _;
    }

    constructor(bytes32 _charter) public {
        curator = msg.sender;
        charter = _charter;
    }

    function() public payable {
        donateTo(msg.sender);
    }

    function donateTo(address to) public payable {
        require(to != address(0));
        credit[to] += msg.value;
        totalCredit += msg.value;
        emit Donated(msg.sender, to, msg.value);
    }

    function withdraw(uint256 amount) public {
        require(amount <= credit[msg.sender]);
        credit[msg.sender] -= amount;
        totalCredit -= amount;
        emit Withdrawn(msg.sender, amount);
        bool sent = msg.sender.call.value(amount)();
        require(sent);
    }

    function withdrawAll() public {
        withdraw(credit[msg.sender]);
    }

    function move(bytes32 purpose) public returns (uint256) {
        require(credit[msg.sender] > 0);
        motions.push(Motion(msg.sender, purpose, 0, false));
        emit Moved(motions.length - 1, msg.sender, purpose);
        return motions.length - 1;
    }

    function vote(uint256 id) public {
        require(id < motions.length && !motions[id].closed);
        require(!hasVoted[id][msg.sender]);
        hasVoted[id][msg.sender] = true;
        votingCredit[msg.sender] = credit[msg.sender];
        motions[id].votes += 1;
    }

    function close(uint256 id) public onlyCurator {
        require(id < motions.length);
        motions[id].closed = true;
    }
}
