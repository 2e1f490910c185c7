// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: with a zero balance call burn(1): both the balance and the total supply wrap below zero (supply too when nothing was claimed yet).
contract EmberToken {
    string public constant symbol = "EMB";
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Burned(address indexed who, uint256 value);

    function claim() public {
        require(balanceOf[msg.sender] == 0);
        require(totalSupply + 100 > totalSupply);
        totalSupply += 100;
        balanceOf[msg.sender] = 100;
    }

    function transfer(address to, uint256 value) public {
        require(to != msg.sender);
        require(balanceOf[msg.sender] >= value);
        require(balanceOf[to] + value >= balanceOf[to]);
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
    }

    function burn(uint256 value) public {
        require(value > 0);
        balanceOf[msg.sender] -= value; //~ ERROR overflow
        totalSupply -= value; //~ ERROR overflow
        emit Burned(msg.sender, value);
    }
}
