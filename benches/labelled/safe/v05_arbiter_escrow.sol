pragma solidity ^0.5.0;

contract ArbiterEscrow {
    enum State { None, Open, Disputed, Closed }

    uint256 public constant DELIVERY_TIME = 30 days;

    struct Deal {
        address payable buyer;
        address payable seller;
        uint256 amount;
        uint256 payableFrom;
        State state;
    }

    address public arbiter;
    uint256 public dealCount;
    mapping(uint256 => Deal) public deals;
    mapping(address => uint256) public credit;

    event Opened(uint256 indexed id, address indexed buyer, address indexed seller, uint256 amount);
    event Disputed(uint256 indexed id);
    event Closed(uint256 indexed id, address indexed to);

    constructor() public {
        arbiter = msg.sender;
    }

    function open(address payable seller) external payable returns (uint256 id) {
        require(msg.value > 0, "empty");
        require(seller != address(0) && seller != msg.sender, "seller");
        id = ++dealCount;
        deals[id] = Deal(msg.sender, seller, msg.value, now + DELIVERY_TIME, State.Open);
        emit Opened(id, msg.sender, seller, msg.value);
    }

    /// the buyer is content
    function release(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open || d.state == State.Disputed, "state");
        require(msg.sender == d.buyer, "buyer only");
        _close(id, d.seller);
    }

    /// the seller gives up
    function giveBack(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open || d.state == State.Disputed, "state");
        require(msg.sender == d.seller, "seller only");
        _close(id, d.buyer);
    }

    function dispute(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open, "state");
        require(msg.sender == d.buyer, "buyer only");
        require(now < d.payableFrom, "too late");
        d.state = State.Disputed;
        emit Disputed(id);
    }

    /// no complaint in the time allowed: the seller takes the money
    function claim(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open, "state");
        require(msg.sender == d.seller, "seller only");
        require(now >= d.payableFrom, "wait");
        _close(id, d.seller);
    }

    function rule(uint256 id, bool forSeller) external {
        Deal storage d = deals[id];
        require(msg.sender == arbiter, "arbiter only");
        require(d.state == State.Disputed, "state");
        _close(id, forSeller ? d.seller : d.buyer);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "payment failed");
    }

    function _close(uint256 id, address payable to) internal {
        Deal storage d = deals[id];
        d.state = State.Closed;
        credit[to] += d.amount;
        emit Closed(id, to);
    }
}
