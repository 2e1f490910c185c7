// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

library StableAccess {
    struct Layout {
        address groom;
        uint64 since;
    }

    /// @dev keccak256("stable.storage.access")
    bytes32 private constant POSITION = 0x92a7847b1fe96e7da39a9b66e2e6445bb33ecaa1fe1478dbc016dffe640a9063;

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

library StableMeals {
    struct Layout {
        uint256 served;
        mapping(uint256 horse => uint256) lastAt;
        mapping(uint256 horse => uint256) count;
    }

    bytes32 private constant POSITION = keccak256("stable.storage.meals");

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

abstract contract Groomed {
    error NotTheGroom(address who);

    modifier onlyGroom() {
        if (msg.sender != StableAccess.layout().groom) revert NotTheGroom(msg.sender);
        _;
    }

    function groom() public view returns (address) {
        return StableAccess.layout().groom;
    }
}

/// @notice Visitors feed the horses, not more often than every hour.
contract PonyStable is Groomed {
    uint256 public constant PAUSE = 1 hours;

    uint256 public horses;
    mapping(uint256 horse => string) public nameOf;

    event Came(uint256 indexed horse, string name);
    event Fed(uint256 indexed horse, address indexed by);

    constructor(uint8 horses_) {
        require(horses_ > 0, "an empty stable");
        horses = horses_;
        StableAccess.layout().groom = msg.sender;
        StableAccess.layout().since = uint64(block.timestamp);
    }

    function bring(string calldata name) external onlyGroom {
        horses += 1;
        nameOf[horses] = name;
        emit Came(horses, name);
    }

    function rename(uint256 horse, string calldata name) external onlyGroom {
        require(horse > 0 && horse <= horses, "no such horse");
        nameOf[horse] = name;
        emit Came(horse, name);
    }

    function feed(uint256 horse) external {
        require(horse > 0 && horse <= horses, "no such horse");
        StableMeals.Layout storage m = StableMeals.layout();
        require(block.timestamp >= m.lastAt[horse] + PAUSE, "not hungry");
        m.lastAt[horse] = block.timestamp;
        m.count[horse] += 1;
        m.served += 1; //~ ERROR slot-collision
        emit Fed(horse, msg.sender);
    }

    function mealsOf(uint256 horse) external view returns (uint256) {
        return StableMeals.layout().count[horse];
    }
}
