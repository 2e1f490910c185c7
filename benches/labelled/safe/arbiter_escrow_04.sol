pragma solidity ^0.4.24;

contract ArbitratedSale {
    enum State { None, Funded, Disputed, Released, Refunded }

    struct Sale {
        address buyer;
        address seller;
        uint256 amount;
        uint256 disputableUntil;
        State state;
    }

    address public arbiter;
    uint256 public arbiterFeePercent;
    uint256 public saleCount;
    mapping(uint256 => Sale) public sales;
    mapping(address => uint256) public owed;

    event Funded(uint256 indexed id, address indexed buyer, address indexed seller, uint256 amount);
    event Disputed(uint256 indexed id);
    event Settled(uint256 indexed id, State state);
    event Paid(address indexed who, uint256 amount);

    modifier inState(uint256 id, State state) {
        require(sales[id].state == state);
        _;
    }

    constructor(address _arbiter, uint8 feePercent) public {
        require(_arbiter != address(0));
        arbiter = _arbiter;
        arbiterFeePercent = feePercent % 6;
    }

    function fund(address seller) public payable returns (uint256 id) {
        require(seller != address(0) && seller != msg.sender && msg.value > 0);
        id = ++saleCount;
        sales[id] = Sale(msg.sender, seller, msg.value, now + 14 days, State.Funded);
        emit Funded(id, msg.sender, seller, msg.value);
    }

    function release(uint256 id) public inState(id, State.Funded) {
        require(msg.sender == sales[id].buyer);
        settle(id, State.Released, 0);
    }

    function refund(uint256 id) public inState(id, State.Funded) {
        require(msg.sender == sales[id].seller);
        settle(id, State.Refunded, 0);
    }

    function releaseLate(uint256 id) public inState(id, State.Funded) {
        require(msg.sender == sales[id].seller && now > sales[id].disputableUntil);
        settle(id, State.Released, 0);
    }

    function dispute(uint256 id) public inState(id, State.Funded) {
        require(msg.sender == sales[id].buyer && now <= sales[id].disputableUntil);
        sales[id].state = State.Disputed;
        emit Disputed(id);
    }

    function decide(uint256 id, bool forSeller) public inState(id, State.Disputed) {
        require(msg.sender == arbiter);
        settle(id, forSeller ? State.Released : State.Refunded, arbiterFeePercent);
    }

    function settle(uint256 id, State state, uint256 feePercent) private {
        Sale storage sale = sales[id];
        sale.state = state;
        uint256 fee = sale.amount / 100 * feePercent;
        owed[arbiter] += fee;
        owed[state == State.Released ? sale.seller : sale.buyer] += sale.amount - fee;
        emit Settled(id, state);
    }

    function collect() public {
        uint256 amount = owed[msg.sender];
        require(amount > 0);
        owed[msg.sender] = 0;
        emit Paid(msg.sender, amount);
        msg.sender.transfer(amount);
    }
}
