// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: order() when the warehouse is empty: ship reverts, the empty catch hides it, the buyer is charged and the order is recorded as shipped.
contract Warehouse {
    address public shop;
    uint256 public stock;
    mapping(address => uint256) public shippedTo;

    constructor(uint256 initialStock) public {
        shop = msg.sender;
        stock = initialStock;
    }

    function ship(address buyer) external {
        require(msg.sender == shop, "shop only");
        require(stock > 0, "out of stock");
        stock -= 1;
        shippedTo[buyer] += 1;
    }
}

contract Shop {
    uint256 public constant PRICE = 0.05 ether;

    address payable public merchant;
    Warehouse public warehouse;
    mapping(address => uint256) public orders;

    event Ordered(address indexed buyer, uint256 number);

    constructor() public {
        merchant = msg.sender;
        warehouse = new Warehouse(2);
    }

    function order() external payable {
        require(msg.value == PRICE, "wrong price");
        try warehouse.ship(msg.sender) {} catch {} //~ ERROR exception-disorder
        orders[msg.sender] += 1;
        emit Ordered(msg.sender, orders[msg.sender]);
    }

    function collect() external {
        require(msg.sender == merchant, "merchant only");
        merchant.transfer(address(this).balance);
    }
}
