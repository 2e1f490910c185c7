// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: buy(2**256 / 1 ether + 1) for the small wrapped price, then sell(1) again and again for ether that others paid.
contract TokenShop {
    uint256 public constant PRICE = 1 ether;
    mapping(address => uint256) public tokens;

    event Bought(address indexed who, uint256 count);
    event SoldBack(address indexed who, uint256 count);

    function buy(uint256 count) public payable {
        require(tokens[msg.sender] == 0);
        require(msg.value == count * PRICE); //~ ERROR overflow
        tokens[msg.sender] = count;
        emit Bought(msg.sender, count);
    }

    function sell(uint256 count) public {
        require(count > 0 && count <= 1000000);
        require(tokens[msg.sender] >= count);
        tokens[msg.sender] -= count;
        msg.sender.transfer(count * PRICE); //~ ERROR ether-theft
        emit SoldBack(msg.sender, count);
    }
}
