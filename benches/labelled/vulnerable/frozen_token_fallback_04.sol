// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: send ether to the token: the payable fallback and buy() take it and no function sends ether out.
contract IcyToken { //~ ERROR frozen-ether
    string public constant name = "Icy";
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function () public payable {
        _mint(msg.sender, msg.value);
    }

    function buy(address to) public payable {
        require(to != address(0));
        _mint(to, msg.value);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(balanceOf[msg.sender] >= value);
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function _mint(address to, uint256 value) internal {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }
}
