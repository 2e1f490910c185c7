// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:storage-location erc7201:ferry.storage.Crew
library Crew {
    struct Layout {
        address purser;
    }

    bytes32 private constant POSITION =
        keccak256(abi.encode(uint256(keccak256("ferry.storage.Crew")) - 1)) & ~bytes32(uint256(0xff));

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

/// @custom:storage-location erc7201:ferry.storage.Remarks
library Remarks {
    struct Layout {
        uint256 latest;
        uint256 count;
    }

    bytes32 private constant POSITION =
        keccak256(abi.encode(uint256(keccak256("ferry.storage.Crew")) - 1)) & ~bytes32(uint256(0xff));

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

/// @title Tickets of a ferry line
/// @notice Passengers buy tickets, get points for them, and may give tickets back for
///         credit. The purser collects what was paid for crossings.
contract FerryLine {
    uint256 public constant FARE = 5 gwei;
    /// @dev Version of the points; older points lapse when it is raised.
    uint256 private constant POINTS_VERSION = 1;

    mapping(address => uint256) public tickets;
    mapping(address => uint256) public credit;
    uint256 public takings;

    event Bought(address indexed who, uint256 count);
    event Crossed(address indexed who);
    event Remarked(address indexed who, uint256 remark);

    constructor() {
        Crew.layout().purser = msg.sender;
    }

    function purser() public view returns (address) {
        return Crew.layout().purser;
    }

    function buy(uint256 count) external payable {
        require(count > 0 && count <= 1000, "count");
        require(msg.value == count * FARE, "the fare");
        tickets[msg.sender] += count;
        _addPoints(msg.sender, count * 1 gwei);
        emit Bought(msg.sender, count);
    }

    function cross() external {
        tickets[msg.sender] -= 1;
        takings += FARE;
        emit Crossed(msg.sender);
    }

    /// @notice The hash of a text that is kept elsewhere.
    function remark(uint256 hash) external {
        require(points(msg.sender) > 0, "passengers only");
        Remarks.layout().latest = hash; //~ ERROR slot-collision
        Remarks.layout().count += 1;
        emit Remarked(msg.sender, hash);
    }

    function giveBack(uint256 count) external {
        tickets[msg.sender] -= count;
        credit[msg.sender] += count * FARE;
    }

    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function collect() external {
        require(msg.sender == purser(), "not the purser");
        uint256 amount = takings;
        takings = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function points(address who) public view returns (uint256 value) {
        bytes32 slot = keccak256(abi.encode(who, POINTS_VERSION));
        assembly {
            value := sload(slot)
        }
    }

    function _addPoints(address who, uint256 count) private {
        bytes32 slot = keccak256(abi.encode(who, POINTS_VERSION));
        assembly {
            sstore(slot, add(sload(slot), count)) //~ ERROR slot-collision
        }
    }
}
