// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract BandedFeed {
    address public immutable hub;
    uint256 public price;
    uint256 public updatedAt;

    constructor(uint128 initialPrice) {
        hub = msg.sender;
        price = initialPrice;
        updatedAt = block.timestamp;
    }

    function onPrice(uint128 newPrice) external {
        require(msg.sender == hub, "hub only");
        require(newPrice > 0, "no price");
        require(newPrice <= price * 2, "jumped up");
        require(uint256(newPrice) * 2 >= price, "jumped down");
        price = newPrice;
        updatedAt = block.timestamp;
    }
}

contract ReportHub {
    struct Reporter {
        bool active;
        uint64 reports;
        uint128 lastPrice;
    }

    BandedFeed public immutable feed;
    address public immutable keeper;
    uint256 public round;
    uint256 public lastRoundAt;
    mapping(address => Reporter) public reporters;

    event Registered(address indexed reporter);
    event Reported(uint256 indexed round, address indexed reporter, uint128 price);

    modifier onlyReporter() {
        require(reporters[msg.sender].active, "not registered");
        _;
    }

    constructor(uint128 initialPrice) {
        keeper = msg.sender;
        feed = new BandedFeed(initialPrice);
        reporters[msg.sender].active = true;
    }

    function register(address reporter) external {
        require(msg.sender == keeper, "keeper only");
        require(!reporters[reporter].active, "registered");
        reporters[reporter].active = true;
        emit Registered(reporter);
    }

    function retire() external onlyReporter {
        reporters[msg.sender].active = false;
    }

    function report(uint128 price) external onlyReporter {
        Reporter storage r = reporters[msg.sender];
        r.reports += 1;
        r.lastPrice = price;
        round += 1;
        lastRoundAt = block.timestamp;
        address(feed).call(abi.encodeWithSelector(BandedFeed.onPrice.selector, price)); //~ ERROR exception-disorder
        emit Reported(round, msg.sender, price);
    }

    function age() external view returns (uint256) {
        return block.timestamp - lastRoundAt;
    }
}
