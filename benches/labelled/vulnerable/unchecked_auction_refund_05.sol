pragma solidity ^0.5.0;

contract CharityAuction {
    address payable public charity;
    address payable public highestBidder;
    uint256 public highestBid;
    uint256 public endsAt;
    uint256 public bids;
    bytes32 public lot;
    bool public ended;

    event BidPlaced(address indexed bidder, uint256 amount);
    event Ended(address indexed winner, uint256 amount);

    modifier beforeEnd() {
        require(now < endsAt, "over");
        _;
    }

    constructor(address payable _charity, bytes32 _lot, uint32 extraTime) public {
        require(_charity != address(0), "no charity");
        charity = _charity;
        lot = _lot;
        endsAt = now + 7 days + extraTime;
    }

    function minimumBid() public view returns (uint256) {
        return highestBid + highestBid / 20 + 1;
    }

    function bid() external payable beforeEnd {
        require(msg.value >= minimumBid(), "too low");
        if (highestBidder != address(0)) {
            highestBidder.send(highestBid); //~ ERROR unchecked-call
        }
        highestBidder = msg.sender;
        highestBid = msg.value;
        bids++;
        emit BidPlaced(msg.sender, msg.value);
    }

    function end() external {
        require(now >= endsAt, "not over yet");
        require(!ended, "ended");
        ended = true;
        emit Ended(highestBidder, highestBid);
        charity.transfer(highestBid);
    }

    function timeLeft() external view returns (uint256) {
        return now >= endsAt ? 0 : endsAt - now;
    }
}
