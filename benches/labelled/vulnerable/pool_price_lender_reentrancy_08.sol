// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Liquid staking pool: ether in, shares out.
contract LiquidPool {
    string public constant name = "Harbor Liquid Ether";
    string public constant symbol = "hlETH";

    address public immutable operator = msg.sender;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    uint256 public pooledEther;
    uint256 private status = 1;

    event Transfer(address indexed from, address indexed to, uint256 value);

    modifier nonReentrant() {
        require(status == 1, "reentrant");
        status = 2;
        _;
        status = 1;
    }

    function price() public view returns (uint256) {
        if (totalSupply == 0) return 1e18;
        return (pooledEther * 1e18) / totalSupply;
    }

    function addRewards() external payable {
        require(msg.sender == operator && totalSupply > 0, "not now");
        pooledEther += msg.value;
    }

    function stake() external payable nonReentrant returns (uint256 shares) {
        shares = totalSupply == 0 ? msg.value : (msg.value * totalSupply) / pooledEther;
        require(shares > 0, "too little");
        pooledEther += msg.value;
        totalSupply += shares;
        balanceOf[msg.sender] += shares;
        emit Transfer(address(0), msg.sender, shares);
    }

    function redeem(uint256 shares) external nonReentrant returns (uint256 assets) {
        require(shares > 0 && shares <= balanceOf[msg.sender], "not enough");
        assets = (shares * pooledEther) / totalSupply;
        balanceOf[msg.sender] -= shares;
        totalSupply -= shares;
        emit Transfer(msg.sender, address(0), shares);
        (bool ok, ) = msg.sender.call{value: assets}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        pooledEther -= assets;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
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
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Lends ether against shares of the pool.
contract ShareLender {
    uint256 public constant LOAN_TO_VALUE = 90;

    LiquidPool public immutable pool;
    mapping(address => uint256) public supplied;
    mapping(address => uint256) public collateral;
    mapping(address => uint256) public debt;

    constructor(LiquidPool pool_) {
        pool = pool_;
    }

    function supply() external payable {
        supplied[msg.sender] += msg.value;
    }

    function withdrawSupply(uint256 amount) external {
        supplied[msg.sender] -= amount;
        _pay(amount);
    }

    function pledge(uint256 shares) external {
        collateral[msg.sender] += shares;
        require(pool.transferFrom(msg.sender, address(this), shares), "transfer failed");
    }

    function release(uint256 shares) external {
        collateral[msg.sender] -= shares;
        require(debt[msg.sender] <= limitOf(msg.sender), "unhealthy");
        require(pool.transfer(msg.sender, shares), "transfer failed");
    }

    function borrow(uint256 amount) external {
        debt[msg.sender] += amount;
        require(debt[msg.sender] <= limitOf(msg.sender), "over the limit");
        _pay(amount);
    }

    function repay() external payable {
        debt[msg.sender] -= msg.value;
    }

    function limitOf(address who) public view returns (uint256) {
        return (collateral[who] * pool.price() * LOAN_TO_VALUE) / (1e18 * 100);
    }

    function _pay(uint256 amount) private {
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }
}
