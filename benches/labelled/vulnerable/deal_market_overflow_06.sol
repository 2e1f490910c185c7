// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// A market that runs for one season. Buyers pay into it, and release the ether once the goods arrived.
contract DealMarket {
    enum State { None, Paid, Released, Refunded }

    struct Deal {
        address payable buyer;
        address payable seller;
        uint256 amount;
        State state;
    }

    uint256 public constant FEE_PERCENT = 1;
    uint256 public constant FEATURED_FROM = 100;
    uint256 public constant PENALTY = 5;

    address payable public organiser;
    uint256 public openDeals;
    uint256 public dealCount;
    uint256 public fees;
    mapping(uint256 => Deal) public deals;
    mapping(address => uint256) public reputation;
    mapping(address => bytes32) public featured;

    event Opened(uint256 indexed id, address indexed buyer, address indexed seller, uint256 amount);
    event Released(uint256 indexed id);
    event Refunded(uint256 indexed id, address by);
    event Featured(address indexed seller, bytes32 offer);

    constructor() public {
        organiser = msg.sender;
    }

    function openDeal(address payable seller) external payable returns (uint256 id) {
        require(msg.value > 0, "nothing paid");
        require(seller != address(0) && seller != msg.sender, "bad seller");
        id = dealCount;
        dealCount = id + 1;
        openDeals += 1;
        deals[id] = Deal(msg.sender, seller, msg.value, State.Paid);
        emit Opened(id, msg.sender, seller, msg.value);
    }

    function release(uint256 id) external {
        Deal storage deal = deals[id];
        require(deal.state == State.Paid, "not open");
        require(msg.sender == deal.buyer, "not the buyer");
        deal.state = State.Released;
        openDeals -= 1;
        reputation[deal.seller] += 1;
        uint256 fee = deal.amount / 100 * FEE_PERCENT;
        fees += fee;
        emit Released(id);
        deal.seller.transfer(deal.amount - fee);
    }

    /// A seller who cannot deliver gives the ether back, which costs some reputation.
    function refund(uint256 id) external {
        Deal storage deal = deals[id];
        require(deal.state == State.Paid, "not open");
        require(msg.sender == deal.seller, "not the seller");
        deal.state = State.Refunded;
        openDeals -= 1;
        reputation[deal.seller] -= PENALTY; //~ ERROR overflow
        emit Refunded(id, msg.sender);
        deal.buyer.transfer(deal.amount);
    }

    function feature(bytes32 offer) external {
        require(reputation[msg.sender] >= FEATURED_FROM, "reputation too low");
        featured[msg.sender] = offer;
        emit Featured(msg.sender, offer);
    }

    function collectFees() external {
        require(msg.sender == organiser, "not the organiser");
        uint256 amount = fees;
        fees = 0;
        organiser.transfer(amount);
    }

    /// Ends the season once every deal is settled.
    function endSeason(address payable to) external {
        require(openDeals == 0, "deals are open");
        require(to != address(0), "no receiver");
        selfdestruct(to); //~ ERROR self-destruct
    }
}
