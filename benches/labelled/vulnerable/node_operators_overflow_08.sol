// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract NodeToken {
    string public constant name = "Node Token";
    uint8 public constant decimals = 18;
    uint256 public constant PER_WEI = 1000;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function buy() external payable {
        uint256 amount = msg.value * PER_WEI;
        totalSupply += amount;
        balanceOf[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function sell(uint256 amount) external {
        require(amount % PER_WEI == 0, "whole wei");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        (bool ok,) = msg.sender.call{value: amount / PER_WEI}("");
        require(ok, "not accepted");
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// @title Stakes of the operators that answer data requests
contract OperatorStakes {
    struct Operator {
        uint64 stake;
        uint64 since;
        uint64 openJobs;
        bool registered;
    }

    uint256 public constant COOLDOWN = 1 days;

    NodeToken public immutable token;
    address public immutable coordinator;
    mapping(address => Operator) public operators;
    uint256 public totalStaked;

    event Registered(address indexed operator);
    event Staked(address indexed operator, uint256 amount);
    event Unstaked(address indexed operator, uint256 amount);

    constructor() {
        token = new NodeToken();
        coordinator = msg.sender;
    }

    modifier onlyOperator() {
        require(operators[msg.sender].registered, "not registered");
        _;
    }

    function register() external {
        require(!operators[msg.sender].registered, "registered");
        operators[msg.sender].registered = true;
        emit Registered(msg.sender);
    }

    function stake(uint64 amount) external onlyOperator {
        Operator storage o = operators[msg.sender];
        o.stake += amount;
        o.since = uint64(block.timestamp);
        totalStaked += amount;
        require(token.transferFrom(msg.sender, address(this), amount), "transfer");
        emit Staked(msg.sender, amount);
    }

    function unstake(uint256 amount) external onlyOperator {
        Operator storage o = operators[msg.sender];
        require(o.openJobs == 0, "jobs are open");
        require(block.timestamp >= o.since + COOLDOWN, "cooling down");
        o.stake -= uint64(amount); //~ ERROR overflow
        totalStaked -= amount;
        require(token.transfer(msg.sender, amount), "transfer");
        emit Unstaked(msg.sender, amount);
    }

    function assignJob(address operator) external {
        require(msg.sender == coordinator, "not the coordinator");
        require(operators[operator].stake > 0, "no stake");
        operators[operator].openJobs += 1;
    }

    function closeJob(address operator, uint64 fine) external {
        require(msg.sender == coordinator, "not the coordinator");
        Operator storage o = operators[operator];
        o.openJobs -= 1;
        o.stake -= fine;
        totalStaked -= fine;
        require(token.transfer(coordinator, fine), "transfer");
    }
}
