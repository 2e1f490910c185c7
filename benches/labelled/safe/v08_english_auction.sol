// By design: block.timestamp ends an auction of seven days, late bids prolong it.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.18;

contract EnglishAuction {
    uint256 public constant EXTENSION = 15 minutes;
    uint256 public constant MIN_STEP_BPS = 500;

    struct Lot {
        address seller;
        uint64 endsAt;
        bool settled;
        address leader;
        uint256 reserve;
        uint256 bid;
        string title;
    }

    Lot[] public lots;
    mapping(uint256 => address) public holderOf;
    mapping(address => uint256) public balances;

    event Listed(uint256 indexed id, address indexed seller, uint256 reserve);
    event Bid(uint256 indexed id, address indexed bidder, uint256 amount);
    event Settled(uint256 indexed id, address indexed winner, uint256 amount);

    function list(string calldata title, uint256 reserve) external returns (uint256 id) {
        require(reserve > 0 && reserve <= 1e30, "reserve");
        require(bytes(title).length <= 64, "title");
        id = lots.length;
        lots.push(Lot(msg.sender, uint64(block.timestamp + 7 days), false, address(0), reserve, 0, title));
        emit Listed(id, msg.sender, reserve);
    }

    function minimumBid(uint256 id) public view returns (uint256) {
        Lot storage l = lots[id];
        if (l.leader == address(0)) return l.reserve;
        return l.bid + l.bid * MIN_STEP_BPS / 10_000 + 1;
    }

    function bid(uint256 id) external payable {
        Lot storage l = lots[id];
        require(block.timestamp < l.endsAt, "ended");
        require(msg.sender != l.seller, "own lot");
        require(msg.value >= minimumBid(id), "too low");

        if (l.leader != address(0)) balances[l.leader] += l.bid;
        l.leader = msg.sender;
        l.bid = msg.value;
        if (l.endsAt - block.timestamp < EXTENSION) {
            l.endsAt = uint64(block.timestamp + EXTENSION);
        }
        emit Bid(id, msg.sender, msg.value);
    }

    function settle(uint256 id) external {
        Lot storage l = lots[id];
        require(block.timestamp >= l.endsAt, "running");
        require(!l.settled, "settled");
        l.settled = true;
        holderOf[id] = l.leader == address(0) ? l.seller : l.leader;
        balances[l.seller] += l.bid;
        emit Settled(id, holderOf[id], l.bid);
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        require(amount > 0, "nothing");
        balances[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }
}
