// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: reserve(2**238) : the assembly product with 1 ether (a multiple of 2**18) is 0 modulo 2**256, so the units are free.
contract BerthSale {
    uint256 private constant BERTH_PRICE = 1 ether;

    address public immutable harbour;
    mapping(address => uint256) public berths;

    event Reserved(address indexed who, uint256 units, uint256 cost);

    constructor() {
        harbour = msg.sender;
    }

    function quote(uint256 units) public pure returns (uint256 cost) {
        uint256 price = BERTH_PRICE;
        assembly {
            cost := mul(units, price) //~ ERROR overflow
        }
    }

    function reserve(uint256 units) external payable {
        require(units > 0, "units");
        uint256 cost = quote(units);
        require(msg.value == cost, "wrong payment");
        berths[msg.sender] += units;
        emit Reserved(msg.sender, units, cost);
    }

    function collect() external {
        require(msg.sender == harbour, "harbour only");
        payable(harbour).transfer(address(this).balance);
    }
}
