// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev Interest is a flat fee of one percent that is added when something is borrowed.
abstract contract PoolBooks {
    uint256 public cash;
    uint256 public totalOwed;
    uint256 public totalSupplied;
    uint256 public surplus;
    mapping(address => uint256) public suppliedBy;
    mapping(address => uint256) public owedBy;
    mapping(address => uint256) public pledgedBy;
    uint256 public totalPledged;

    /// @dev What is there and what is owed is what suppliers and the house have.
    modifier balanced() {
        _;
        assert(cash + totalOwed == totalSupplied + surplus); //~ ERROR assertion
    }
}

/// @title Pool that lends ether against pledged points
contract PledgePool is PoolBooks {
    uint256 public constant FEE_PERCENT = 1;

    address public immutable house;
    mapping(address => uint256) public points;
    mapping(address => bool) public welcomed;

    event Supplied(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Pledged(address indexed who, uint256 points);
    event Borrowed(address indexed who, uint256 amount, uint256 fee);
    event Repaid(address indexed who, uint256 amount, uint256 rest);
    event WrittenOff(address indexed who, uint256 amount);

    constructor() {
        house = msg.sender;
    }

    function supply() external payable balanced {
        cash += msg.value;
        totalSupplied += msg.value;
        suppliedBy[msg.sender] += msg.value;
        points[msg.sender] += msg.value;
        emit Supplied(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external balanced {
        require(amount <= cash, "lent");
        suppliedBy[msg.sender] -= amount;
        points[msg.sender] -= amount;
        totalSupplied -= amount;
        cash -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function pledge(uint256 amount) external balanced {
        points[msg.sender] -= amount;
        pledgedBy[msg.sender] += amount;
        totalPledged += amount;
        emit Pledged(msg.sender, amount);
    }

    function unpledge(uint256 amount) external balanced {
        require(owedBy[msg.sender] == 0, "owing");
        pledgedBy[msg.sender] -= amount;
        totalPledged -= amount;
        points[msg.sender] += amount;
    }

    function borrow(uint256 amount) external balanced {
        uint256 fee = (amount * FEE_PERCENT) / 100;
        require(amount > 0 && amount <= cash, "cash");
        require((owedBy[msg.sender] + amount + fee) * 2 <= pledgedBy[msg.sender], "pledge");
        owedBy[msg.sender] += amount + fee;
        totalOwed += amount + fee;
        surplus += fee;
        cash -= amount;
        emit Borrowed(msg.sender, amount, fee);
        payable(msg.sender).transfer(amount);
    }

    /// @notice What is paid beyond the debt is kept for the house.
    function repay(address debtor) external payable balanced {
        uint256 debt = owedBy[debtor];
        require(debt > 0 && msg.value > 0, "nothing to repay");
        uint256 paid = msg.value > debt ? debt : msg.value;
        owedBy[debtor] = debt - paid;
        totalOwed -= paid;
        cash += paid;
        if (msg.value > debt) {
            surplus += msg.value - debt;
        }
        emit Repaid(debtor, msg.value, debt - paid);
    }

    function takeSurplus(uint256 amount) external balanced {
        require(msg.sender == house, "house only");
        surplus -= amount;
        cash -= amount;
        payable(house).transfer(amount);
    }
}
