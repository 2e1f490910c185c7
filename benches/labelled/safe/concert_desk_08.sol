// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Sells seats for a concert; they can be given back until the show begins.
contract ConcertDesk {
    uint256 public constant PRICE = 0.02 ether;
    uint256 public constant SEATS = 300;
    uint256 public constant MAX_PER_ORDER = 6;

    address payable public immutable promoter;
    uint256 public immutable showAt;
    uint256 public sold;
    uint256 public held;
    uint256 private unlocked = 1;

    mapping(address => uint256) public seatsOf;

    event Bought(address indexed guest, uint256 count);
    event GivenBack(address indexed guest, uint256 count);

    modifier lock() {
        require(unlocked == 1, "locked");
        unlocked = 2;
        _;
        unlocked = 1;
    }

    constructor() {
        promoter = payable(msg.sender);
        showAt = block.timestamp + 60 days;
    }

    function buy(uint256 count) external payable lock {
        require(block.timestamp < showAt, "too late");
        require(count > 0 && count <= MAX_PER_ORDER, "1 to 6 seats");
        require(sold + count <= SEATS, "sold out");
        uint256 cost = count * PRICE;
        require(msg.value >= cost, "pay more");
        sold += count;
        held += cost;
        seatsOf[msg.sender] += count;
        emit Bought(msg.sender, count);
        uint256 change = msg.value - cost;
        if (change > 0) {
            _pay(payable(msg.sender), change);
        }
        assert(address(this).balance >= held);
    }

    function giveBack(uint256 count) external lock {
        require(block.timestamp < showAt, "too late");
        require(count > 0 && count <= seatsOf[msg.sender], "not that many");
        uint256 refund = count * PRICE;
        seatsOf[msg.sender] -= count;
        sold -= count;
        held -= refund;
        emit GivenBack(msg.sender, count);
        _pay(payable(msg.sender), refund);
        assert(address(this).balance >= held);
    }

    function collect() external lock {
        require(msg.sender == promoter, "not the promoter");
        require(block.timestamp >= showAt, "after the show");
        uint256 amount = held;
        held = 0;
        _pay(promoter, amount);
    }

    function _pay(address payable to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment refused");
    }
}
