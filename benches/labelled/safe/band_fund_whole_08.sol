// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Fund of a band: members hold parts of ten thousand, and trade them among each other
contract TroupeFund {
    uint256 public constant PARTS = 10000;
    uint256 public constant ENTRY = 0.01 ether;
    uint32 public constant FIRST_PARTS = 250;

    struct Member {
        uint32 parts;
        uint32 position;
        uint192 drawn;
    }

    address[] public members;
    mapping(address => Member) public memberOf;
    uint256 public income;
    uint256 public parked;
    mapping(address => uint256) public due;

    event Joined(address indexed member);
    event Left(address indexed member, address indexed heir, uint256 parts);
    event Passed(address indexed from, address indexed to, uint256 parts);
    event Income(uint256 amount);
    event Shared(uint256 amount);

    constructor(string memory) {
        members.push(msg.sender);
        memberOf[msg.sender] = Member(uint32(PARTS), 0, 0);
        emit Joined(msg.sender);
    }

    receive() external payable {
        income += msg.value;
        emit Income(msg.value);
    }

    /// @notice Anyone may be a member, and buys a first few parts from whoever is longest in the band.
    function join() external payable {
        require(!isMember(msg.sender), "member already");
        require(members.length < 20, "full");
        require(msg.value == ENTRY, "entry");
        // what came in until now is for those who are members now
        if (income > 0) _share();
        address seller = members[0];
        memberOf[seller].parts -= FIRST_PARTS;
        due[seller] += ENTRY;
        memberOf[msg.sender] = Member(FIRST_PARTS, uint32(members.length), 0);
        members.push(msg.sender);
        emit Joined(msg.sender);
    }

    function isMember(address who) public view returns (bool) {
        uint256 position = memberOf[who].position;
        return position < members.length && members[position] == who;
    }

    function pass(address to, uint32 parts) external {
        require(isMember(msg.sender) && isMember(to), "members only");
        require(to != msg.sender, "yourself");
        Member memory from = memberOf[msg.sender];
        Member memory other = memberOf[to];
        require(from.parts >= parts, "too many");
        memberOf[msg.sender].parts = from.parts - parts;
        memberOf[to].parts = other.parts + parts;
        emit Passed(msg.sender, to, parts);
    }

    /// @notice Whoever leaves names a member who gets their parts.
    function leave(address heir) external {
        require(isMember(msg.sender) && isMember(heir), "members only");
        require(heir != msg.sender, "yourself");
        Member memory gone = memberOf[msg.sender];
        memberOf[heir].parts += gone.parts;
        address last = members[members.length - 1];
        members[gone.position] = last;
        memberOf[last].position = gone.position;
        members.pop();
        delete memberOf[msg.sender];
        emit Left(msg.sender, heir, gone.parts);
    }

    /// @notice Shares what came in since the last time.
    function share() external {
        require(income >= PARTS, "too little");
        _share();
    }

    function _share() private {
        uint256 amount = income;
        income = 0;
        uint256 all;
        uint256 given;
        for (uint256 i = 0; i < members.length; i++) {
            uint256 parts = memberOf[members[i]].parts;
            all += parts;
            uint256 part = (amount * parts) / PARTS;
            due[members[i]] += part;
            given += part;
        }
        assert(all == PARTS);
        parked += amount - given;
        emit Shared(amount);
    }

    function draw() external {
        uint256 amount = due[msg.sender];
        require(amount > 0, "nothing due");
        due[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
