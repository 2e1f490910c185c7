// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Counts the hives of a county. Runs behind `ApiaryProxy`.
contract ApiaryLogic {
    address public lastKeeper;
    mapping(address => uint256) public hivesOf;
    mapping(address => string) public placeOf;

    event HivesAdded(address indexed keeper, uint256 count);

    function addHives(uint256 count) external {
        require(count > 0 && count <= 200, "odd number of hives");
        lastKeeper = msg.sender;
        hivesOf[msg.sender] += count;
        emit HivesAdded(msg.sender, count);
    }

    function setPlace(string calldata place) external {
        require(hivesOf[msg.sender] > 0, "no hives");
        placeOf[msg.sender] = place;
    }
}

/// @title Proxy of the hive register
/// @notice The guardian can pause the register, say during an epidemic.
contract ApiaryProxy {
    bytes32 private constant IMPLEMENTATION =
        0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant PAUSED = keccak256("apiary.proxy.paused");

    address public guardian; //~ ERROR layout-collision

    event Paused(bool on);

    constructor() {
        guardian = msg.sender;
        address logic = address(new ApiaryLogic());
        assembly {
            sstore(IMPLEMENTATION, logic)
        }
    }

    function setPaused(bool on) external {
        require(msg.sender == guardian, "only the guardian");
        bytes32 slot = PAUSED;
        assembly {
            sstore(slot, on)
        }
        emit Paused(on);
    }

    function paused() public view returns (bool on) {
        bytes32 slot = PAUSED;
        assembly {
            on := sload(slot)
        }
    }

    fallback() external payable {
        require(!paused(), "paused");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(IMPLEMENTATION), 0, calldatasize(), 0, 0)
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
