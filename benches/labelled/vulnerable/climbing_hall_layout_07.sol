// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// The front of the hall; the work is done by the logic.
contract ClimbingHall {
    address public logic;
    address public admin; //~ ERROR layout-collision
    bool public paused;

    event PausedSet(bool value);

    constructor() {
        admin = msg.sender;
        logic = address(new ClimbingHallLogic());
    }

    function setPaused(bool value) external {
        require(msg.sender == admin, "not the admin");
        paused = value;
        emit PausedSet(value);
    }

    fallback() external {
        require(!paused, "the hall is closed");
        address target = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}

contract ClimbingHallLogic {
    address public logic;
    address public lastClimber;
    mapping(address => uint256) public visits;
    mapping(address => mapping(uint256 => bool)) public topped;
    mapping(uint256 => uint256) public ascents;

    event Entered(address indexed climber, uint256 visits);
    event Topped(address indexed climber, uint256 route);

    function enter() external {
        visits[msg.sender] += 1;
        lastClimber = msg.sender;
        emit Entered(msg.sender, visits[msg.sender]);
    }

    function top(uint256 route) external {
        require(visits[msg.sender] > 0, "enter first");
        require(route < 90, "no such route");
        require(!topped[msg.sender][route], "already topped");
        topped[msg.sender][route] = true;
        ascents[route] += 1;
        emit Topped(msg.sender, route);
    }
}
