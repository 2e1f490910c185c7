// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Units of the far side. No more than a limit per day is minted.
contract FarUnits {
    address public immutable gate;
    uint256 public immutable dailyLimit;
    mapping(uint256 => uint256) public mintedOn;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    event Minted(address indexed to, uint256 amount);
    event Burned(address indexed from, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(uint256 dailyLimit_) {
        gate = msg.sender;
        dailyLimit = dailyLimit_;
    }

    modifier onlyGate() {
        require(msg.sender == gate, "gate only");
        _;
    }

    function mint(address to, uint256 amount) external onlyGate {
        uint256 day = block.timestamp / 1 days;
        require(mintedOn[day] + amount <= dailyLimit, "limit of the day");
        mintedOn[day] += amount;
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Minted(to, amount);
    }

    function burn(address from, uint256 amount) external onlyGate {
        balanceOf[from] -= amount;
        totalSupply -= amount;
        emit Burned(from, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// @title Gate of the bridge. What is over the limit of the day may be fetched back, or tried again.
contract BridgeGate {
    FarUnits public immutable units;
    mapping(address => uint256) public refundOf;
    uint256 public refunds;
    uint256 public locked;

    event Passed(address indexed account, uint256 amount);
    event Held(address indexed account, uint256 amount);
    event Redeemed(address indexed account, uint256 amount);
    event Refunded(address indexed account, uint256 amount);

    constructor(uint96 dailyLimit) {
        units = new FarUnits(dailyLimit);
    }

    function pass() external payable returns (bool passed) {
        require(msg.value > 0, "nothing");
        return _pass(msg.sender, msg.value);
    }

    function tryAgain() external returns (bool passed) {
        uint256 amount = refundOf[msg.sender];
        require(amount > 0, "nothing held");
        refundOf[msg.sender] = 0;
        refunds -= amount;
        return _pass(msg.sender, amount);
    }

    function redeem(uint256 amount) external {
        units.burn(msg.sender, amount);
        locked -= amount;
        emit Redeemed(msg.sender, amount);
        _pay(msg.sender, amount);
    }

    function fetchRefund() external {
        uint256 amount = refundOf[msg.sender];
        require(amount > 0, "nothing held");
        refundOf[msg.sender] = 0;
        refunds -= amount;
        emit Refunded(msg.sender, amount);
        _pay(msg.sender, amount);
    }

    function check() external view {
        assert(address(this).balance >= locked + refunds);
        assert(units.totalSupply() == locked);
    }

    function _pass(address account, uint256 amount) private returns (bool passed) {
        (passed, ) = address(units).call(abi.encodeCall(FarUnits.mint, (account, amount)));
        if (passed) {
            locked += amount;
            emit Passed(account, amount);
        } else {
            refundOf[account] += amount;
            refunds += amount;
            emit Held(account, amount);
        }
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "not accepted");
    }
}
