// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        require(c >= a, "addition overflow");
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "subtraction overflow");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256 c) {
        if (a == 0) {
            return 0;
        }
        c = a * b;
        require(c / a == b, "multiplication overflow");
    }
}

/// Futures on barley. Who opens a position has a tenth of its value deposited as margin.
contract BarleyFutures {
    using SafeMath for uint256;

    uint256 public constant MARGIN_DIVISOR = 10;

    address public clerk;
    uint256 public price;
    uint256 public openInterest;

    mapping(address => uint256) public margin;
    mapping(address => uint128) public sacks;

    event Deposited(address indexed trader, uint256 amount);
    event Withdrawn(address indexed trader, uint256 amount);
    event Opened(address indexed trader, uint256 sacks, uint256 price);
    event Closed(address indexed trader, uint256 sacks);

    constructor(uint256 _price) public {
        require(_price > 0 && _price <= 100 ether, "price out of range");
        clerk = msg.sender;
        price = _price;
    }

    function setPrice(uint256 _price) external {
        require(msg.sender == clerk, "clerk only");
        require(_price > 0 && _price <= 100 ether, "price out of range");
        price = _price;
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing");
        margin[msg.sender] = margin[msg.sender].add(msg.value);
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(sacks[msg.sender] == 0, "close the position first");
        margin[msg.sender] = margin[msg.sender].sub(amount);
        msg.sender.transfer(amount);
        emit Withdrawn(msg.sender, amount);
    }

    function open(uint256 quantity) external {
        require(quantity > 0, "no sacks");
        require(sacks[msg.sender] == 0, "one position each");
        require(margin[msg.sender] >= quantity.mul(price) / MARGIN_DIVISOR, "margin too low");
        require(quantity < 2**128, "too many sacks");
        sacks[msg.sender] = uint128(quantity);
        openInterest = openInterest.add(quantity);
        emit Opened(msg.sender, quantity, price);
    }

    function close() external {
        uint256 quantity = sacks[msg.sender];
        require(quantity > 0, "no position");
        sacks[msg.sender] = 0;
        openInterest = openInterest.sub(quantity);
        emit Closed(msg.sender, quantity);
    }
}
