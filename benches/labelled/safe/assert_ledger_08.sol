// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice An escrow with fees, and an audit that holds whatever is called.
contract AuditedEscrow {
    enum State { None, Open, Paid, Cancelled }

    struct Deal {
        address buyer;
        address seller;
        uint128 amount;
        uint128 fee;
        State state;
    }

    address public immutable operator;
    uint256 public dealCount;
    uint256 public openDeals;
    uint256 public held;
    uint256 public fees;
    uint256[] private _openIds;
    mapping(uint256 => uint256) private _positionOf;
    mapping(uint256 => Deal) public deals;
    mapping(address => uint256) public owed;
    uint256 public totalOwed;

    event Opened(uint256 indexed id, address indexed buyer, address indexed seller, uint256 amount);
    event Closed(uint256 indexed id, State state);

    constructor() {
        operator = msg.sender;
    }

    function open(address seller) external payable returns (uint256 id) {
        require(seller != address(0) && seller != msg.sender, "seller");
        require(msg.value >= 1000 && msg.value <= type(uint128).max, "amount");
        uint128 fee = uint128(msg.value / 100);
        uint128 amount = uint128(msg.value) - fee;
        id = ++dealCount;
        deals[id] = Deal(msg.sender, seller, amount, fee, State.Open);
        _positionOf[id] = _openIds.length;
        _openIds.push(id);
        openDeals += 1;
        held += amount + fee;
        emit Opened(id, msg.sender, seller, amount);
    }

    function confirm(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open && d.buyer == msg.sender, "not yours to confirm");
        _close(id, State.Paid);
        fees += d.fee;
        _owe(d.seller, d.amount);
    }

    function cancel(uint256 id) external {
        Deal storage d = deals[id];
        require(d.state == State.Open && d.seller == msg.sender, "not yours to cancel");
        _close(id, State.Cancelled);
        _owe(d.buyer, d.amount + d.fee);
    }

    function collect() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        totalOwed -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        audit();
    }

    function takeFees() external {
        require(msg.sender == operator, "operator only");
        uint256 amount = fees;
        fees = 0;
        payable(operator).transfer(amount);
    }

    function audit() public view {
        assert(address(this).balance >= held + fees + totalOwed);
        assert(_openIds.length == openDeals);
        assert(openDeals <= dealCount);
    }

    function checkDeal(uint256 id) external view {
        Deal storage d = deals[id];
        require(d.state == State.Open, "not open");
        assert(_openIds[_positionOf[id]] == id);
        assert(uint256(d.amount) + d.fee <= held);
    }

    function _owe(address who, uint256 amount) private {
        owed[who] += amount;
        totalOwed += amount;
    }

    function _close(uint256 id, State state) private {
        Deal storage d = deals[id];
        d.state = state;
        held -= d.amount + d.fee;
        openDeals -= 1;
        uint256 position = _positionOf[id];
        uint256 last = _openIds[_openIds.length - 1];
        _openIds[position] = last;
        _positionOf[last] = position;
        _openIds.pop();
        delete _positionOf[id];
        emit Closed(id, state);
    }
}
