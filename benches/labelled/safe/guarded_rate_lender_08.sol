// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract ReentrancyGuard {
    uint256 private _status = 1;

    error Reentrant();

    modifier nonReentrant() {
        if (_status != 1) revert Reentrant();
        _status = 2;
        _;
        _status = 1;
    }

    modifier notEntered() {
        if (_status != 1) revert Reentrant();
        _;
    }
}

/// @notice Liquid staking: shares of pooled ether. Rewards raise the rate, which nobody reads halfway.
contract GuardedStake is ReentrancyGuard {
    uint256 private constant DEAD_SHARES = 1000;

    address public immutable operator;
    uint256 public totalSupply;
    uint256 public pooled;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor() {
        operator = msg.sender;
    }

    function reward() external payable nonReentrant {
        require(msg.sender == operator, "operator only");
        require(totalSupply > 0, "no stakers");
        pooled += msg.value;
    }

    function stake() external payable nonReentrant returns (uint256 shares) {
        if (totalSupply == 0) {
            require(msg.value > DEAD_SHARES, "too little");
            shares = msg.value - DEAD_SHARES;
            totalSupply = DEAD_SHARES;
            balanceOf[address(0)] = DEAD_SHARES;
        } else {
            shares = (msg.value * totalSupply) / pooled;
            require(shares > 0, "too little");
        }
        pooled += msg.value;
        totalSupply += shares;
        balanceOf[msg.sender] += shares;
        emit Transfer(address(0), msg.sender, shares);
    }

    function unstake(uint256 shares) external nonReentrant returns (uint256 amount) {
        require(shares > 0 && shares <= balanceOf[msg.sender], "shares");
        amount = (shares * pooled) / totalSupply;
        balanceOf[msg.sender] -= shares;
        totalSupply -= shares;
        emit Transfer(msg.sender, address(0), shares);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        pooled -= amount;
    }

    function rate() external view notEntered returns (uint256) {
        return totalSupply == 0 ? 0 : (pooled * 1e18) / totalSupply;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external notEntered returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external notEntered returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice Lends ether against shares, half of what they are worth, to be repaid to get them back.
contract GuardedLender is ReentrancyGuard {
    uint256 public constant LTV = 50;

    GuardedStake public immutable stakeToken;
    address public immutable treasurer;
    mapping(address => uint256) public collateralOf;
    mapping(address => uint256) public debtOf;

    event Borrowed(address indexed who, uint256 shares, uint256 amount);
    event Repaid(address indexed who, uint256 amount);

    constructor(GuardedStake stakeToken_) payable {
        stakeToken = stakeToken_;
        treasurer = msg.sender;
    }

    receive() external payable {}

    function borrow(uint256 shares) external nonReentrant {
        uint256 amount = (((shares * stakeToken.rate()) / 1e18) * LTV) / 100;
        require(amount > 0 && amount <= address(this).balance, "liquidity");
        require(stakeToken.transferFrom(msg.sender, address(this), shares), "transfer");
        collateralOf[msg.sender] += shares;
        debtOf[msg.sender] += amount;
        emit Borrowed(msg.sender, shares, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function repay() external payable nonReentrant {
        require(debtOf[msg.sender] > 0 && msg.value == debtOf[msg.sender], "the whole debt");
        uint256 shares = collateralOf[msg.sender];
        debtOf[msg.sender] = 0;
        collateralOf[msg.sender] = 0;
        require(stakeToken.transfer(msg.sender, shares), "transfer");
        emit Repaid(msg.sender, msg.value);
    }

    function withdrawLiquidity(uint256 amount) external {
        require(msg.sender == treasurer, "treasurer only");
        payable(treasurer).transfer(amount);
    }
}
