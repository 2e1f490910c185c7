pragma solidity ^0.5.0;

/// Pre-orders of a workshop. The money stays here until the workshop ships.
contract Workshop {
    address payable public workshop;

    constructor(address payable _workshop) public {
        require(_workshop != address(0), "no workshop");
        workshop = _workshop;
    }

    modifier onlyWorkshop() {
        require(msg.sender == workshop, "workshop only");
        _;
    }
}

contract PreorderEscrow is Workshop {
    enum State { None, Ordered, Shipped, Cancelled }

    struct Order {
        address payable buyer;
        uint256 price;
        bytes32 article;
        State state;
    }

    Order[] private orders;
    mapping(uint256 => bool) private busy;
    uint256 public minimum;

    event Ordered(uint256 indexed id, address indexed buyer, bytes32 article, uint256 price);
    event Reduced(uint256 indexed id, uint256 price);
    event Cancelled(uint256 indexed id);
    event Shipped(uint256 indexed id, bytes32 parcel);

    constructor(address payable _workshop, uint256 _minimum) public Workshop(_workshop) {
        minimum = _minimum;
    }

    modifier onlyBuyer(uint256 id) {
        require(id < orders.length, "no such order");
        require(orders[id].buyer == msg.sender, "not your order");
        _;
    }

    modifier inState(uint256 id, State state) {
        require(orders[id].state == state, "wrong state");
        _;
    }

    modifier once(uint256 id) {
        require(!busy[id], "busy");
        busy[id] = true;
        _;
        busy[id] = false;
    }

    function order(bytes32 article) external payable returns (uint256 id) {
        require(msg.value >= minimum, "below the minimum");
        id = orders.length;
        orders.push(Order(msg.sender, msg.value, article, State.Ordered));
        emit Ordered(id, msg.sender, article, msg.value);
    }

    /// A simpler model was chosen: the difference goes back to the buyer.
    function reduce(uint256 id, uint256 newPrice) external onlyBuyer(id) inState(id, State.Ordered) {
        Order storage o = orders[id];
        require(newPrice < o.price, "not less");
        uint256 difference = o.price - newPrice;
        o.price = newPrice;
        msg.sender.transfer(difference);
        emit Reduced(id, newPrice);
    }

    function cancel(uint256 id) external onlyBuyer(id) inState(id, State.Ordered) once(id) {
        Order storage o = orders[id];
        (bool ok, ) = o.buyer.call.value(o.price)(""); //~ ERROR reentrancy
        require(ok, "refund failed");
        o.state = State.Cancelled;
        o.price = 0;
        emit Cancelled(id);
    }

    function ship(uint256 id, bytes32 parcel) external onlyWorkshop {
        require(id < orders.length, "no such order");
        Order storage o = orders[id];
        require(o.state == State.Ordered, "wrong state");
        uint256 price = o.price;
        o.state = State.Shipped;
        o.price = 0;
        workshop.transfer(price);
        emit Shipped(id, parcel);
    }

    function orderOf(uint256 id) external view returns (address buyer, uint256 price, bytes32 article, State state) {
        Order storage o = orders[id];
        return (o.buyer, o.price, o.article, o.state);
    }

    function count() external view returns (uint256) {
        return orders.length;
    }
}
