// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Licences for running nodes of the network, counted for each operator.
contract LicenceBook {
    address public immutable issuer;
    mapping(address => uint256) public licences;
    mapping(address => uint256) public activeNodes;

    event Issued(address indexed operator, uint256 quantity);
    event Started(address indexed operator, uint256 quantity);
    event Stopped(address indexed operator, uint256 quantity);

    constructor(address issuer_) {
        issuer = issuer_;
    }

    function issue(address operator, uint256 quantity) external {
        require(msg.sender == issuer, "not the issuer");
        licences[operator] += quantity;
        emit Issued(operator, quantity);
    }

    function start(uint256 quantity) external {
        uint256 active = activeNodes[msg.sender] + quantity;
        require(active <= licences[msg.sender], "too few licences");
        activeNodes[msg.sender] = active;
        emit Started(msg.sender, quantity);
    }

    function stop(uint256 quantity) external {
        require(quantity <= activeNodes[msg.sender], "not running");
        activeNodes[msg.sender] -= quantity;
        emit Stopped(msg.sender, quantity);
    }
}

/// Sells the licences. The price of the first tier is lower than that of the second one.
contract NodeSale {
    uint256 public constant EARLY_PRICE = 100 gwei;
    uint256 public constant LATE_PRICE = 250 gwei;
    uint256 public constant EARLY_BUYERS = 200;

    address payable public immutable treasury = payable(msg.sender);
    LicenceBook public immutable book;
    uint256 public buyers;
    bool public closed;
    mapping(address => bool) public isBuyer;

    event Sold(address indexed buyer, uint256 quantity, uint256 paid);
    event Closed();

    modifier onlyTreasury() {
        require(msg.sender == treasury, "not the treasury");
        _;
    }

    constructor() {
        book = new LicenceBook(address(this));
    }

    function price() public view returns (uint256) {
        return buyers < EARLY_BUYERS ? EARLY_PRICE : LATE_PRICE;
    }

    function costOf(uint256 quantity) public view returns (uint256) {
        uint256 cost = price() * uint16(quantity); //~ ERROR overflow
        return quantity >= 50 ? cost * 95 / 100 : cost;
    }

    function buy(uint256 quantity) external payable {
        require(!closed, "the sale is over");
        require(quantity > 0, "nothing to buy");
        require(msg.value == costOf(quantity), "wrong payment");
        if (!isBuyer[msg.sender]) {
            isBuyer[msg.sender] = true;
            buyers += 1;
        }
        book.issue(msg.sender, quantity);
        emit Sold(msg.sender, quantity, msg.value);
    }

    function close() external onlyTreasury {
        closed = true;
        emit Closed();
    }

    function collect() external onlyTreasury {
        (bool success,) = treasury.call{value: address(this).balance}("");
        require(success, "payment refused");
    }
}
