// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Readings of amateur weather stations
/// @notice Sponsors pay into a fund from which the service rewards good stations.
///         Each station keeps a log of a size that its keeper chooses.
contract WeatherStations {
    struct Station {
        address keeper;
        uint64 since;
        uint256 size;
        uint256 filled;
        uint256[] log;
    }

    uint256 public constant FREE_SIZE = 24;

    address public service;
    mapping(uint256 => Station) private stations;
    uint256 public stationCount;
    mapping(uint256 => uint256) public rewards;

    event Registered(uint256 indexed id, address indexed keeper);
    event Resized(uint256 indexed id, uint256 size);
    event Reading(uint256 indexed id, uint256 indexed index, uint256 value);
    event Rewarded(uint256 indexed id, uint256 amount);

    constructor() {
        service = msg.sender;
    }

    modifier onlyKeeper(uint256 id) {
        require(stations[id].keeper == msg.sender, "not your station");
        _;
    }

    receive() external payable {}

    function register() external returns (uint256 id) {
        id = ++stationCount;
        Station storage s = stations[id];
        s.keeper = msg.sender;
        s.since = uint64(block.timestamp);
        s.size = FREE_SIZE;
        emit Registered(id, msg.sender);
    }

    /// @notice Makes room for a longer log. The slots are written when they are used,
    ///         which saves the gas of filling them with zeros first.
    function resize(uint256 id, uint256 size) external onlyKeeper(id) {
        Station storage s = stations[id];
        require(size > s.size, "a log cannot shrink");
        s.size = size;
        emit Resized(id, size);
    }

    function submit(uint256 id, uint256 index, uint256 value) external onlyKeeper(id) {
        Station storage s = stations[id];
        require(index < s.size, "beyond the log");
        uint256[] storage log = s.log;
        assembly {
            mstore(0x00, log.slot)
            sstore(add(keccak256(0x00, 0x20), index), value) //~ ERROR arbitrary-write
        }
        s.filled += 1;
        emit Reading(id, index, value);
    }

    function reading(uint256 id, uint256 index) external view returns (uint256 value) {
        Station storage s = stations[id];
        require(index < s.size, "beyond the log");
        uint256[] storage log = s.log;
        assembly {
            mstore(0x00, log.slot)
            value := sload(add(keccak256(0x00, 0x20), index))
        }
    }

    function station(uint256 id) external view returns (address keeper, uint256 size, uint256 filled) {
        Station storage s = stations[id];
        return (s.keeper, s.size, s.filled);
    }

    function reward(uint256 id, uint256 amount) external {
        require(msg.sender == service, "not the service");
        require(stations[id].filled > 0, "no readings");
        rewards[id] += amount;
        (bool ok,) = stations[id].keeper.call{value: amount}("");
        require(ok, "not accepted");
        emit Rewarded(id, amount);
    }
}
