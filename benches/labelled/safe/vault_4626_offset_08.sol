// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract PlainEther {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        totalSupply += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        payable(msg.sender).transfer(amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
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

/// @notice Tokenized vault; what it is worth is its balance, with virtual shares against inflation.
contract OffsetVault {
    uint256 private constant VIRTUAL_SHARES = 1e3;
    uint256 private constant VIRTUAL_ASSETS = 1;

    PlainEther public immutable asset;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed owner, address indexed receiver, uint256 assets, uint256 shares);
    event Transfer(address indexed from, address indexed to, uint256 shares);

    error ZeroShares();
    error ExceedsBalance(uint256 have, uint256 want);

    constructor(PlainEther asset_) {
        asset = asset_;
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return (assets * (totalSupply + VIRTUAL_SHARES)) / (totalAssets() + VIRTUAL_ASSETS);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return (shares * (totalAssets() + VIRTUAL_ASSETS)) / (totalSupply + VIRTUAL_SHARES);
    }

    function previewWithdraw(uint256 assets) public view returns (uint256) {
        uint256 worth = totalAssets() + VIRTUAL_ASSETS;
        return (assets * (totalSupply + VIRTUAL_SHARES) + worth - 1) / worth;
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        if (shares == 0) revert ZeroShares();
        require(asset.transferFrom(msg.sender, address(this), assets), "transfer");
        totalSupply += shares;
        balanceOf[receiver] += shares;
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewWithdraw(assets);
        _burn(msg.sender, shares);
        emit Withdraw(msg.sender, receiver, assets, shares);
        require(asset.transfer(receiver, assets), "transfer");
    }

    function redeem(uint256 shares, address receiver) external returns (uint256 assets) {
        assets = convertToAssets(shares);
        _burn(msg.sender, shares);
        emit Withdraw(msg.sender, receiver, assets, shares);
        require(asset.transfer(receiver, assets), "transfer");
    }

    function transfer(address to, uint256 shares) external returns (bool) {
        if (balanceOf[msg.sender] < shares) revert ExceedsBalance(balanceOf[msg.sender], shares);
        balanceOf[msg.sender] -= shares;
        balanceOf[to] += shares;
        emit Transfer(msg.sender, to, shares);
        return true;
    }

    function _burn(address from, uint256 shares) private {
        uint256 have = balanceOf[from];
        if (have < shares) revert ExceedsBalance(have, shares);
        unchecked {
            balanceOf[from] = have - shares;
            totalSupply -= shares;
        }
        emit Transfer(from, address(0), shares);
    }
}
