// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The debt token of the desk.
contract DeskNote {
    string public constant name = "Desk Note";
    string public constant symbol = "NOTE";
    uint8 public constant decimals = 18;

    address public immutable desk = msg.sender;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyDesk() {
        require(msg.sender == desk, "only the desk");
        _;
    }

    function mint(address to, uint256 value) external onlyDesk {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function burn(address from, uint256 value) external onlyDesk {
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "no receiver");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

contract LendingDesk {
    uint256 public constant MAX_LTV = 50;

    DeskNote public immutable note = new DeskNote();
    mapping(address => uint256) public collateral;
    mapping(address => uint256) public debt;
    uint256 private lock = 1;

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);

    modifier nonReentrant() {
        require(lock == 1, "locked");
        lock = 2;
        _;
        lock = 1;
    }

    function deposit() external payable nonReentrant {
        collateral[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function borrow(uint256 amount) external nonReentrant {
        require(amount > 0, "nothing to borrow");
        debt[msg.sender] += amount;
        _checkHealth(msg.sender);
        note.mint(msg.sender, amount);
    }

    function repay(uint256 amount) external nonReentrant {
        require(amount <= debt[msg.sender], "more than owed");
        debt[msg.sender] -= amount;
        note.burn(msg.sender, amount);
    }

    function move(address to, uint256 amount) external nonReentrant {
        require(to != address(0), "no receiver");
        collateral[msg.sender] -= amount;
        collateral[to] += amount;
        _checkHealth(msg.sender);
        emit Moved(msg.sender, to, amount);
    }

    function withdraw(uint256 amount) external nonReentrant {
        require(amount <= collateral[msg.sender], "more than deposited");
        collateral[msg.sender] -= amount;
        _checkHealth(msg.sender);
        emit Withdrawn(msg.sender, amount);
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }

    function _checkHealth(address account) private view {
        require(debt[account] <= collateral[account] * MAX_LTV / 100, "too much debt");
    }
}
