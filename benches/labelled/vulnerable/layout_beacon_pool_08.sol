// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Says which code the pools run.
contract PoolBeacon {
    address public immutable keeper;
    address public implementation;

    event Upgraded(address indexed implementation);

    constructor(address implementation_) {
        keeper = msg.sender;
        _set(implementation_);
    }

    function upgradeTo(address implementation_) external {
        require(msg.sender == keeper, "keeper only");
        _set(implementation_);
    }

    function _set(address implementation_) private {
        require(implementation_.code.length > 0, "no code");
        implementation = implementation_;
        emit Upgraded(implementation_);
    }
}

/// @notice A pool of ether for a round of builders
contract GrantPool {
    uint64 public round;
    uint64 public pledges;
    uint128 public pledged;
    mapping(address => uint256) public pledgeOf;
    mapping(uint256 => uint256) public votesFor;

    event Pledged(address indexed who, uint256 amount);
    event Voted(address indexed who, uint256 indexed project, uint256 votes);
    event Withdrawn(address indexed who, uint256 amount);

    function pledge() external payable {
        require(msg.value > 0 && msg.value < 2 ** 96, "amount");
        pledges++;
        pledged += uint128(msg.value);
        pledgeOf[msg.sender] += msg.value;
        emit Pledged(msg.sender, msg.value);
    }

    function vote(uint256 project) external {
        require(pledgeOf[msg.sender] > 0, "no pledge");
        votesFor[project] += pledgeOf[msg.sender];
        emit Voted(msg.sender, project, pledgeOf[msg.sender]);
    }

    function withdraw() external {
        uint256 amount = pledgeOf[msg.sender];
        require(amount > 0, "no pledge");
        pledgeOf[msg.sender] = 0;
        pledged -= uint128(amount);
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }
}

/// @title Proxy of a pool. It asks the beacon for the code, and a sentinel may halt it.
contract GrantPoolProxy {
    bytes32 private constant BEACON_SLOT = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

    address public sentinel; //~ ERROR layout-collision
    uint256 public haltedUntil;

    event HaltedSet(uint256 until);

    constructor(address implementation) {
        sentinel = msg.sender;
        address beacon = address(new PoolBeacon(implementation));
        assembly {
            sstore(BEACON_SLOT, beacon)
        }
    }

    function halt(uint256 numberOfDays) external {
        require(msg.sender == sentinel, "sentinel only");
        require(numberOfDays <= 30, "too long");
        haltedUntil = block.timestamp + numberOfDays * 1 days;
        emit HaltedSet(haltedUntil);
    }

    function _code() private view returns (address) {
        address beacon;
        assembly {
            beacon := sload(BEACON_SLOT)
        }
        return PoolBeacon(beacon).implementation();
    }

    receive() external payable {
        revert("use pledge");
    }

    fallback() external payable {
        require(block.timestamp >= haltedUntil, "halted");
        address code = _code();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
