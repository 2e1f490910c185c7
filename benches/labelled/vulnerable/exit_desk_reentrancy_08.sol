// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Ether vault. Its shares gain value when the operator adds yield.
contract YieldVault {
    address public immutable operator;
    uint256 public totalAssets;
    uint256 public totalShares;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 private lock = 1;

    event Transfer(address indexed from, address indexed to, uint256 value);

    modifier nonReentrant() {
        require(lock == 1, "locked");
        lock = 2;
        _;
        lock = 1;
    }

    constructor(address operator_) {
        operator = operator_;
    }

    function pricePerShare() public view returns (uint256) {
        return totalShares == 0 ? 1e18 : totalAssets * 1e18 / totalShares;
    }

    function deposit() external payable nonReentrant returns (uint256 shares) {
        shares = totalShares == 0 ? msg.value : msg.value * totalShares / totalAssets;
        require(shares > 0, "too little");
        totalAssets += msg.value;
        totalShares += shares;
        balanceOf[msg.sender] += shares;
        emit Transfer(address(0), msg.sender, shares);
    }

    function redeem(uint256 shares) external nonReentrant returns (uint256 assets) {
        assets = shares * totalAssets / _supply();
        balanceOf[msg.sender] -= shares;
        totalShares -= shares;
        emit Transfer(msg.sender, address(0), shares);
        (bool success,) = msg.sender.call{value: assets}(""); //~ ERROR reentrancy
        require(success, "payment refused");
        totalAssets -= assets;
    }

    function addYield() external payable nonReentrant {
        require(msg.sender == operator && totalShares > 0, "not now");
        totalAssets += msg.value;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external nonReentrant returns (bool) {
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

    function _supply() private view returns (uint256) {
        require(totalShares > 0, "no shares");
        return totalShares;
    }
}

/// Buys shares of the vault at once, for the price that the vault tells.
contract ExitDesk {
    YieldVault public immutable vault;
    mapping(address => uint256) public funded;

    event Bought(address indexed seller, uint256 shares, uint256 paid);

    constructor() {
        vault = new YieldVault(msg.sender);
    }

    receive() external payable {
        require(msg.sender == address(vault), "use fund");
    }

    function fund() external payable {
        funded[msg.sender] += msg.value;
    }

    function defund(uint256 amount) external {
        funded[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function sell(uint256 shares) external returns (uint256 paid) {
        paid = shares * vault.pricePerShare() / 1e18;
        require(paid > 0 && paid <= address(this).balance, "cannot pay");
        require(vault.transferFrom(msg.sender, address(this), shares), "no shares");
        emit Bought(msg.sender, shares, paid);
        payable(msg.sender).transfer(paid);
    }

    /// Turns the shares that the desk bought into ether again.
    function recycle() external returns (uint256) {
        return vault.redeem(vault.balanceOf(address(this)));
    }
}
