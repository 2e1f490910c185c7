// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Umbrellas of the guests. A ticket for each, and a coin when it is fetched.
contract UmbrellaStand {
    struct Umbrella {
        address guest;
        uint64 leftAt;
        bool fetched;
    }

    uint256 public nextTicket;
    address public porter;
    uint256 public tips;
    mapping(uint256 ticket => Umbrella) public umbrellas;
    mapping(address guest => uint256) public standing;
    uint256[45] private __gap;

    event Left(uint256 indexed ticket, address indexed guest);
    event Fetched(uint256 indexed ticket, uint256 tip);

    /// @dev Nobody is porter of the implementation itself.
    constructor() {
        porter = address(0xdead);
    }

    function initialize(address porter_) external {
        require(porter == address(0) && porter_ != address(0), "initialized");
        porter = porter_;
    }

    function leave() external returns (uint256 ticket) {
        require(standing[msg.sender] < 3, "three are enough");
        ticket = ++nextTicket;
        umbrellas[ticket] = Umbrella(msg.sender, uint64(block.timestamp), false);
        standing[msg.sender] += 1;
        emit Left(ticket, msg.sender);
    }

    function fetch(uint256 ticket) external payable {
        Umbrella storage u = umbrellas[ticket];
        require(u.guest == msg.sender && !u.fetched, "not your umbrella");
        u.fetched = true;
        standing[msg.sender] -= 1;
        tips += msg.value;
        emit Fetched(ticket, msg.value);
    }

    function takeTips() external {
        require(msg.sender == porter, "porter only");
        uint256 amount = tips;
        tips = 0;
        payable(porter).transfer(amount);
    }
}

/// @notice Can be halted by its warden, when something is wrong with the code behind it.
contract UmbrellaStandProxy {
    /// @custom:storage-location erc7201:umbrella.stand.switch
    struct Switch {
        bool halted;
        uint64 since;
    }

    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;
    bytes32 private constant SWITCH =
        keccak256(abi.encode(uint256(keccak256("umbrella.stand.switch")) - 1)) & ~bytes32(uint256(0xff));

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

    /// @dev Initialized at once, with the porter that is named here.
    constructor(address implementation, address porter) {
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION, implementation)
            sstore(ADMIN, caller())
        }
        emit Upgraded(implementation);
        (bool ok, ) = implementation.delegatecall(abi.encodeCall(UmbrellaStand.initialize, (porter)));
        require(ok, "not initialized");
    }

    function setHalted(bool halted) external onlyWarden {
        Switch storage s = _switch();
        s.halted = halted;
        s.since = uint64(block.timestamp);
        emit Halted(halted);
    }

    function upgradeTo(address implementation) external onlyWarden {
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
        emit Upgraded(implementation);
    }

    function _switch() private pure returns (Switch storage s) {
        bytes32 place = SWITCH;
        assembly {
            s.slot := place
        }
    }

    fallback() external payable {
        require(!_switch().halted, "halted");
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
