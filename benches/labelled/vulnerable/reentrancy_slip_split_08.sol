// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

abstract contract Cellared {
    address public cellarer;
    bool public open = true;

    error OnlyCellarer();

    modifier onlyCellarer() {
        if (msg.sender != cellarer) revert OnlyCellarer();
        _;
    }

    constructor() {
        cellarer = msg.sender;
    }

    function setOpen(bool open_) external onlyCellarer {
        open = open_;
    }

    function pass(address next) external onlyCellarer {
        require(next != address(0), "to nobody");
        cellarer = next;
    }
}

/// @title Slips for ether that lies in the cellar
/// @notice A slip can be handed over, split in two, and redeemed once.
contract CellarSlips is Cellared {
    struct Slip {
        address holder;
        bool redeemed;
        uint256 amount;
    }

    uint256 public constant LEAST = 1000 gwei;

    uint256 public laidDown;
    uint256 public slips;
    mapping(uint256 id => Slip) public slip;

    event Laid(uint256 indexed id, address indexed holder, uint256 amount);
    event Split(uint256 indexed id, uint256 indexed other, uint256 amount);
    event HandedOver(uint256 indexed id, address indexed to);
    event Redeemed(uint256 indexed id, uint256 amount);

    modifier holderOf(uint256 id) {
        require(slip[id].holder == msg.sender, "not your slip");
        _;
    }

    function lay() external payable returns (uint256 id) {
        require(open, "closed");
        require(msg.value >= LEAST, "too little");
        laidDown += msg.value;
        id = _issue(msg.sender, msg.value);
        emit Laid(id, msg.sender, msg.value);
    }

    function handOver(uint256 id, address to) external holderOf(id) {
        require(!slip[id].redeemed, "redeemed");
        require(to != address(0), "to nobody");
        slip[id].holder = to;
        emit HandedOver(id, to);
    }

    /// @notice Half of the amount goes to a new slip.
    function split(uint256 id) external holderOf(id) returns (uint256 other) {
        uint256 half = slip[id].amount / 2;
        require(half > 0, "nothing to split");
        slip[id].amount -= half;
        other = _issue(msg.sender, half);
        emit Split(id, other, half);
    }

    function redeem(uint256 id) external holderOf(id) {
        Slip storage s = slip[id];
        require(!s.redeemed, "redeemed");
        s.redeemed = true; // it is not paid a second time
        uint256 amount = s.amount;
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        s.amount = 0;
        laidDown -= amount;
        emit Redeemed(id, amount);
    }

    function _issue(address holder, uint256 amount) private returns (uint256 id) {
        id = ++slips;
        slip[id] = Slip(holder, false, amount);
    }
}
