// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Forwards to the current logic; keeps its own data in ERC-1967 slots.
contract RowingClub {
    bytes32 private constant IMPLEMENTATION_SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 private constant ADMIN_SLOT = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);

    event Upgraded(address indexed implementation);

    constructor() {
        _store(ADMIN_SLOT, msg.sender);
        _store(IMPLEMENTATION_SLOT, address(new RowingClubLogic()));
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == _load(ADMIN_SLOT), "not the admin");
        require(implementation != address(0), "no implementation");
        _store(IMPLEMENTATION_SLOT, implementation);
        emit Upgraded(implementation);
    }

    fallback() external {
        address target = _load(IMPLEMENTATION_SLOT);
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

    function _load(bytes32 place) private view returns (address value) {
        assembly {
            value := sload(place)
        }
    }

    function _store(bytes32 place, address value) private {
        assembly {
            sstore(place, value)
        }
    }
}

contract RowingClubLogic {
    uint256 public boatsOut;
    address public lastRower;
    mapping(address => uint8) public boatOf;
    mapping(uint8 => address) public rowerOf;
    mapping(address => uint256) public trips;

    event Out(address indexed rower, uint8 boat);
    event Back(address indexed rower, uint8 boat);

    function takeBoat(uint8 boat) external {
        require(boat >= 1 && boat <= 14, "no such boat");
        require(rowerOf[boat] == address(0), "on the water");
        require(boatOf[msg.sender] == 0, "one boat each");
        rowerOf[boat] = msg.sender;
        boatOf[msg.sender] = boat;
        boatsOut += 1;
        lastRower = msg.sender;
        emit Out(msg.sender, boat);
    }

    function bringBack() external {
        uint8 boat = boatOf[msg.sender];
        require(boat != 0, "no boat taken");
        delete rowerOf[boat];
        delete boatOf[msg.sender];
        boatsOut -= 1;
        trips[msg.sender] += 1;
        emit Back(msg.sender, boat);
    }
}
