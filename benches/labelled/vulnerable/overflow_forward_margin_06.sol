// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Forwards on oats. Who opens a position has a tenth of its value deposited as margin.
contract ForwardDesk {
    uint256 public constant MARGIN_DIVISOR = 10;

    address public clerk;
    uint256 public price;
    uint256 public openPositions;
    bool public halted;

    mapping(address => uint256) public margin;
    mapping(address => uint256) public bushels;
    mapping(address => uint256) public openedAt;

    event Deposited(address indexed trader, uint256 amount);
    event Withdrawn(address indexed trader, uint256 amount);
    event Opened(address indexed trader, uint256 bushels, uint256 price);
    event Closed(address indexed trader, uint256 bushels);
    event Priced(uint256 price);

    modifier onlyClerk() {
        require(msg.sender == clerk, "clerk only");
        _;
    }

    constructor(uint256 _price) public {
        require(_price > 0 && _price <= 100 ether, "price out of range");
        clerk = msg.sender;
        price = _price;
    }

    function setPrice(uint256 _price) external onlyClerk {
        require(_price > 0 && _price <= 100 ether, "price out of range");
        price = _price;
        emit Priced(_price);
    }

    function setHalted(bool yes) external onlyClerk {
        halted = yes;
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing");
        margin[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(bushels[msg.sender] == 0, "close the position first");
        require(amount <= margin[msg.sender], "more than the margin");
        margin[msg.sender] -= amount;
        msg.sender.transfer(amount);
        emit Withdrawn(msg.sender, amount);
    }

    function open(uint256 quantity) external {
        require(!halted, "halted");
        require(quantity > 0, "no bushels");
        require(bushels[msg.sender] == 0, "one position each");
        uint256 value = quantity * price; //~ ERROR overflow
        require(margin[msg.sender] >= value / MARGIN_DIVISOR, "margin too low");
        bushels[msg.sender] = quantity;
        openedAt[msg.sender] = price;
        openPositions += 1;
        emit Opened(msg.sender, quantity, price);
    }

    function close() external {
        uint256 quantity = bushels[msg.sender];
        require(quantity > 0, "no position");
        bushels[msg.sender] = 0;
        openedAt[msg.sender] = 0;
        openPositions -= 1;
        emit Closed(msg.sender, quantity);
    }
}
