// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Members pay their dues by the month, and may keep a reserve for later months.
contract MembershipDues { //~ ERROR frozen-ether
    uint256 public constant MONTHLY = 1 gwei;

    mapping(address => uint256) public paidUntil;
    mapping(address => uint256) public reserveOf;
    uint256 public collected;

    event Paid(address indexed member, uint256 months);
    event Reserved(address indexed member, uint256 amount);

    function pay() external payable {
        uint256 months = msg.value / MONTHLY;
        require(months > 0, "less than a month");
        require(months <= 24, "two years at most");
        uint256 start = paidUntil[msg.sender] > block.timestamp ? paidUntil[msg.sender] : block.timestamp;
        paidUntil[msg.sender] = start + months * 30 days;
        collected += months * MONTHLY;
        reserveOf[msg.sender] += msg.value - months * MONTHLY;
        emit Paid(msg.sender, months);
    }

    function useReserve() external {
        require(reserveOf[msg.sender] >= MONTHLY, "reserve too small");
        reserveOf[msg.sender] -= MONTHLY;
        collected += MONTHLY;
        uint256 start = paidUntil[msg.sender] > block.timestamp ? paidUntil[msg.sender] : block.timestamp;
        paidUntil[msg.sender] = start + 30 days;
        emit Paid(msg.sender, 1);
    }

    function reserve() external payable {
        require(msg.value > 0, "nothing sent");
        reserveOf[msg.sender] += msg.value;
        emit Reserved(msg.sender, msg.value);
    }

    function isPaid(address member) external view returns (bool) {
        return paidUntil[member] >= block.timestamp;
    }
}

/// Votes of the guild. Each member has a hundred of them, and may lend some to delegates.
contract GuildVotes {
    uint256 public constant GRANT = 100;

    mapping(address => bool) public isMember;
    mapping(address => uint256) public own;
    mapping(address => uint256) public received;
    mapping(address => mapping(address => uint256)) public lent;
    mapping(uint256 => uint256) public votesFor;
    mapping(uint256 => mapping(address => bool)) public hasVoted;
    uint256 public totalVotes;

    event Joined(address indexed member);
    event Left(address indexed member);
    event Lent(address indexed from, address indexed to, uint256 votes);
    event Voted(address indexed voter, uint256 indexed proposal, uint256 votes);

    function join() external {
        require(!isMember[msg.sender], "already a member");
        isMember[msg.sender] = true;
        own[msg.sender] = GRANT;
        totalVotes += GRANT;
        emit Joined(msg.sender);
    }

    function lend(address to, uint256 votes) external {
        require(to != msg.sender, "to yourself");
        require(votes > 0 && votes <= own[msg.sender], "not enough votes");
        own[msg.sender] -= votes;
        lent[msg.sender][to] += votes;
        received[to] += votes;
        emit Lent(msg.sender, to, votes);
    }

    function recall(address to) external {
        require(isMember[msg.sender], "not a member");
        uint256 votes = lent[msg.sender][to];
        lent[msg.sender][to] = 0;
        received[to] -= votes;
        own[msg.sender] += votes;
    }

    function leave() external {
        require(isMember[msg.sender], "not a member");
        isMember[msg.sender] = false;
        own[msg.sender] = 0;
        totalVotes -= GRANT;
        emit Left(msg.sender);
    }

    function vote(uint256 proposal) external {
        require(!hasVoted[proposal][msg.sender], "already voted");
        uint256 votes = own[msg.sender] + received[msg.sender];
        require(votes > 0, "no votes");
        assert(votes <= totalVotes); //~ ERROR assertion
        hasVoted[proposal][msg.sender] = true;
        votesFor[proposal] += votes;
        emit Voted(msg.sender, proposal, votes);
    }
}
