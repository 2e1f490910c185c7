pragma solidity ^0.5.0;

contract FeeEscrow {
    enum State { None, Open, Paid, Cancelled }

    struct Deal {
        address payable buyer;
        address payable seller;
        uint256 amount;
        uint256 fee;
        State state;
    }

    address payable public operator;
    uint256 public dealCount;
    uint256 public held;
    uint256 public fees;
    bytes32 public market;
    mapping(uint256 => Deal) public deals;

    event Opened(uint256 indexed id, address indexed buyer, address indexed seller, uint256 amount);
    event Closed(uint256 indexed id, State state);
    event Audited(uint256 balance, uint256 held, uint256 fees);

    constructor(bytes32 _market) public {
        operator = msg.sender;
        market = _market;
    }

    function open(address payable seller) external payable returns (uint256 id) {
        require(seller != address(0) && seller != msg.sender, "seller");
        require(msg.value >= 1000, "too little");
        uint256 fee = msg.value / 100;
        id = ++dealCount;
        deals[id] = Deal(msg.sender, seller, msg.value - fee, fee, State.Open);
        held += msg.value - fee;
        fees += fee;
        emit Opened(id, msg.sender, seller, msg.value - fee);
    }

    function confirm(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open && d.buyer == msg.sender, "not yours to confirm");
        d.state = State.Paid;
        held -= d.amount;
        emit Closed(id, d.state);
        d.seller.transfer(d.amount);
    }

    // The seller gives everything back, the fee as well.
    function cancel(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open && d.seller == msg.sender, "not yours to cancel");
        d.state = State.Cancelled;
        held -= d.amount;
        emit Closed(id, d.state);
        d.buyer.transfer(d.amount + d.fee);
    }

    function takeFees(uint256 amount) external {
        require(msg.sender == operator, "operator only");
        require(amount <= fees, "not earned");
        fees -= amount;
        operator.transfer(amount);
    }

    function audit() external {
        assert(address(this).balance >= held + fees); //~ ERROR assertion
        emit Audited(address(this).balance, held, fees);
    }
}
