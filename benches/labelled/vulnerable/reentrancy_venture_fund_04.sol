// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: others join(); attacker contract joins, calls leave(), and calls leave() again from its fallback before its shares are zeroed.
contract VentureFund {
    mapping(address => uint256) public shares;
    uint256 public totalShares;

    event Joined(address indexed holder, uint256 amount);
    event Left(address indexed holder, uint256 amount);

    function join() public payable {
        require(msg.value > 0);
        shares[msg.sender] += msg.value;
        totalShares += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function moveShares(address to, uint256 amount) public {
        require(to != address(0));
        require(shares[msg.sender] >= amount);
        shares[msg.sender] -= amount;
        shares[to] += amount;
    }

    function leave() public {
        uint256 owed = shares[msg.sender];
        require(owed > 0);
        require(payOut(msg.sender, owed));
        totalShares -= owed;
        shares[msg.sender] = 0;
        emit Left(msg.sender, owed);
    }

    function payOut(address recipient, uint256 amount) internal returns (bool) {
        if (amount > address(this).balance) {
            return false;
        }
        return recipient.call.value(amount)(); //~ ERROR reentrancy
    }
}
