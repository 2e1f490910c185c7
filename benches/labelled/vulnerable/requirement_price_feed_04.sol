// SPDX-License-Identifier: MIT
pragma solidity ^0.4.25;
// Exploit: call cheapest(): it asks the feed for a lot of 50 units, the feed accepts multiples of 100 only, so the call always fails.
contract LotFeed {
    uint256 public unitPrice = 3;

    function quote(uint256 units) public view returns (uint256) {
        require(units > 0);
        require(units % 100 == 0);
        return units * unitPrice;
    }
}

contract LotShop {
    LotFeed public feed;
    uint256 public lastQuote;
    uint256 public asked;

    constructor() public {
        feed = new LotFeed();
    }

    function cheapest() public returns (uint256) {
        asked += 1;
        lastQuote = feed.quote(50); //~ ERROR requirement
        return lastQuote;
    }

    function standard() public returns (uint256) {
        asked += 1;
        lastQuote = feed.quote(200);
        return lastQuote;
    }
}
