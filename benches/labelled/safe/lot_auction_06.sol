// SPDX-License-Identifier: MIT
pragma solidity ^0.6.2;

/// An auction that pays back whoever is outbid, at once or later.
contract LotAuction {
    struct Lot {
        address payable bidder;
        uint256 bid;
        uint256 endsAt;
        bool settled;
    }

    address payable public house;
    Lot[] public lots;
    mapping(address => uint256) public pending;

    event Offered(uint256 indexed id, uint256 endsAt);
    event Bid(uint256 indexed id, address indexed bidder, uint256 amount);
    event Kept(address indexed who, uint256 amount);
    event Settled(uint256 indexed id, address indexed winner, uint256 amount);

    constructor() public {
        house = msg.sender;
    }

    function offer(uint256 duration) external returns (uint256 id) {
        require(msg.sender == house, "not the house");
        require(duration >= 1 hours && duration <= 30 days, "wrong duration");
        id = lots.length;
        lots.push(Lot(address(0), 0, now + duration, false));
        emit Offered(id, now + duration);
    }

    function bid(uint256 id) external payable {
        require(id < lots.length, "no such lot");
        Lot storage lot = lots[id];
        require(now < lot.endsAt, "over");
        require(msg.value > lot.bid, "too low");
        address payable outbid = lot.bidder;
        uint256 amount = lot.bid;
        lot.bidder = msg.sender;
        lot.bid = msg.value;
        emit Bid(id, msg.sender, msg.value);
        if (amount > 0) _payOrKeep(outbid, amount);
    }

    function settle(uint256 id) external {
        require(id < lots.length, "no such lot");
        Lot storage lot = lots[id];
        require(now >= lot.endsAt, "not over");
        require(!lot.settled, "settled");
        lot.settled = true;
        emit Settled(id, lot.bidder, lot.bid);
        if (lot.bid > 0) _payOrKeep(house, lot.bid);
    }

    function withdraw() external {
        uint256 amount = pending[msg.sender];
        require(amount > 0, "nothing there");
        pending[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _payOrKeep(address payable to, uint256 amount) private {
        if (!to.send(amount)) {
            uint256 kept = pending[to] + amount;
            require(kept >= amount, "overflow");
            pending[to] = kept;
            emit Kept(to, amount);
        }
    }

    function count() external view returns (uint256) {
        return lots.length;
    }
}
