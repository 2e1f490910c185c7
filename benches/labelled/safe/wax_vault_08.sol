// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Savings of the wax chandlers
/// @notice Everything that moves credit waits for the payout that is under way.
contract WaxVault {
    error Busy();
    error TooMuch(uint256 credit);
    error NotAccepted();
    error NoReceiver();

    mapping(address => uint256) private credit;
    uint256 private total;
    bool private busy;

    event Saved(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event Paid(address indexed who, uint256 amount);

    modifier alone() {
        if (busy) revert Busy();
        busy = true;
        _;
        busy = false;
    }

    modifier settled() {
        if (busy) revert Busy();
        _;
    }

    function save() external payable alone {
        credit[msg.sender] += msg.value;
        total += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function move(address to, uint256 amount) external alone {
        if (to == address(0)) revert NoReceiver();
        uint256 held = credit[msg.sender];
        if (amount > held) revert TooMuch(held);
        credit[msg.sender] -= amount;
        credit[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function pay(uint256 amount) external alone {
        uint256 held = credit[msg.sender];
        if (amount == 0 || amount > held) revert TooMuch(held);
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        if (!ok) revert NotAccepted();
        credit[msg.sender] = held - amount;
        total -= amount;
        emit Paid(msg.sender, amount);
    }

    function creditOf(address who) external view settled returns (uint256) {
        return credit[who];
    }

    function totalCredit() external view settled returns (uint256) {
        return total;
    }
}
