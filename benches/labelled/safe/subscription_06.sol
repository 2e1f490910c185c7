// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "addition");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "subtraction");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b, "multiplication");
        return c;
    }
}

// Readers pay ahead, and get back what was not used when they cancel.
contract NewsSubscription {
    using SafeMath for uint256;

    struct Subscription {
        uint256 price;
        uint256 prepaid;
        uint64 chargedUntil;
    }

    uint256 public constant PERIOD = 30 days;

    address payable public publisher;
    uint256 public price;
    uint256 public earned;
    mapping(address => Subscription) public subscriptions;

    event Subscribed(address indexed reader, uint256 price, uint256 prepaid);
    event ToppedUp(address indexed reader, uint256 amount);
    event Charged(address indexed reader, uint256 periods, uint256 amount);
    event Cancelled(address indexed reader, uint256 refund);

    modifier onlyPublisher() {
        require(msg.sender == publisher, "publisher only");
        _;
    }

    constructor(uint32 priceInGwei) public {
        publisher = msg.sender;
        price = uint256(priceInGwei).add(1).mul(1e9);
    }

    function subscribe() external payable {
        require(subscriptions[msg.sender].price == 0, "subscribed");
        require(msg.value >= price, "the first period is paid ahead");
        earned = earned.add(price);
        subscriptions[msg.sender] = Subscription(price, msg.value.sub(price), uint64(block.timestamp.add(PERIOD)));
        emit Subscribed(msg.sender, price, msg.value.sub(price));
    }

    function topUp() external payable {
        Subscription storage s = subscriptions[msg.sender];
        require(s.price > 0, "not subscribed");
        s.prepaid = s.prepaid.add(msg.value);
        emit ToppedUp(msg.sender, msg.value);
    }

    function duePeriods(address reader) public view returns (uint256) {
        Subscription storage s = subscriptions[reader];
        if (s.price == 0 || block.timestamp <= s.chargedUntil) return 0;
        uint256 periods = (block.timestamp.sub(s.chargedUntil).sub(1) / PERIOD).add(1);
        uint256 affordable = s.prepaid / s.price;
        return periods < affordable ? periods : affordable;
    }

    function charge(address reader) public {
        uint256 periods = duePeriods(reader);
        if (periods == 0) return;
        Subscription storage s = subscriptions[reader];
        uint256 amount = periods.mul(s.price);
        s.prepaid = s.prepaid.sub(amount);
        s.chargedUntil = uint64(uint256(s.chargedUntil).add(periods.mul(PERIOD)));
        earned = earned.add(amount);
        emit Charged(reader, periods, amount);
    }

    function cancel() external {
        require(subscriptions[msg.sender].price > 0, "not subscribed");
        charge(msg.sender);
        uint256 refund = subscriptions[msg.sender].prepaid;
        delete subscriptions[msg.sender];
        emit Cancelled(msg.sender, refund);
        msg.sender.transfer(refund);
    }

    function setPrice(uint32 priceInGwei) external onlyPublisher {
        price = uint256(priceInGwei).add(1).mul(1e9);
    }

    function collect() external onlyPublisher {
        uint256 amount = earned;
        earned = 0;
        publisher.transfer(amount);
    }
}
