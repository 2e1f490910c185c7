// Sound: the time decides only once, at an announced deadline after delivery, whether the rebate goes back to the client or to the painter, and the surcharge of a weekend changes how much is asked but not who is paid.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Portraits on commission, with a rebate for clients who approve promptly
contract PortraitCommissions {
    enum State {
        None,
        Commissioned,
        Delivered,
        Done
    }

    struct Commission {
        address client;
        address painter;
        uint128 fee;
        uint128 rebate;
        uint64 deliverUntil;
        uint64 deliveredAt;
        bool objected;
        State state;
    }

    uint256 public constant PROMPT = 1 days;
    uint256 public constant REVIEW = 3 days;
    uint256 public constant DECISION = 60 days;

    address public immutable arbiter;
    mapping(uint256 => Commission) public commissions;
    mapping(address => uint256) public credit;
    uint256 public commissionCount;

    event Commissioned(uint256 indexed id, address indexed client, address indexed painter, uint256 fee);
    event Delivered(uint256 indexed id, bytes32 picture);
    event Rebate(uint256 indexed id, address indexed to, uint256 amount);
    event Settled(uint256 indexed id, uint256 toPainter, uint256 toClient);

    constructor(address arbiter_) {
        arbiter = arbiter_;
    }

    /// @notice Orders that are placed at a weekend cost a tenth more. Three percent are the rebate.
    function commission(address painter, uint96 fee, uint32 time) external payable returns (uint256 id) {
        require(painter != address(0) && painter != msg.sender, "painter");
        require(fee >= 1000 && time >= 1 hours, "terms");
        require(msg.value == surcharged(fee), "the fee");
        uint256 rebate = msg.value * 3 / 100;
        id = ++commissionCount;
        Commission storage c = commissions[id];
        c.client = msg.sender;
        c.painter = painter;
        c.fee = uint128(msg.value - rebate);
        c.rebate = uint128(rebate);
        c.deliverUntil = uint64(block.timestamp) + time;
        c.state = State.Commissioned;
        emit Commissioned(id, msg.sender, painter, msg.value);
    }

    function deliver(uint256 id, bytes32 picture) external {
        Commission storage c = commissions[id];
        require(c.state == State.Commissioned, "not commissioned");
        require(msg.sender == c.painter, "not the painter");
        require(block.timestamp <= c.deliverUntil, "too late");
        c.state = State.Delivered;
        c.deliveredAt = uint64(block.timestamp);
        emit Delivered(id, picture);
    }

    /// @notice The client approves, or anybody does when the time for objections is over.
    function approve(uint256 id) external {
        Commission storage c = commissions[id];
        require(c.state == State.Delivered && !c.objected, "not to be approved");
        require(
            msg.sender == c.client || block.timestamp > uint256(c.deliveredAt) + REVIEW, "the client looks at it"
        );
        address to = block.timestamp <= uint256(c.deliveredAt) + PROMPT ? c.client : c.painter;
        uint256 rebate = c.rebate;
        _settle(id, c.fee, 0);
        (bool ok,) = to.call{value: rebate, gas: 30_000}("");
        if (!ok) credit[to] += rebate;
        emit Rebate(id, to, rebate);
    }

    function object(uint256 id) external {
        Commission storage c = commissions[id];
        require(c.state == State.Delivered && msg.sender == c.client, "not the client");
        require(block.timestamp <= uint256(c.deliveredAt) + REVIEW, "too late");
        c.objected = true;
    }

    /// @notice The arbiter divides the sum. If they stay silent for 60 days, it is halved.
    function decide(uint256 id, uint128 toPainter) external {
        Commission storage c = commissions[id];
        require(c.state == State.Delivered && c.objected, "no objection");
        uint256 sum = uint256(c.fee) + c.rebate;
        if (msg.sender == arbiter) {
            require(toPainter <= sum, "more than the sum");
            _settle(id, toPainter, sum - toPainter);
        } else {
            require(block.timestamp > uint256(c.deliveredAt) + DECISION, "the arbiter decides");
            _settle(id, sum / 2, sum - sum / 2);
        }
    }

    function cancel(uint256 id) external {
        Commission storage c = commissions[id];
        require(c.state == State.Commissioned, "not commissioned");
        require(msg.sender == c.painter || block.timestamp > c.deliverUntil, "still time");
        _settle(id, 0, uint256(c.fee) + c.rebate);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function surcharged(uint256 fee) public view returns (uint256) {
        uint256 day = (block.timestamp / 1 days + 4) % 7;
        return day == 0 || day == 6 ? fee + fee / 10 : fee;
    }

    function _settle(uint256 id, uint256 toPainter, uint256 toClient) private {
        Commission storage c = commissions[id];
        c.state = State.Done;
        credit[c.painter] += toPainter;
        credit[c.client] += toClient;
        emit Settled(id, toPainter, toClient);
    }
}
