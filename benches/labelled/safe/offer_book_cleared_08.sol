// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @notice Deeds of land, each with a number. Anyone may register land that has no deed yet.
contract PlotRegistry {
    address public immutable surveyor;
    uint256 public count;
    mapping(uint256 => address) public holderOf;
    mapping(uint256 => address) public approvedFor;

    event Registered(uint256 indexed deed, address indexed holder, bytes32 plot);
    event Conveyed(uint256 indexed deed, address indexed from, address indexed to);

    constructor() {
        surveyor = msg.sender;
    }

    function register(bytes32 plot) external returns (uint256 deed) {
        deed = ++count;
        holderOf[deed] = msg.sender;
        emit Registered(deed, msg.sender, plot);
    }

    function _convey(uint256 deed, address to) internal {
        address from = holderOf[deed];
        holderOf[deed] = to;
        emit Conveyed(deed, from, to);
    }

    function convey(uint256 deed, address to) external {
        require(holderOf[deed] == msg.sender, "not the holder");
        require(to != address(0), "nobody");
        _convey(deed, to);
    }
}

/// @notice Offers in ether for deeds. One standing offer per deed: a better one replaces it.
contract BidLedger is PlotRegistry {
    enum State { None, Open, Withdrawn, Taken, Outbid }

    struct Offer {
        address bidder;
        uint256 deed;
        State state;
    }

    struct Standing {
        uint256 offer;
        uint256 price;
    }

    uint256 public constant MIN_OFFER = 1000 gwei;

    Offer[] public offers;
    mapping(uint256 => Standing) public standing;
    mapping(address => uint256) public returns_;

    event Offered(uint256 indexed offer, uint256 indexed deed, address indexed bidder, uint256 price);
    event Withdrawn(uint256 indexed offer, uint256 price);
    event Taken(uint256 indexed deed, uint256 indexed offer, uint256 price);

    function makeOffer(uint256 deed) external payable returns (uint256 id) {
        require(holderOf[deed] != address(0), "no such deed");
        Standing storage best = standing[deed];
        require(msg.value >= MIN_OFFER && msg.value > best.price, "too low");
        if (best.price > 0) {
            // the one before may fetch theirs
            Offer storage old = offers[best.offer];
            old.state = State.Outbid;
            returns_[old.bidder] += best.price;
        }
        id = offers.length;
        offers.push(Offer(msg.sender, deed, State.Open));
        standing[deed] = Standing(id, msg.value);
        emit Offered(id, deed, msg.sender, msg.value);
    }

    function withdrawOffer(uint256 id) external {
        Offer storage offer = offers[id];
        require(offer.bidder == msg.sender, "not yours");
        require(offer.state == State.Open, "not open");
        offer.state = State.Withdrawn;
        uint256 price = standing[offer.deed].price;
        delete standing[offer.deed];
        emit Withdrawn(id, price);
        (bool ok, ) = payable(msg.sender).call{value: price}("");
        require(ok, "refund refused");
    }

    /// @notice The holder of the deed takes the standing offer.
    function takeOffer(uint256 deed) external {
        require(holderOf[deed] == msg.sender, "not the holder");
        Standing memory best = standing[deed];
        require(best.price > 0, "no offer");
        delete standing[deed];
        Offer storage offer = offers[best.offer];
        offer.state = State.Taken;
        _convey(deed, offer.bidder);
        emit Taken(deed, best.offer, best.price);
        (bool ok, ) = payable(msg.sender).call{value: best.price}("");
        require(ok, "payment refused");
    }

    function fetchReturns() external {
        uint256 amount = returns_[msg.sender];
        require(amount > 0, "nothing");
        returns_[msg.sender] = 0;
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok, "payment refused");
    }
}
