// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

library Narrow {
    error DoesNotFit(uint256 value);

    function toUint64(uint256 value) internal pure returns (uint64) {
        if (value > type(uint64).max) revert DoesNotFit(value);
        return uint64(value);
    }
}

/// @notice Auctioneers post a bond before they hold sales.
contract AuctioneerBonds {
    using Narrow for uint256;

    /// @dev Two slots.
    struct Bond {
        address surety;
        uint64 amount;
        uint32 sales;
        uint64 lastSale;
        bool suspended;
    }

    uint256 public constant SMALLEST = 10 ether;
    uint256 public constant NOTICE = 7 days;

    address public immutable guild;
    uint256 public held;
    mapping(address auctioneer => Bond) public bonds;

    event Posted(address indexed auctioneer, address indexed surety, uint256 amount);
    event SaleHeld(address indexed auctioneer, bytes32 indexed lot);
    event Drawn(address indexed auctioneer, uint64 amount);
    event Released(address indexed auctioneer, uint256 amount);

    modifier onlyGuild() {
        require(msg.sender == guild, "guild only");
        _;
    }

    constructor() {
        guild = msg.sender;
    }

    function post(address auctioneer) external payable {
        require(msg.value >= SMALLEST, "too small");
        Bond storage b = bonds[auctioneer];
        require(b.surety == address(0), "posted");
        b.surety = msg.sender;
        b.amount = msg.value.toUint64();
        held += msg.value;
        emit Posted(auctioneer, msg.sender, msg.value);
    }

    function holdSale(bytes32 lot) external {
        Bond storage b = bonds[msg.sender];
        require(b.surety != address(0) && !b.suspended, "no bond");
        b.sales += 1;
        b.lastSale = uint64(block.timestamp);
        emit SaleHeld(msg.sender, lot);
    }

    function draw(address auctioneer, uint64 amount) external onlyGuild {
        bonds[auctioneer].amount -= amount;
        held -= amount;
        emit Drawn(auctioneer, amount);
        payable(guild).transfer(amount);
    }

    function suspend(address auctioneer, bool yes) external onlyGuild {
        bonds[auctioneer].suspended = yes;
    }

    function release(address auctioneer) external {
        Bond storage b = bonds[auctioneer];
        require(b.surety == msg.sender, "not the surety");
        require(!b.suspended, "suspended");
        require(b.lastSale == 0 || block.timestamp >= b.lastSale + NOTICE, "sold lately");
        uint256 amount = b.amount;
        delete bonds[auctioneer];
        held -= amount;
        emit Released(auctioneer, amount);
        payable(msg.sender).transfer(amount);
    }
}
