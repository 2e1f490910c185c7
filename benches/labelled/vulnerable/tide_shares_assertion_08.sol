// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Shares in a tidal power station
/// @notice Each household of the village gets fifty shares. The weight of a
/// household in a vote is its part of all shares.
contract TideShares {
    uint256 public constant PER_HOUSEHOLD = 50;
    uint256 public constant WHOLE = 10_000;

    mapping(address => uint256) public sharesOf;
    mapping(address => bool) public registered;
    mapping(bytes32 => mapping(address => bool)) public votedOn;
    mapping(bytes32 => uint256) public votes;
    uint256 public supply;

    event Registered(address indexed household);
    event Passed(address indexed from, address indexed to, uint256 amount);
    event Voted(address indexed household, bytes32 indexed motion);

    function register() external {
        require(!registered[msg.sender], "registered");
        registered[msg.sender] = true;
        sharesOf[msg.sender] += PER_HOUSEHOLD;
        supply += PER_HOUSEHOLD;
        emit Registered(msg.sender);
    }

    function pass(address to, uint256 amount) external {
        require(to != address(0), "no receiver");
        uint256 giver = sharesOf[msg.sender];
        uint256 receiver = sharesOf[to];
        require(amount <= giver, "not that many shares");
        sharesOf[msg.sender] = giver - amount;
        sharesOf[to] = receiver + amount;
        emit Passed(msg.sender, to, amount);
    }

    function vote(bytes32 motion) external {
        require(registered[msg.sender], "not registered");
        require(!votedOn[motion][msg.sender], "voted");
        votedOn[motion][msg.sender] = true;
        votes[motion] += 1;
        emit Voted(msg.sender, motion);
    }

    /// @return weight in hundredths of a percent
    function weightOf(address household) external view returns (uint256 weight) {
        if (supply == 0) return 0;
        uint256 held = sharesOf[household];
        assert(held <= supply); //~ ERROR assertion
        weight = (held * WHOLE) / supply;
    }
}
