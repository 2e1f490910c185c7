// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// A stall on a weekly market. The owner may sell it or close it for good.
contract MarketStall {
    enum Goods { Cheese, Honey, Bread }

    address payable public owner;
    address payable public buyer;
    uint256 public askingPrice;

    mapping(uint8 => uint256) public prices;
    mapping(address => mapping(uint8 => uint256)) public bought;

    event Sold(address indexed customer, Goods goods, uint256 count);
    event Offered(address indexed buyer, uint256 price);
    event OwnerChanged(address indexed owner);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor() public {
        owner = msg.sender;
        prices[uint8(Goods.Cheese)] = 12 finney;
        prices[uint8(Goods.Honey)] = 7 finney;
        prices[uint8(Goods.Bread)] = 4 finney;
    }

    function setPrice(Goods goods, uint256 price) external onlyOwner {
        require(price > 0 && price <= 1 ether, "strange price");
        prices[uint8(goods)] = price;
    }

    function buy(Goods goods, uint8 count) external payable {
        require(count > 0 && count <= 20, "1 to 20 pieces");
        require(msg.value == prices[uint8(goods)] * count, "wrong price");
        bought[msg.sender][uint8(goods)] += count;
        emit Sold(msg.sender, goods, count);
    }

    function offerStall(address payable to, uint256 price) external onlyOwner {
        require(to != address(0), "nobody");
        buyer = to;
        askingPrice = price;
        emit Offered(to, price);
    }

    function acceptStall() external payable {
        require(buyer != address(0) && msg.sender == buyer, "not offered to you");
        require(msg.value == askingPrice, "wrong price");
        address payable seller = owner;
        owner = buyer;
        buyer = address(0);
        emit OwnerChanged(owner);
        seller.transfer(msg.value);
    }

    function takings() external onlyOwner {
        owner.transfer(address(this).balance);
    }

    function closeForever() external onlyOwner {
        selfdestruct(owner);
    }
}
