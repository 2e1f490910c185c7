// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;
// Exploit: placeBid, cancelBid, and cancelBid again from receive() because the bid is deleted only after it was paid back.
contract BidBook {
    struct Bid {
        uint256 amount;
        uint256 placedAt;
    }

    mapping(uint256 => address) public itemOwner;
    mapping(uint256 => mapping(address => Bid)) public bids;

    event Placed(uint256 indexed item, address indexed bidder, uint256 amount);
    event Cancelled(uint256 indexed item, address indexed bidder);
    event Sold(uint256 indexed item, address indexed buyer, uint256 amount);

    function list(uint256 item) external {
        require(itemOwner[item] == address(0), "taken");
        itemOwner[item] = msg.sender;
    }

    function placeBid(uint256 item) external payable {
        require(itemOwner[item] != address(0), "unknown item");
        require(msg.value > 0, "empty bid");
        require(bids[item][msg.sender].amount == 0, "bid exists");
        bids[item][msg.sender] = Bid(msg.value, block.number);
        emit Placed(item, msg.sender, msg.value);
    }

    function cancelBid(uint256 item) external {
        Bid storage bid = bids[item][msg.sender];
        require(bid.amount > 0, "no bid");
        (bool ok, ) = msg.sender.call{value: bid.amount}(""); //~ ERROR reentrancy
        require(ok, "refund failed");
        delete bids[item][msg.sender];
        emit Cancelled(item, msg.sender);
    }

    function accept(uint256 item, address bidder) external {
        require(itemOwner[item] == msg.sender, "not yours");
        uint256 amount = bids[item][bidder].amount;
        require(amount > 0, "no bid");
        delete bids[item][bidder];
        itemOwner[item] = bidder;
        msg.sender.transfer(amount);
        emit Sold(item, bidder, amount);
    }
}
