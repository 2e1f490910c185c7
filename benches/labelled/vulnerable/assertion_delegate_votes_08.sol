// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice A token bought for ether, whose holders vote or let somebody vote.
contract VoteToken {
    string public name;
    address public immutable treasurer;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => address) public delegateOf;
    mapping(address => uint256) public votesOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Delegated(address indexed from, address indexed to, uint256 votes);
    event Polled(address indexed who, uint256 votes);

    error Insufficient(uint256 have, uint256 want);

    constructor(string memory name_) {
        name = name_;
        treasurer = msg.sender;
    }

    function buy() external payable {
        require(msg.value > 0, "no ether");
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        address to = delegateOf[msg.sender];
        if (to != address(0)) votesOf[to] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function sell(uint256 amount) external {
        if (balanceOf[msg.sender] < amount) revert Insufficient(balanceOf[msg.sender], amount);
        require(delegateOf[msg.sender] == address(0), "undelegate first");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        payable(msg.sender).transfer(amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (balanceOf[msg.sender] < amount) revert Insufficient(balanceOf[msg.sender], amount);
        require(to != address(0), "no receiver");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function delegate(address to) external {
        address previous = delegateOf[msg.sender];
        uint256 votes = balanceOf[msg.sender];
        if (previous != address(0)) {
            votesOf[previous] = votesOf[previous] > votes ? votesOf[previous] - votes : 0;
        }
        delegateOf[msg.sender] = to;
        if (to != address(0)) {
            votesOf[to] += votes;
        }
        emit Delegated(msg.sender, to, votes);
    }

    function poll(address who) external returns (uint256 votes) {
        votes = votesOf[who];
        assert(votes <= totalSupply); //~ ERROR assertion
        emit Polled(who, votes);
    }
}
