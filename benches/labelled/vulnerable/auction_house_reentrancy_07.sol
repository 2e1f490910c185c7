// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Auctions of named lots. Whoever is outbid fetches the bid again.
contract AuctionHouse {
    struct Lot {
        address payable seller;
        address leader;
        uint256 bid;
        uint256 reserve;
        uint256 endsAt;
        bool settled;
        bytes32 label;
    }

    uint256 public constant MIN_DURATION = 1 minutes;
    uint256 public constant MAX_DURATION = 14 days;
    uint256 public constant FEE_PERCENT = 2;

    address payable public immutable house;
    uint256 public lotCount;
    uint256 public houseFees;
    mapping(uint256 => Lot) public lots;
    mapping(uint256 => address) public holderOf;
    mapping(address => uint256) public refunds;

    event Opened(uint256 indexed id, address indexed seller, bytes32 label);
    event Bid(uint256 indexed id, address indexed bidder, uint256 amount);
    event Settled(uint256 indexed id, address indexed winner, uint256 amount);

    constructor() {
        house = msg.sender;
    }

    function open(bytes32 label, uint256 reserve, uint256 duration) external returns (uint256 id) {
        require(duration >= MIN_DURATION && duration <= MAX_DURATION, "bad duration");
        id = lotCount;
        lotCount = id + 1;
        Lot storage lot = lots[id];
        lot.seller = msg.sender;
        lot.reserve = reserve;
        lot.endsAt = block.timestamp + duration;
        lot.label = label;
        holderOf[id] = msg.sender;
        emit Opened(id, msg.sender, label);
    }

    function bid(uint256 id) external payable {
        Lot storage lot = lots[id];
        require(id < lotCount, "no such lot");
        require(block.timestamp < lot.endsAt, "ended");
        require(msg.value >= lot.reserve && msg.value > lot.bid, "bid too low");
        if (lot.leader != address(0)) {
            refunds[lot.leader] += lot.bid;
        }
        lot.leader = msg.sender;
        lot.bid = msg.value;
        emit Bid(id, msg.sender, msg.value);
    }

    function fetchRefund() external {
        uint256 amount = refunds[msg.sender];
        require(amount > 0, "nothing to fetch");
        (bool success,) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(success, "payment refused");
        refunds[msg.sender] = 0;
    }

    function settle(uint256 id) external {
        Lot storage lot = lots[id];
        require(id < lotCount, "no such lot");
        require(block.timestamp >= lot.endsAt, "still open");
        require(!lot.settled, "already settled");
        lot.settled = true;
        if (lot.leader == address(0)) {
            return;
        }
        uint256 fee = lot.bid / 100 * FEE_PERCENT;
        houseFees += fee;
        holderOf[id] = lot.leader;
        emit Settled(id, lot.leader, lot.bid);
        lot.seller.send(lot.bid - fee); //~ ERROR unchecked-call
    }

    function handOver(uint256 id, address to) external {
        Lot storage lot = lots[id];
        require(lot.settled, "not settled");
        require(holderOf[id] == msg.sender, "not yours");
        holderOf[id] = to;
    }

    function collectFees() external {
        require(msg.sender == house, "not the house");
        uint256 amount = houseFees;
        houseFees = 0;
        house.transfer(amount);
    }
}
