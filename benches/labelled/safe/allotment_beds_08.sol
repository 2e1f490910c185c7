// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Stewards {
    struct Layout {
        address steward;
        uint64 since;
    }

    bytes32 private constant POSITION = keccak256("allotment.stewards");

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

library Watering {
    struct Layout {
        uint256 litres;
        address lastBy;
    }

    bytes32 private constant POSITION = keccak256("allotment.watering");

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

/// @title Beds of an allotment garden
contract AllotmentBeds {
    uint256 public constant BEDS = 16;

    uint256[16] private crops;
    uint256 public plantings;

    event Planted(uint256 indexed bed, uint256 crop);
    event Watered(address indexed by, uint256 litres);
    event StewardChanged(address indexed steward);

    constructor() {
        Stewards.Layout storage s = Stewards.layout();
        s.steward = msg.sender;
        s.since = uint64(block.timestamp);
    }

    function steward() public view returns (address) {
        return Stewards.layout().steward;
    }

    function plant(uint256 bed, uint256 crop) external {
        require(bed < BEDS, "no such bed");
        assembly {
            sstore(add(crops.slot, bed), crop)
        }
        plantings += 1;
        emit Planted(bed, crop);
    }

    function water(uint256 litres) external {
        require(litres > 0 && litres <= 50, "a can or two");
        Watering.Layout storage w = Watering.layout();
        w.litres += litres;
        w.lastBy = msg.sender;
        emit Watered(msg.sender, litres);
    }

    function handOver(address next) external {
        require(msg.sender == steward(), "only the steward");
        Stewards.Layout storage s = Stewards.layout();
        s.steward = next;
        s.since = uint64(block.timestamp);
        emit StewardChanged(next);
    }

    function cropOf(uint256 bed) external view returns (uint256 crop) {
        require(bed < BEDS, "no such bed");
        crop = crops[bed];
    }

    function litresUsed() external view returns (uint256) {
        return Watering.layout().litres;
    }
}
