// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// @notice Savings of many people. Who is allowed to may collect from a passbook.
contract Passbook {
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public shortOf;
    mapping(address => mapping(address => bool)) public allowed;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Collected(address indexed who, address indexed by, uint256 amount, uint256 missing);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit Withdrawn(msg.sender, amount);
    }

    function allow(address collector, bool yes) external {
        allowed[msg.sender][collector] = yes;
    }

    /// @notice Takes what is there; what is missing is noted.
    function collect(address who, uint256 amount) external returns (uint256 taken) {
        require(allowed[who][msg.sender], "not allowed");
        taken = amount <= balanceOf[who] ? amount : balanceOf[who];
        balanceOf[who] -= taken;
        shortOf[who] += amount - taken;
        emit Collected(who, msg.sender, taken, amount - taken);
        (bool ok, ) = msg.sender.call{value: taken}("");
        require(ok, "not accepted");
    }
}

/// @notice Pays cash out of its own float, and collects it from the passbook.
contract CashKiosk {
    Passbook public immutable passbook;
    address public immutable merchant;

    uint256 public constant FEE_BPS = 50;
    uint256 public limit = 20 ether;
    uint256 public served;
    uint256 private entered = 1;

    event Paid(address indexed who, uint256 amount, uint256 fee);
    event LimitSet(uint256 limit);

    error Merchant();

    modifier lock() {
        require(entered == 1, "locked");
        entered = 2;
        _;
        entered = 1;
    }

    modifier onlyMerchant() {
        if (msg.sender != merchant) revert Merchant();
        _;
    }

    constructor(Passbook passbook_) payable {
        passbook = passbook_;
        merchant = msg.sender;
    }

    receive() external payable {}

    function cashOut(uint256 amount) external lock {
        require(amount > 0 && amount <= limit, "amount");
        require(passbook.shortOf(msg.sender) == 0, "owes");
        require(passbook.allowed(msg.sender, address(this)), "allow the kiosk first");
        require(passbook.balanceOf(msg.sender) >= amount, "not that much");
        uint256 fee = (amount * FEE_BPS) / 10_000;
        served += 1;
        (bool ok, ) = msg.sender.call{value: amount - fee}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        passbook.collect(msg.sender, amount);
        emit Paid(msg.sender, amount, fee);
    }

    function setLimit(uint256 limit_) external onlyMerchant {
        limit = limit_;
        emit LimitSet(limit_);
    }

    function takeOut(uint256 amount) external onlyMerchant lock {
        payable(merchant).transfer(amount);
    }
}
