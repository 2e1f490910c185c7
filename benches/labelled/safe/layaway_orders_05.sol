pragma solidity ^0.5.0;

/// Layaway of a shop: the customer pays in parts, the shop hands out the goods
/// when everything is paid.
contract Shop {
    address payable public shop;
    bool private entered;

    constructor(address payable _shop) public {
        require(_shop != address(0), "no shop");
        shop = _shop;
    }

    modifier onlyShop() {
        require(msg.sender == shop, "shop only");
        _;
    }

    modifier alone() {
        require(!entered, "entered");
        entered = true;
        _;
        entered = false;
    }
}

contract LayawayOrders is Shop {
    enum State { None, Open, Handed, Cancelled }

    struct Order {
        address payable customer;
        uint256 paid;
        uint256 price;
        State state;
    }

    Order[] private orders;

    event Opened(uint256 indexed id, address indexed customer, uint256 price);
    event PartPaid(uint256 indexed id, uint256 value);
    event PartReturned(uint256 indexed id, uint256 value);
    event Cancelled(uint256 indexed id);
    event Handed(uint256 indexed id);

    constructor(address payable _shop) public Shop(_shop) {}

    modifier onlyCustomer(uint256 id) {
        require(id < orders.length, "no such order");
        require(orders[id].customer == msg.sender, "not your order");
        require(orders[id].state == State.Open, "not open");
        _;
    }

    function open(uint256 price) external payable alone returns (uint256 id) {
        require(price > 0 && msg.value <= price, "price out of range");
        id = orders.length;
        orders.push(Order(msg.sender, msg.value, price, State.Open));
        emit Opened(id, msg.sender, price);
    }

    function payPart(uint256 id) external payable alone onlyCustomer(id) {
        Order storage o = orders[id];
        require(msg.value <= o.price - o.paid, "more than the price");
        o.paid += msg.value;
        emit PartPaid(id, msg.value);
    }

    function returnPart(uint256 id, uint256 value) external alone onlyCustomer(id) {
        Order storage o = orders[id];
        require(value > 0 && value < o.paid, "not a part");
        (bool ok, ) = o.customer.call.value(value)("");
        require(ok, "not taken");
        o.paid -= value;
        emit PartReturned(id, value);
    }

    function cancel(uint256 id) external alone onlyCustomer(id) {
        Order storage o = orders[id];
        (bool ok, ) = o.customer.call.value(o.paid)("");
        require(ok, "not taken");
        o.state = State.Cancelled;
        o.paid = 0;
        emit Cancelled(id);
    }

    function handOut(uint256 id) external alone onlyShop {
        require(id < orders.length, "no such order");
        Order storage o = orders[id];
        require(o.state == State.Open && o.paid == o.price, "not paid");
        uint256 value = o.paid;
        o.state = State.Handed;
        o.paid = 0;
        shop.transfer(value);
        emit Handed(id);
    }

    function orderOf(uint256 id) external view returns (address customer, uint256 paid, uint256 price, State state) {
        Order storage o = orders[id];
        return (o.customer, o.paid, o.price, o.state);
    }
}
