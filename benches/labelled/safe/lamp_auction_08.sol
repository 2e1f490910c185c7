// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Auction of the old lighthouse lamp
/// @notice Bids are taken for a week. Whoever is outbid fetches the bid.
contract LampAuction {
    uint256 public constant LENGTH = 7 days;
    uint256 public constant STEP = 1 gwei;

    address payable public immutable museum;
    uint256 public immutable endsAt;
    address public bestBidder;
    uint256 public bestBid;
    bool public finished;
    mapping(address => uint256) public refundOf;

    event Bid(address indexed bidder, uint256 amount);
    event Fetched(address indexed bidder, uint256 amount);
    event Finished(address indexed winner, uint256 amount);

    constructor() {
        museum = payable(msg.sender);
        endsAt = block.timestamp + LENGTH;
    }

    function bid() external payable {
        require(block.timestamp < endsAt, "the auction is over");
        require(msg.value >= bestBid + STEP, "bid more");
        if (bestBidder != address(0)) {
            refundOf[bestBidder] += bestBid;
        }
        bestBidder = msg.sender;
        bestBid = msg.value;
        emit Bid(msg.sender, msg.value);
    }

    function fetch() external {
        uint256 amount = refundOf[msg.sender];
        require(amount > 0, "nothing to fetch");
        refundOf[msg.sender] = 0;
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok, "not accepted");
        emit Fetched(msg.sender, amount);
    }

    /// @notice Anybody may finish it, but only the museum is paid.
    function finish() external {
        require(block.timestamp >= endsAt, "too early");
        require(!finished, "finished");
        finished = true;
        if (bestBid > 0) {
            (bool ok, ) = museum.call{value: bestBid}("");
            require(ok, "not accepted");
        }
        emit Finished(bestBidder, bestBid);
    }
}
