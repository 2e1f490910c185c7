// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Coats of the guests. A ticket for each, and a coin when it is fetched.
contract CoatCheck {
    struct Coat {
        address guest;
        uint64 hungAt;
        bool fetched;
    }

    uint256 public nextTicket;
    uint256 public tips;
    mapping(uint256 ticket => Coat) public coats;
    mapping(address guest => uint256) public hanging;

    event Hung(uint256 indexed ticket, address indexed guest);
    event Fetched(uint256 indexed ticket, uint256 tip);

    function hang() external returns (uint256 ticket) {
        require(hanging[msg.sender] < 3, "three coats are enough");
        ticket = ++nextTicket;
        coats[ticket] = Coat(msg.sender, uint64(block.timestamp), false);
        hanging[msg.sender] += 1;
        emit Hung(ticket, msg.sender);
    }

    function fetch(uint256 ticket) external payable {
        Coat storage c = coats[ticket];
        require(c.guest == msg.sender && !c.fetched, "not your coat");
        c.fetched = true;
        hanging[msg.sender] -= 1;
        tips += msg.value;
        emit Fetched(ticket, msg.value);
    }

    function shareTips(address payable a, address payable b) external {
        uint256 half = tips / 2;
        tips = 0;
        require(a == 0x1111111111111111111111111111111111111111, "the porter");
        require(b == 0x2222222222222222222222222222222222222222, "the maid");
        a.transfer(half);
        b.transfer(half);
    }
}

/// @notice Can be halted by its warden, when something is wrong with the code behind it.
contract CoatCheckProxy {
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    bool public halted; //~ ERROR layout-collision

    event Upgraded(address indexed implementation);
    event Halted(bool halted);

    modifier onlyWarden() {
        address warden;
        assembly {
            warden := sload(ADMIN)
        }
        require(msg.sender == warden, "warden only");
        _;
    }

    constructor(address implementation) {
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION, implementation)
            sstore(ADMIN, caller())
        }
        emit Upgraded(implementation);
    }

    function setHalted(bool halted_) external onlyWarden {
        halted = halted_;
        emit Halted(halted_);
    }

    function upgradeTo(address implementation) external onlyWarden {
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
        emit Upgraded(implementation);
    }

    fallback() external payable {
        require(!halted, "halted");
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
