// Sound: the result of the low-level call decides what becomes of the order, and a payment that fails stays on the books.
pragma solidity 0.4.26;

/// A courier who takes at most so many bunches on one round.
contract FlowerCourier {
    uint256 public constant CAPACITY = 3;

    address public florist;
    uint256 public round = 1;
    uint256 public loaded;
    mapping(uint256 => uint256) public roundOf;

    constructor() public {
        florist = msg.sender;
    }

    function take(uint256 order) external {
        require(msg.sender == florist, "not our florist");
        require(loaded < CAPACITY, "the basket is full");
        loaded++;
        roundOf[order] = round;
    }

    function nextRound() external {
        require(msg.sender == florist, "not our florist");
        loaded = 0;
        round++;
    }
}

/// A florist sends bunches by courier. An order that the courier refuses is paid back.
contract Florist {
    enum State { None, Ordered, Sent, Refused }

    uint256 public constant PRICE = 2 finney;

    address public owner;
    FlowerCourier public courier;
    uint256 public orders;
    uint256 public earned;
    mapping(uint256 => address) public customerOf;
    mapping(uint256 => State) public stateOf;
    mapping(address => uint256) public credit;

    event Ordered(uint256 indexed order, address indexed customer);
    event Sent(uint256 indexed order);
    event Refused(uint256 indexed order);
    event PaidBack(address indexed customer, uint256 amount);

    constructor() public {
        owner = msg.sender;
        courier = new FlowerCourier();
    }

    function order() external payable returns (uint256 id) {
        require(msg.value == PRICE, "wrong price");
        id = ++orders;
        customerOf[id] = msg.sender;
        stateOf[id] = State.Ordered;
        emit Ordered(id, msg.sender);
    }

    function send(uint256 id) external {
        require(customerOf[id] == msg.sender || owner == msg.sender, "not your order");
        require(stateOf[id] == State.Ordered, "not open");
        if (address(courier).call(bytes4(keccak256("take(uint256)")), id)) {
            stateOf[id] = State.Sent;
            earned += PRICE;
            emit Sent(id);
        } else {
            stateOf[id] = State.Refused;
            credit[customerOf[id]] += PRICE;
            emit Refused(id);
        }
    }

    function newRound() external {
        require(msg.sender == owner, "not the florist");
        courier.nextRound();
    }

    function payBack() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing to pay back");
        credit[msg.sender] = 0;
        if (msg.sender.send(amount)) {
            emit PaidBack(msg.sender, amount);
        } else {
            credit[msg.sender] = amount;
        }
    }

    function collect() external {
        require(msg.sender == owner, "not the florist");
        uint256 amount = earned;
        earned = 0;
        owner.transfer(amount);
    }
}
