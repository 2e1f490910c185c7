// By design: gifts of the asset raise the share price; virtual shares make the first-depositor attack a loss.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract EtherAsset {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

contract VirtualShareVault {
    uint256 private constant VIRTUAL_SHARES = 1e6;
    uint256 private constant VIRTUAL_ASSETS = 1;

    EtherAsset public immutable asset;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed sender, address indexed receiver, uint256 assets, uint256 shares);
    event Transfer(address indexed from, address indexed to, uint256 shares);

    constructor() {
        asset = new EtherAsset();
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function previewDeposit(uint256 assets) public view returns (uint256) {
        return assets * (totalSupply + VIRTUAL_SHARES) / (totalAssets() + VIRTUAL_ASSETS);
    }

    function previewMint(uint256 shares) public view returns (uint256) {
        return _divUp(shares * (totalAssets() + VIRTUAL_ASSETS), totalSupply + VIRTUAL_SHARES);
    }

    function previewRedeem(uint256 shares) public view returns (uint256) {
        return shares * (totalAssets() + VIRTUAL_ASSETS) / (totalSupply + VIRTUAL_SHARES);
    }

    function previewWithdraw(uint256 assets) public view returns (uint256) {
        return _divUp(assets * (totalSupply + VIRTUAL_SHARES), totalAssets() + VIRTUAL_ASSETS);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewDeposit(assets);
        require(shares > 0, "zero shares");
        _enter(assets, shares, receiver);
    }

    function mint(uint256 shares, address receiver) external returns (uint256 assets) {
        assets = previewMint(shares);
        _enter(assets, shares, receiver);
    }

    function redeem(uint256 shares, address receiver) external returns (uint256 assets) {
        assets = previewRedeem(shares);
        _leave(assets, shares, receiver);
    }

    function withdraw(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewWithdraw(assets);
        _leave(assets, shares, receiver);
    }

    function transfer(address to, uint256 shares) external returns (bool) {
        require(to != address(0), "zero");
        balanceOf[msg.sender] -= shares;
        balanceOf[to] += shares;
        emit Transfer(msg.sender, to, shares);
        return true;
    }

    function _enter(uint256 assets, uint256 shares, address receiver) private {
        require(receiver != address(0), "zero");
        require(asset.transferFrom(msg.sender, address(this), assets), "asset");
        totalSupply += shares;
        balanceOf[receiver] += shares;
        emit Deposit(msg.sender, receiver, assets, shares);
        emit Transfer(address(0), receiver, shares);
    }

    function _leave(uint256 assets, uint256 shares, address receiver) private {
        require(receiver != address(0) && receiver != address(this), "receiver");
        balanceOf[msg.sender] -= shares;
        totalSupply -= shares;
        require(asset.transfer(receiver, assets), "asset");
        emit Withdraw(msg.sender, receiver, assets, shares);
        emit Transfer(msg.sender, address(0), shares);
    }

    function _divUp(uint256 a, uint256 b) private pure returns (uint256) {
        return a == 0 ? 0 : (a - 1) / b + 1;
    }
}
