// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Ether vault with shares. The operator adds the yield, which is for all who hold shares.
contract ShareVault {
    uint256 private constant VIRTUAL_SHARES = 1000;
    uint256 private constant VIRTUAL_ASSETS = 1;

    address public immutable operator;
    uint256 public totalAssets;
    uint256 public totalShares;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    bool private entered;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier nonReentrant() {
        require(!entered, "entered");
        entered = true;
        _;
        entered = false;
    }

    constructor(address operator_) {
        operator = operator_;
    }

    function toShares(uint256 assets) public view returns (uint256) {
        return assets * (totalShares + VIRTUAL_SHARES) / (totalAssets + VIRTUAL_ASSETS);
    }

    function toAssets(uint256 shares) public view returns (uint256) {
        return shares * (totalAssets + VIRTUAL_ASSETS) / (totalShares + VIRTUAL_SHARES);
    }

    function deposit() external payable nonReentrant returns (uint256 shares) {
        shares = toShares(msg.value);
        require(shares > 0, "too little");
        totalAssets += msg.value;
        totalShares += shares;
        balanceOf[msg.sender] += shares;
        emit Transfer(address(0), msg.sender, shares);
    }

    function redeem(uint256 shares) external nonReentrant returns (uint256 assets) {
        require(shares > 0 && shares <= balanceOf[msg.sender], "not enough shares");
        assets = toAssets(shares);
        balanceOf[msg.sender] -= shares;
        totalShares -= shares;
        totalAssets -= assets;
        emit Transfer(msg.sender, address(0), shares);
        (bool success,) = msg.sender.call{value: assets}("");
        require(success, "payment refused");
    }

    function addYield() external payable nonReentrant {
        require(msg.sender == operator, "not the operator");
        totalAssets += msg.value;
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

/// Buys shares at once, a little below the value that the vault tells.
contract ShareBuyer {
    ShareVault public immutable vault;
    mapping(address => uint256) public stakeOf;
    uint256 public idle;

    constructor() {
        vault = new ShareVault(msg.sender);
    }

    receive() external payable {
        require(msg.sender == address(vault), "use stake");
    }

    function stake() external payable {
        stakeOf[msg.sender] += msg.value;
        idle += msg.value;
    }

    function unstake(uint256 amount) external {
        require(amount <= stakeOf[msg.sender] && amount <= idle, "not available");
        stakeOf[msg.sender] -= amount;
        idle -= amount;
        payable(msg.sender).transfer(amount);
    }

    function sell(uint256 shares) external {
        uint256 paid = vault.toAssets(shares) * 99 / 100;
        require(paid > 0 && paid <= idle, "cannot pay");
        idle -= paid;
        require(vault.transferFrom(msg.sender, address(this), shares), "no shares");
        payable(msg.sender).transfer(paid);
    }

    function recycle() external {
        idle += vault.redeem(vault.balanceOf(address(this)));
    }
}
