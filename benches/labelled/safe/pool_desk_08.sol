// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Pool of staked ether. Its shares grow in value with the rewards.
contract StakePool {
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

    function addRewards() external payable nonReentrant {
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
        pooledEther -= assets;
        (bool ok, ) = msg.sender.call{value: assets}("");
        require(ok, "not accepted");
        emit Transfer(msg.sender, address(0), shares);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
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

/// Buys shares back at once, for a hundredth less than the pool says.
contract ShareDesk {
    StakePool public immutable pool;
    address public immutable dealer = msg.sender;

    event Funded(address indexed from, uint256 amount);
    event Sold(address indexed who, uint256 shares, uint256 paid);

    constructor(StakePool pool_) {
        pool = pool_;
    }

    receive() external payable {
        emit Funded(msg.sender, msg.value);
    }

    function quote(uint256 shares) public view returns (uint256) {
        return (shares * pool.price() * 99) / (1e18 * 100);
    }

    function sell(uint256 shares) external {
        uint256 amount = quote(shares);
        require(amount > 0, "too little");
        require(pool.transferFrom(msg.sender, address(this), shares), "no shares");
        emit Sold(msg.sender, shares, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function unwind(uint256 shares) external {
        require(msg.sender == dealer, "not the dealer");
        pool.redeem(shares);
    }

    function close(uint256 amount) external {
        require(msg.sender == dealer, "not the dealer");
        payable(dealer).transfer(amount);
    }
}
