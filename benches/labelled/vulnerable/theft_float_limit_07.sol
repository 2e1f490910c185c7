// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// The float of a market stall. The owner draws what they like, a deputy up to a limit.
contract StallFloat {
    address public owner;
    uint256 public perDraw = 1 ether;
    uint256 public sales;

    mapping(address => bool) public deputies;
    mapping(address => uint256) public drawnBy;
    mapping(bytes32 => uint256) public priceOf;

    event DeputySet(address indexed deputy, bool yes);
    event LimitSet(uint256 perDraw);
    event Priced(bytes32 indexed goods, uint256 price);
    event Sold(bytes32 indexed goods, address indexed to, uint256 price);
    event Drawn(address indexed by, uint256 amount, string purpose);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    receive() external payable {}

    function setDeputy(address deputy, bool yes) external onlyOwner {
        require(deputy != address(0), "nobody");
        deputies[deputy] = yes;
        emit DeputySet(deputy, yes);
    }

    function setLimit(uint256 _perDraw) external onlyOwner {
        require(_perDraw <= 5 ether, "too high for a float");
        perDraw = _perDraw;
        emit LimitSet(_perDraw);
    }

    function setPrice(bytes32 goods, uint256 price) external {
        require(msg.sender == owner || deputies[msg.sender], "staff only");
        priceOf[goods] = price;
        emit Priced(goods, price);
    }

    function buy(bytes32 goods) external payable {
        uint256 price = priceOf[goods];
        require(price > 0, "not on sale");
        require(msg.value == price, "not the price");
        sales += 1;
        emit Sold(goods, msg.sender, price);
    }

    function draw(uint256 amount, string calldata purpose) external {
        require(amount > 0 && amount <= address(this).balance, "not in the float");
        require(
            msg.sender == owner || deputies[msg.sender] || amount <= perDraw,
            "beyond your limit"
        );
        drawnBy[msg.sender] += amount;
        emit Drawn(msg.sender, amount, purpose);
        msg.sender.transfer(amount); //~ ERROR ether-theft
    }

    function handOver(address to) external onlyOwner {
        require(to != address(0), "nobody");
        owner = to;
    }
}
