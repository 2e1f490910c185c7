// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// @title Coin of a street market
/// @notice Visitors buy it with ether, pay at the stalls, and stall holders redeem it.
contract StallCoin {
    string public constant name = "Stall Coin";
    string public constant symbol = "STALL";
    uint8 public constant decimals = 18;

    address public immutable warden;
    bool public paused;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bytes32) public stallOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event StallOpened(address indexed holder, bytes32 stall);

    error Paused();
    error Insufficient(uint256 have, uint256 want);

    modifier whenRunning() {
        if (paused) revert Paused();
        _;
    }

    constructor() {
        warden = msg.sender;
    }

    function buy() external payable whenRunning {
        require(msg.value > 0, "nothing sent");
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function redeem(uint256 amount) external whenRunning {
        uint256 have = balanceOf[msg.sender];
        if (have < amount) revert Insufficient(have, amount);
        balanceOf[msg.sender] = have - amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        payable(msg.sender).transfer(amount); //~ ERROR ether-theft
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external whenRunning returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    /// @notice Neither side of a payment needs an allowance, only others do.
    function transferFrom(address from, address to, uint256 amount) external whenRunning returns (bool) {
        if (msg.sender != from && msg.sender != to) {
            uint256 left = allowance[from][msg.sender];
            if (left < amount) revert Insufficient(left, amount);
            allowance[from][msg.sender] = left - amount;
        }
        _move(from, to, amount);
        return true;
    }

    function openStall(bytes32 stall) external {
        require(stall != bytes32(0), "no name");
        stallOf[msg.sender] = stall;
        emit StallOpened(msg.sender, stall);
    }

    function setPaused(bool yes) external {
        require(msg.sender == warden, "warden only");
        paused = yes;
    }

    function _move(address from, address to, uint256 amount) private {
        require(to != address(0), "to nobody");
        uint256 have = balanceOf[from];
        if (have < amount) revert Insufficient(have, amount);
        balanceOf[from] = have - amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
