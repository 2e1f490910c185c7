// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ICreditLine {
    function debtOf(address account) external view returns (uint256);
}

abstract contract Guarded {
    bool private _inside;

    modifier guarded() {
        require(!_inside, "inside");
        _inside = true;
        _;
        _inside = false;
    }
}

abstract contract Operated {
    address public operator;

    event OperatorChanged(address indexed operator);

    modifier onlyOperator() {
        require(msg.sender == operator, "operator only");
        _;
    }

    constructor() {
        operator = msg.sender;
    }

    function changeOperator(address next) external onlyOperator {
        require(next != address(0), "nobody");
        operator = next;
        emit OperatorChanged(next);
    }
}

/// @notice Keeps the collateral of all borrowers, apart from what is lent.
contract Custody is Guarded, Operated {
    ICreditLine public line;
    mapping(address => uint256) public heldFor;
    uint256 public held;

    event Placed(address indexed account, uint256 amount);
    event Released(address indexed account, uint256 amount);
    event Seized(address indexed account, uint256 amount);

    function place() external payable guarded {
        require(msg.value > 0, "nothing");
        heldFor[msg.sender] += msg.value;
        held += msg.value;
        emit Placed(msg.sender, msg.value);
    }

    /// @notice Whoever owes nothing may have their collateral back, in parts or at once.
    function release(uint256 amount) external guarded {
        uint256 mine = heldFor[msg.sender];
        require(amount > 0 && amount <= mine, "too much");
        require(address(line) == address(0) || line.debtOf(msg.sender) == 0, "still owing");
        held -= amount;
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "refused");
        heldFor[msg.sender] = mine - amount;
        emit Released(msg.sender, amount);
    }

    /// @dev once, by the credit line itself when it is deployed with this custody
    function attach() external {
        require(address(line) == address(0), "attached");
        require(tx.origin == operator, "operator only");
        line = ICreditLine(msg.sender);
    }

    function seize(address account, uint256 amount) external guarded {
        require(msg.sender == address(line), "line only");
        heldFor[account] -= amount;
        held -= amount;
        emit Seized(account, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }
}

/// @notice Lends ether of the operator against three quarters of the collateral.
contract CreditLine is Guarded, Operated, ICreditLine {
    uint256 public constant RATIO = 75;
    uint256 public constant TERM = 30 days;

    Custody public immutable custody;
    mapping(address => uint256) public debtOf;
    mapping(address => uint256) public dueAt;

    event Drawn(address indexed account, uint256 amount);
    event Repaid(address indexed account, uint256 amount);
    event Foreclosed(address indexed account, uint256 amount);

    constructor(Custody custody_) payable {
        custody = custody_;
        custody_.attach();
    }

    receive() external payable {}

    function limitOf(address account) public view returns (uint256) {
        return (custody.heldFor(account) * RATIO) / 100;
    }

    function draw(uint256 amount) external guarded {
        require(amount > 0 && debtOf[msg.sender] + amount <= limitOf(msg.sender), "over the limit");
        debtOf[msg.sender] += amount;
        dueAt[msg.sender] = block.timestamp + TERM;
        emit Drawn(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }

    function repay() external payable guarded {
        debtOf[msg.sender] -= msg.value;
        emit Repaid(msg.sender, msg.value);
    }

    function foreclose(address account) external guarded onlyOperator {
        uint256 debt = debtOf[account];
        require(debt > 0 && block.timestamp > dueAt[account], "not due");
        debtOf[account] = 0;
        emit Foreclosed(account, debt);
        custody.seize(account, debt);
    }

    function takeLiquidity(uint256 amount) external guarded onlyOperator {
        payable(operator).transfer(amount);
    }
}
