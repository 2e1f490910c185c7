// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

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
        if (a == 0) return 0;
        c = a * b;
        require(c / a == b, "multiplication overflow");
    }
}

/// Auctions by deadline. All payments are credited, and fetched by those who own them.
contract AuctionRoom {
    using SafeMath for uint256;

    struct Sale {
        address seller;
        address leader;
        uint256 bid;
        uint256 endsAt;
        bool settled;
    }

    uint256 public constant FEE_PERCENT = 3;
    uint256 public constant EXTENSION = 5 minutes;

    address public immutable house;
    uint256 public saleCount;
    mapping(uint256 => Sale) public sales;
    mapping(uint256 => address) public holderOf;
    mapping(address => uint256) public credit;

    event Opened(uint256 indexed id, address indexed seller, uint256 endsAt);
    event Bid(uint256 indexed id, address indexed bidder, uint256 amount);
    event Settled(uint256 indexed id, address indexed holder);

    constructor() {
        house = msg.sender;
    }

    function open(uint256 duration) external returns (uint256 id) {
        require(duration >= 1 minutes && duration <= 7 days, "bad duration");
        id = saleCount;
        saleCount = id.add(1);
        sales[id] = Sale(msg.sender, address(0), 0, block.timestamp.add(duration), false);
        holderOf[id] = msg.sender;
        emit Opened(id, msg.sender, block.timestamp.add(duration));
    }

    function bid(uint256 id) external payable {
        Sale storage sale = sales[id];
        require(id < saleCount, "no such sale");
        require(block.timestamp < sale.endsAt, "ended");
        require(msg.value > sale.bid, "bid too low");
        if (sale.leader != address(0)) {
            credit[sale.leader] = credit[sale.leader].add(sale.bid);
        }
        sale.leader = msg.sender;
        sale.bid = msg.value;
        if (sale.endsAt.sub(block.timestamp) < EXTENSION) {
            sale.endsAt = block.timestamp.add(EXTENSION);
        }
        emit Bid(id, msg.sender, msg.value);
    }

    function settle(uint256 id) external {
        Sale storage sale = sales[id];
        require(id < saleCount, "no such sale");
        require(block.timestamp >= sale.endsAt && !sale.settled, "not now");
        sale.settled = true;
        if (sale.leader != address(0)) {
            uint256 fee = sale.bid.mul(FEE_PERCENT) / 100;
            credit[house] = credit[house].add(fee);
            credit[sale.seller] = credit[sale.seller].add(sale.bid.sub(fee));
            holderOf[id] = sale.leader;
        }
        emit Settled(id, holderOf[id]);
    }

    function fetch() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing to fetch");
        credit[msg.sender] = 0;
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }

    function fetchTo(address payable to, uint256 amount) external {
        credit[msg.sender] = credit[msg.sender].sub(amount);
        require(to.send(amount), "payment refused");
    }
}
