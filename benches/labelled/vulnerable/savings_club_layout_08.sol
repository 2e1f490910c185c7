// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Proxy that lets each account call once a minute
/// @notice Keeps bots from hammering the club. The code behind it can be replaced by the admin.
contract SavingsClubProxy {
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    mapping(address => uint256) private lastCall; //~ ERROR layout-collision

    uint256 public constant PAUSE = 1 minutes;

    event Upgraded(address indexed implementation);

    constructor(address implementation) {
        _setImplementation(implementation);
        assembly {
            sstore(ADMIN, caller())
        }
        (bool ok,) = implementation.delegatecall(abi.encodeWithSignature("initialize(address)", msg.sender));
        require(ok, "not initialized");
    }

    function upgradeTo(address implementation) external {
        address admin;
        assembly {
            admin := sload(ADMIN)
        }
        require(msg.sender == admin, "not the admin");
        _setImplementation(implementation);
    }

    fallback() external payable {
        require(block.timestamp >= lastCall[msg.sender] + PAUSE, "wait a minute");
        lastCall[msg.sender] = block.timestamp;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(IMPLEMENTATION), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    function _setImplementation(address implementation) private {
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
        emit Upgraded(implementation);
    }
}

/// @title Savings club: what is saved can be taken out, less a fee for the treasurer
contract SavingsClub {
    mapping(address => uint256) public savingsOf;
    uint256 public total;
    uint256 public fees;
    address public treasurer;
    bool private initialized;

    event Saved(address indexed who, uint256 amount);
    event TakenOut(address indexed who, uint256 amount);

    constructor() {
        initialized = true;
    }

    function initialize(address treasurer_) external {
        require(!initialized, "initialized");
        initialized = true;
        treasurer = treasurer_;
    }

    function save() external payable {
        require(msg.value > 0, "nothing");
        savingsOf[msg.sender] += msg.value;
        total += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function takeOut(uint256 amount) external {
        savingsOf[msg.sender] -= amount;
        total -= amount;
        uint256 fee = amount / 100;
        fees += fee;
        (bool ok,) = msg.sender.call{value: amount - fee}("");
        require(ok, "not accepted");
        emit TakenOut(msg.sender, amount);
    }

    function give(address to, uint256 amount) external {
        savingsOf[msg.sender] -= amount;
        savingsOf[to] += amount;
    }

    function collectFees() external {
        require(msg.sender == treasurer, "not the treasurer");
        uint256 amount = fees;
        fees = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }
}
