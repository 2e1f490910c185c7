// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Stores the bottles of wine lovers, and keeps the climate of its racks.
contract WineCellar {
    uint256 public constant CAPACITY = 50_000;
    uint256 public constant RACKS = 12;

    struct Holding {
        uint96 bottles;
        uint64 since;
        uint96 drunk;
    }

    address public immutable keeper;
    uint256 public stored;
    mapping(address => Holding) public holdings;
    uint256[12] private climate;

    event Stored(address indexed who, uint256 bottles);
    event Given(address indexed from, address indexed to, uint256 bottles);
    event Drunk(address indexed who, uint256 bottles);
    event ClimateNoted(uint256 indexed rack, uint256 value);

    constructor() {
        keeper = msg.sender;
    }

    function store(uint256 bottles) external {
        require(bottles > 0 && bottles <= 600, "1 to 600 bottles");
        require(stored + bottles <= CAPACITY, "the cellar is full");
        Holding storage holding = holdings[msg.sender];
        unchecked {
            stored += bottles;
            holding.bottles += uint96(bottles);
        }
        holding.since = uint64(block.timestamp);
        emit Stored(msg.sender, bottles);
    }

    function give(address to, uint256 bottles) external {
        require(to != address(0), "no receiver");
        require(bottles > 0 && bottles <= holdings[msg.sender].bottles, "not that many");
        unchecked {
            holdings[msg.sender].bottles -= uint96(bottles);
            holdings[to].bottles += uint96(bottles);
        }
        emit Given(msg.sender, to, bottles);
    }

    function drink(uint96 bottles) external {
        Holding storage holding = holdings[msg.sender];
        require(bottles > 0 && bottles <= holding.bottles, "not that many");
        unchecked {
            holding.bottles -= bottles;
            stored -= bottles;
        }
        holding.drunk += bottles;
        emit Drunk(msg.sender, bottles);
    }

    function noteClimate(uint256 rack, uint256 value) external {
        require(rack < RACKS, "no such rack");
        assembly {
            sstore(add(climate.slot, rack), value)
        }
        emit ClimateNoted(rack, value);
    }

    function climateOf(uint256 rack) external view returns (uint256 value) {
        require(rack < RACKS, "no such rack");
        assembly {
            value := sload(add(climate.slot, rack))
        }
    }
}
