// Sound: the two namespaces, the points and the lock are hashes of different names, and a hash that is computed by hand takes the hash of a name where a declared mapping has its small number.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:storage-location erc7201:watertaxi.storage.Boats
library BoatStorage {
    struct Layout {
        mapping(uint256 => address) skipperOf;
        mapping(address => uint256) earned;
        uint256 count;
    }

    bytes32 private constant POSITION =
        keccak256(abi.encode(uint256(keccak256("watertaxi.storage.Boats")) - 1)) & ~bytes32(uint256(0xff));

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

/// @custom:storage-location erc7201:watertaxi.storage.Trips
library TripStorage {
    struct Trip {
        address guest;
        uint64 boat;
        uint64 startedAt;
        bool done;
        uint256 fare;
    }

    struct Layout {
        mapping(uint256 => Trip) trips;
        uint256 count;
        uint256 open;
    }

    bytes32 private constant POSITION =
        keccak256(abi.encode(uint256(keccak256("watertaxi.storage.Trips")) - 1)) & ~bytes32(uint256(0xff));

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

/// @title Water taxis: guests pay in advance, skippers earn when the guest has landed
contract WaterTaxi {
    bytes32 private constant POINTS = keccak256("watertaxi.points.v1");
    bytes32 private constant LOCK = bytes32(uint256(keccak256("watertaxi.lock")) - 1);
    uint256 public constant LEAST_FARE = 2 gwei;
    mapping(address => uint256) public credit;

    event Ordered(uint256 indexed trip, uint256 indexed boat, address indexed guest, uint256 fare);
    event Landed(uint256 indexed trip);

    modifier lock() {
        bytes32 slot = LOCK;
        uint256 locked;
        assembly {
            locked := sload(slot)
            sstore(slot, 1)
        }
        require(locked == 0, "locked");
        _;
        assembly {
            sstore(slot, 0)
        }
    }

    function addBoat() external returns (uint256 boat) {
        BoatStorage.Layout storage $ = BoatStorage.layout();
        boat = ++$.count;
        $.skipperOf[boat] = msg.sender;
    }

    function order(uint64 boat) external payable lock returns (uint256 trip) {
        require(BoatStorage.layout().skipperOf[boat] != address(0), "no such boat");
        require(msg.value >= LEAST_FARE, "too little");
        TripStorage.Layout storage $ = TripStorage.layout();
        trip = ++$.count;
        $.open += 1;
        $.trips[trip] = TripStorage.Trip(msg.sender, boat, 0, false, msg.value);
        emit Ordered(trip, boat, msg.sender, msg.value);
    }

    function board(uint256 trip) external lock {
        TripStorage.Trip storage t = _openTrip(trip);
        require(msg.sender == t.guest && t.startedAt == 0, "not your trip");
        t.startedAt = uint64(block.timestamp);
    }

    /// @notice The guest says so, or the skipper a day after the guest went on board.
    function landed(uint256 trip) external lock {
        TripStorage.Trip storage t = _openTrip(trip);
        BoatStorage.Layout storage $ = BoatStorage.layout();
        address skipper = $.skipperOf[t.boat];
        bool late = t.startedAt != 0 && block.timestamp > uint256(t.startedAt) + 1 days;
        require(msg.sender == t.guest || (msg.sender == skipper && late), "the guest says so");
        t.done = true;
        TripStorage.layout().open -= 1;
        $.earned[skipper] += t.fare;
        _setPoints(t.guest, points(t.guest) + 1);
        emit Landed(trip);
    }

    /// @notice Nobody came: the fare goes back.
    function cancel(uint256 trip) external lock {
        TripStorage.Trip storage t = _openTrip(trip);
        address skipper = BoatStorage.layout().skipperOf[t.boat];
        require(msg.sender == skipper || (msg.sender == t.guest && t.startedAt == 0), "on board");
        t.done = true;
        TripStorage.layout().open -= 1;
        credit[t.guest] += t.fare;
    }

    function withdraw() external lock {
        BoatStorage.Layout storage $ = BoatStorage.layout();
        uint256 amount = $.earned[msg.sender] + credit[msg.sender];
        require(amount > 0, "nothing");
        $.earned[msg.sender] = 0;
        credit[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function points(address who) public view returns (uint256 value) {
        bytes32 slot = keccak256(abi.encode(who, POINTS));
        assembly {
            value := sload(slot)
        }
    }

    function _setPoints(address who, uint256 value) private {
        bytes32 slot = keccak256(abi.encode(who, POINTS));
        assembly {
            sstore(slot, value)
        }
    }

    function _openTrip(uint256 trip) private view returns (TripStorage.Trip storage t) {
        t = TripStorage.layout().trips[trip];
        require(t.guest != address(0) && !t.done, "no open trip");
    }
}
