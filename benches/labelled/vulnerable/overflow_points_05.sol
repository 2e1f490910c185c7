// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: give(other, 1) with a zero balance: the difference is unsigned so the check always holds and the sender's balance wraps; a crafted value also wraps a victim's balance to 0.
contract Points {
    address public issuer;
    mapping(address => uint256) public points;

    event Given(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) public {
        issuer = msg.sender;
        points[msg.sender] = supply;
    }

    function give(address to, uint256 value) external returns (bool) {
        require(points[msg.sender] - value >= 0, "not enough"); //~ ERROR overflow
        points[msg.sender] -= value; //~ ERROR overflow
        points[to] += value; //~ ERROR overflow
        emit Given(msg.sender, to, value);
        return true;
    }
}
