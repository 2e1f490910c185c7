// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Accounts of the people of a village, with standing orders to each other.
contract VillageBank {
    address public clerk;
    bool public frozen;
    uint256 public accounts;

    mapping(address => uint256) public balances;
    mapping(address => mapping(address => uint256)) public limit;
    mapping(address => bool) public known;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, address indexed to, uint256 amount);
    event Paid(address indexed from, address indexed to, uint256 amount);

    modifier notFrozen() {
        require(!frozen, "closed today");
        _;
    }

    constructor() public {
        clerk = msg.sender;
    }

    function setFrozen(bool value) external {
        require(msg.sender == clerk, "not the clerk");
        frozen = value;
    }

    function deposit() external payable notFrozen {
        if (!known[msg.sender]) {
            known[msg.sender] = true;
            accounts += 1;
        }
        balances[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(address payable to, uint256 amount) external notFrozen {
        require(to != address(0), "no receiver");
        require(amount > 0 && amount <= balances[msg.sender], "not that much");
        balances[msg.sender] -= amount;
        emit Withdrawn(msg.sender, to, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment refused");
    }

    function allow(address collector, uint256 amount) external {
        limit[msg.sender][collector] = amount;
    }

    function pay(address to, uint256 amount) external {
        _pay(msg.sender, to, amount);
    }

    function collect(address from, uint256 amount) external {
        require(amount <= limit[from][msg.sender], "not allowed");
        limit[from][msg.sender] -= amount;
        _pay(from, msg.sender, amount);
    }

    function _pay(address from, address to, uint256 amount) private notFrozen {
        require(to != address(0), "no receiver");
        require(amount > 0 && amount <= balances[from], "not that much");
        balances[from] -= amount;
        balances[to] += amount;
        emit Paid(from, to, amount);
    }
}
