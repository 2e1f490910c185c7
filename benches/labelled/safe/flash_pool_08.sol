// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IBorrower {
    function onLoan(uint256 amount, uint256 fee) external payable;
}

/// A pool that lends ether for one transaction. Nothing else of it can be used meanwhile.
contract FlashPool {
    uint256 public constant FEE_PER_10000 = 9;

    address payable public immutable steward;
    mapping(address => uint256) public deposits;
    uint256 public feePot;
    bool public locked;

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, uint256 amount);
    event Lent(address indexed borrower, uint256 amount, uint256 fee);

    modifier whenFree() {
        require(!locked, "a loan is open");
        locked = true;
        _;
        locked = false;
    }

    constructor(address payable steward_) {
        steward = steward_;
    }

    /// Borrowers pay back here.
    receive() external payable {
        require(locked, "use deposit");
    }

    function deposit() external payable whenFree {
        require(msg.value > 0, "nothing sent");
        deposits[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external whenFree {
        require(amount <= deposits[msg.sender], "more than deposited");
        deposits[msg.sender] -= amount;
        emit Withdrawn(msg.sender, amount);
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }

    function flashLoan(uint256 amount) external whenFree {
        uint256 held = address(this).balance;
        require(amount > 0 && amount <= held, "bad amount");
        uint256 fee = amount * FEE_PER_10000 / 10000 + 1;
        IBorrower(msg.sender).onLoan{value: amount}(amount, fee);
        require(address(this).balance >= held + fee, "not paid back");
        feePot += fee;
        emit Lent(msg.sender, amount, fee);
    }

    function collect() external whenFree {
        require(msg.sender == steward, "not the steward");
        uint256 amount = feePot;
        feePot = 0;
        steward.transfer(amount);
    }
}

/// A borrower that only its owner uses: it lends from the pool and pays back what it owes.
contract LoanUser is IBorrower {
    address payable public immutable owner = payable(msg.sender);
    FlashPool public immutable pool = new FlashPool(payable(msg.sender));
    uint256 public loans;

    receive() external payable {}

    function use(uint256 amount) external {
        require(msg.sender == owner, "not the owner");
        pool.flashLoan(amount);
    }

    function onLoan(uint256 amount, uint256 fee) external payable override {
        require(msg.sender == address(pool), "not the pool");
        require(msg.value == amount, "wrong amount");
        loans += 1;
        (bool success,) = address(pool).call{value: amount + fee}("");
        require(success, "could not pay back");
    }

    function collect() external {
        require(msg.sender == owner, "not the owner");
        owner.transfer(address(this).balance);
    }
}
