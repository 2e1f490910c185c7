// By design: lends all it has for the time of one call; what was not repaid with the fee reverts the whole.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IFlashBorrower {
    function onFlashLoan(uint256 amount, uint256 fee, bytes calldata data) external payable;
}

contract FlashPool {
    uint256 private constant VIRTUAL_SHARES = 1e6;
    uint256 public constant FEE_BPS = 9;

    uint256 public pool;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;
    uint256 private _repaid;
    bool private _lending;
    bool private _entered;

    event Deposit(address indexed who, uint256 amount, uint256 shares);
    event Withdrawal(address indexed who, uint256 amount, uint256 shares);
    event FlashLoan(address indexed who, uint256 amount, uint256 fee);

    modifier nonReentrant() {
        require(!_entered, "reentered");
        _entered = true;
        _;
        _entered = false;
    }

    function deposit(uint256 minShares) external payable nonReentrant returns (uint256 shares) {
        shares = msg.value * (totalShares + VIRTUAL_SHARES) / (pool + 1);
        require(shares > 0 && shares >= minShares, "shares");
        pool += msg.value;
        totalShares += shares;
        sharesOf[msg.sender] += shares;
        emit Deposit(msg.sender, msg.value, shares);
    }

    function withdraw(uint256 shares) external nonReentrant returns (uint256 amount) {
        amount = shares * (pool + 1) / (totalShares + VIRTUAL_SHARES);
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        pool -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Withdrawal(msg.sender, amount, shares);
    }

    function feeFor(uint256 amount) public pure returns (uint256) {
        return amount * FEE_BPS / 10_000 + 1;
    }

    function flashLoan(uint256 amount, bytes calldata data) external nonReentrant {
        require(amount > 0 && amount <= pool, "amount");
        uint256 fee = feeFor(amount);
        _repaid = 0;
        _lending = true;
        IFlashBorrower(msg.sender).onFlashLoan{value: amount}(amount, fee, data);
        _lending = false;
        require(_repaid >= amount + fee, "not repaid");
        // whatever came in above the fee belongs to the depositors
        pool = pool - amount + _repaid;
        emit FlashLoan(msg.sender, amount, fee);
    }

    /// the only way in during a loan
    function repay() external payable {
        require(_lending, "no loan");
        _repaid += msg.value;
    }
}
