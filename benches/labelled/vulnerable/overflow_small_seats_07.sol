// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;
// Exploit: buy(65536) costs nothing because the count is cut to 16 bits; giveBack(n) then pays out ether of other buyers.
contract SeatOffice {
    uint256 public constant PRICE = 0.01 ether;
    uint256 public constant MAX_ORDER = 1000000;

    mapping(address => uint256) public seats;

    event Bought(address indexed who, uint256 count, uint256 paid);
    event Returned(address indexed who, uint256 count);

    function buy(uint256 count) external payable {
        require(count > 0 && count <= MAX_ORDER, "count");
        require(seats[msg.sender] <= MAX_ORDER, "too many");
        uint16 units = uint16(count); //~ ERROR overflow
        require(msg.value == units * PRICE, "wrong price");
        seats[msg.sender] += count;
        emit Bought(msg.sender, count, msg.value);
    }

    function giveBack(uint256 count) external {
        require(count > 0 && count <= seats[msg.sender], "count");
        seats[msg.sender] -= count;
        msg.sender.transfer(count * PRICE); //~ ERROR ether-theft
        emit Returned(msg.sender, count);
    }
}
