// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Rates of the railway, by class of the goods.
contract FreightRates {
    function rate(uint256 tons, uint8 class) external pure returns (uint256) {
        require(class >= 1 && class <= 3, "no such class");
        require(tons <= 400, "too heavy for one train");
        return tons * (5 + class);
    }
}

/// Journal of the railway. A page holds five waybills a sender.
contract FreightJournal {
    address public desk;
    mapping(address => uint256) public entries;

    constructor() public {
        desk = msg.sender;
    }

    function note(address sender, uint256 price) external {
        require(msg.sender == desk, "only the desk");
        require(price > 0, "nothing to note");
        require(entries[sender] < 5, "the page is full");
        entries[sender] += 1;
    }
}

/// The desk where waybills are written.
contract FreightDesk {
    enum Goods { Grain, Timber, Machines }

    FreightRates public rates;
    FreightJournal public journal;
    mapping(address => uint256) public noted;
    mapping(address => uint256) public missed;

    event Waybill(address indexed sender, uint256 price, bool inJournal);

    constructor() public {
        rates = new FreightRates();
        journal = new FreightJournal();
    }

    function priceOf(uint256 tons, Goods goods) public view returns (uint256) {
        return rates.rate(tons, uint8(goods) + 1);
    }

    function grainPrice(uint256 tons) external view returns (uint256) {
        return priceOf(tons, Goods.Grain);
    }

    /// A waybill is valid without its entry, but the desk counts what is missing.
    function write(uint256 tons, Goods goods) external {
        uint256 price = priceOf(tons, goods);
        bytes memory entry = abi.encodeWithSelector(journal.note.selector, msg.sender, price);
        (bool ok, ) = address(journal).call(entry);
        if (ok) {
            noted[msg.sender] += 1;
        } else {
            missed[msg.sender] += 1;
        }
        emit Waybill(msg.sender, price, ok);
    }

    function writeStrictly(uint256 tons, Goods goods) external {
        uint256 price = priceOf(tons, goods);
        journal.note(msg.sender, price);
        noted[msg.sender] += 1;
        emit Waybill(msg.sender, price, true);
    }
}
