pragma solidity ^0.5.0;

contract EstateAuction {
    address payable public seller;
    address payable public highestBidder;
    uint256 public highestBid;
    uint256 public reserve;
    uint256 public endsAt;
    bool public ended;
    mapping(address => uint256) public owed;

    event BidPlaced(address indexed bidder, uint256 amount);
    event Ended(address indexed winner, uint256 amount);
    event Paid(address indexed who, uint256 amount);
    event PaymentRefused(address indexed who, uint256 amount);

    modifier beforeEnd() {
        require(now < endsAt, "over");
        _;
    }

    constructor(uint64 _reserve, uint16 extraHours) public {
        seller = msg.sender;
        reserve = _reserve;
        endsAt = now + 3 days + uint256(extraHours) * 1 hours;
    }

    function bid() external payable beforeEnd {
        require(msg.sender != seller, "the seller does not bid");
        require(msg.value > highestBid && msg.value >= reserve, "too low");
        if (highestBidder != address(0)) {
            owed[highestBidder] += highestBid;
        }
        highestBidder = msg.sender;
        highestBid = msg.value;
        if (endsAt - now < 10 minutes) {
            endsAt = now + 10 minutes;
        }
        emit BidPlaced(msg.sender, msg.value);
    }

    function end() external {
        require(now >= endsAt, "not over yet");
        require(!ended, "ended");
        ended = true;
        owed[seller] += highestBid;
        emit Ended(highestBidder, highestBid);
    }

    // Who refuses the ether keeps the claim.
    function collect() external returns (bool) {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        (bool ok, ) = msg.sender.call.value(amount)("");
        if (!ok) {
            owed[msg.sender] = amount;
            emit PaymentRefused(msg.sender, amount);
            return false;
        }
        emit Paid(msg.sender, amount);
        return true;
    }

    function timeLeft() external view returns (uint256) {
        return now >= endsAt ? 0 : endsAt - now;
    }
}
