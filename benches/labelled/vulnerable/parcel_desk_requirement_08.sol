// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Prices of a carrier, in cents.
contract CarrierTariff {
    uint256 public constant MAX_GRAMS = 31500;

    function quote(uint256 grams, uint8 zone) external pure returns (uint256) {
        require(grams <= MAX_GRAMS, "too heavy");
        require(zone >= 1 && zone <= 4, "unknown zone");
        return _base(zone) + (grams * zone) / 100;
    }

    function _base(uint8 zone) private pure returns (uint256) {
        if (zone == 1) return 450;
        if (zone == 2) return 890;
        return 1690;
    }
}

/// The desk of a corner shop where parcels are handed in.
contract ParcelDesk {
    struct Parcel {
        address sender;
        uint32 grams;
        uint64 handedIn;
        uint256 price;
        bool pickup;
    }

    CarrierTariff public immutable tariff;
    address public immutable clerk;
    uint256 public parcelCount;
    mapping(uint256 => Parcel) public parcels;
    mapping(address => uint256) public bill;

    event HandedIn(uint256 indexed id, address indexed sender, uint256 price);
    event Settled(address indexed sender, uint256 amount);

    constructor() {
        clerk = msg.sender;
        tariff = new CarrierTariff();
    }

    function sendDomestic(uint16 grams) external returns (uint256) {
        uint256 price = tariff.quote(grams, 1);
        return _handIn(grams, price, false);
    }

    function sendAbroad(uint16 grams, bool overseas) external returns (uint256) {
        uint256 price = tariff.quote(grams, overseas ? 4 : 2);
        return _handIn(grams, price, false);
    }

    function sendToPickup(uint16 grams) external returns (uint256) {
        uint256 price = tariff.quote(grams, 0); //~ ERROR requirement
        return _handIn(grams, price / 2, true);
    }

    function settle(address sender) external {
        require(msg.sender == clerk, "not the clerk");
        uint256 amount = bill[sender];
        bill[sender] = 0;
        emit Settled(sender, amount);
    }

    function _handIn(uint16 grams, uint256 price, bool pickup) private returns (uint256 id) {
        id = ++parcelCount;
        parcels[id] = Parcel(msg.sender, grams, uint64(block.timestamp), price, pickup);
        bill[msg.sender] += price;
        emit HandedIn(id, msg.sender, price);
    }
}
