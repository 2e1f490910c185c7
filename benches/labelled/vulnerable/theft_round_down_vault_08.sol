// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Shares of a growing heap of ether. Rewards are simply sent to the vault.
contract YieldVault {
    string public name;
    uint256 public totalShares;
    address public immutable guardian;
    bool public depositsPaused;
    mapping(address => uint256) public sharesOf;

    event Deposit(address indexed who, uint256 amount, uint256 shares);
    event Withdraw(address indexed who, uint256 amount, uint256 shares);
    event Reward(address indexed from, uint256 amount);

    error DepositsPaused();
    error ZeroShares();
    error TooManyShares(uint256 have, uint256 need);

    constructor(string memory name_) {
        name = name_;
        guardian = msg.sender;
    }

    receive() external payable {
        emit Reward(msg.sender, msg.value);
    }

    function totalAssets() public view returns (uint256) {
        return address(this).balance;
    }

    function deposit() external payable returns (uint256 shares) {
        if (depositsPaused) revert DepositsPaused();
        uint256 assetsBefore = totalAssets() - msg.value;
        shares = totalShares == 0 || assetsBefore == 0 ? msg.value : (msg.value * totalShares) / assetsBefore;
        if (shares == 0) revert ZeroShares();
        totalShares += shares;
        sharesOf[msg.sender] += shares;
        emit Deposit(msg.sender, msg.value, shares);
    }

    /// @notice Burns as many shares as the amount is worth.
    function withdraw(uint256 amount) external returns (uint256 shares) {
        uint256 assets = totalAssets();
        require(amount > 0 && amount <= assets, "amount");
        shares = (amount * totalShares) / assets;
        if (shares > sharesOf[msg.sender]) revert TooManyShares(sharesOf[msg.sender], shares);
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        emit Withdraw(msg.sender, amount, shares);
        payable(msg.sender).transfer(amount); //~ ERROR ether-theft
    }

    function transferShares(address to, uint256 shares) external {
        sharesOf[msg.sender] -= shares;
        sharesOf[to] += shares;
    }

    function setDepositsPaused(bool value) external {
        require(msg.sender == guardian, "guardian only");
        depositsPaused = value;
    }
}
