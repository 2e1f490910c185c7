pragma solidity ^0.4.24;

/// Sells one piece of furniture to whoever bids most within a week.
contract AntiqueAuction {
    uint256 public constant MIN_STEP = 1 finney;

    address public seller;
    uint256 public endsAt;
    address public highestBidder;
    uint256 public highestBid;
    uint256 public bids;
    bool public settled;

    mapping(address => bytes32) public deliveryAddress;

    event NewBid(address indexed bidder, uint256 amount);
    event Settled(address indexed winner, uint256 amount);

    modifier whileRunning() {
        require(now < endsAt, "auction has ended");
        _;
    }

    constructor() public {
        seller = msg.sender;
        endsAt = now + 7 days;
    }

    function bid() public payable whileRunning {
        require(msg.sender != seller, "not for the seller");
        require(msg.value >= highestBid + MIN_STEP, "bid more");
        address previous = highestBidder;
        uint256 refund = highestBid;
        highestBidder = msg.sender;
        highestBid = msg.value;
        bids += 1;
        if (previous != address(0)) {
            previous.send(refund); //~ ERROR unchecked-call
        }
        emit NewBid(msg.sender, msg.value);
    }

    function setDelivery(bytes32 place) public {
        require(place != bytes32(0), "no place");
        deliveryAddress[msg.sender] = place;
    }

    function timeLeft() public view returns (uint256) {
        return now < endsAt ? endsAt - now : 0;
    }

    function settle() public {
        require(now >= endsAt, "still running");
        require(!settled, "already settled");
        settled = true;
        seller.transfer(highestBid);
        emit Settled(highestBidder, highestBid);
    }
}
