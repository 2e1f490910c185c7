// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Residents of a house run scenes, which the landlord has installed.
contract SmartHomeHub {
    address public landlord;
    bool public away;

    mapping(bytes32 => address) public scenes;
    mapping(address => bool) public residents;
    mapping(bytes32 => uint256) public runs;
    mapping(address => uint256) public rungAt;

    event SceneInstalled(bytes32 indexed name, address code);
    event SceneRun(bytes32 indexed name, address indexed by);
    event ResidentSet(address indexed who, bool value);
    event DoorBell(address indexed visitor);

    modifier onlyLandlord() {
        require(msg.sender == landlord, "not the landlord");
        _;
    }

    modifier onlyResident() {
        require(residents[msg.sender], "not a resident");
        _;
    }

    constructor() {
        landlord = msg.sender;
        residents[msg.sender] = true;
    }

    function setResident(address who, bool value) external onlyLandlord {
        require(who != address(0), "nobody");
        residents[who] = value;
        emit ResidentSet(who, value);
    }

    function install(bytes32 name, address code) external onlyLandlord {
        require(name != bytes32(0), "no name");
        scenes[name] = code;
        emit SceneInstalled(name, code);
    }

    function ring() external {
        require(block.timestamp >= rungAt[msg.sender] + 1 minutes, "be patient");
        rungAt[msg.sender] = block.timestamp;
        emit DoorBell(msg.sender);
    }

    function setAway(bool value) external onlyResident {
        away = value;
    }

    function run(bytes32 name, bytes calldata data) external onlyResident returns (bytes memory) {
        address code = scenes[name];
        require(code != address(0), "no such scene");
        require(!away, "nobody at home");
        runs[name] += 1;
        (bool ok, bytes memory result) = code.delegatecall(data);
        require(ok, "the scene failed");
        emit SceneRun(name, msg.sender);
        return result;
    }
}
