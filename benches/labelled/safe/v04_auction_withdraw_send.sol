pragma solidity ^0.4.22;

contract SimpleAuction {
    address public beneficiary;
    uint256 public auctionEnd;
    address public highestBidder;
    uint256 public highestBid;
    mapping(address => uint256) public pendingReturns;
    bool public ended;

    event HighestBidIncreased(address bidder, uint256 amount);
    event AuctionEnded(address winner, uint256 amount);
    event WithdrawFailed(address who, uint256 amount);

    constructor() public {
        beneficiary = msg.sender;
        auctionEnd = now + 14 days;
    }

    function bid() public payable {
        require(now < auctionEnd, "over");
        require(msg.value > highestBid, "too low");
        if (highestBidder != address(0)) {
            pendingReturns[highestBidder] += highestBid;
        }
        highestBidder = msg.sender;
        highestBid = msg.value;
        emit HighestBidIncreased(msg.sender, msg.value);
    }

    /// outbid bidders (and, at the end, the seller) fetch their money here
    function withdraw() public returns (bool) {
        uint256 amount = pendingReturns[msg.sender];
        if (amount > 0) {
            pendingReturns[msg.sender] = 0;
            if (!msg.sender.send(amount)) {
                pendingReturns[msg.sender] = amount;
                emit WithdrawFailed(msg.sender, amount);
                return false;
            }
        }
        return true;
    }

    function endAuction() public {
        require(now >= auctionEnd, "not yet");
        require(!ended, "ended");
        ended = true;
        pendingReturns[beneficiary] += highestBid;
        emit AuctionEnded(highestBidder, highestBid);
    }
}
