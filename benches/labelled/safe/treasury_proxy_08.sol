// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Keeps what it has to store in the slots of ERC-1967.
contract TreasuryProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN_SLOT = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    event Upgraded(address indexed implementation);

    constructor(address implementation) {
        _store(ADMIN_SLOT, msg.sender);
        _store(IMPLEMENTATION_SLOT, implementation);
        (bool ok, ) = implementation.delegatecall(abi.encodeWithSignature("initialize(address)", msg.sender));
        require(ok, "not initialized");
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == _load(ADMIN_SLOT), "not the admin");
        require(implementation.code.length > 0, "no code");
        _store(IMPLEMENTATION_SLOT, implementation);
        emit Upgraded(implementation);
    }

    function _load(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _store(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }

    fallback() external payable {
        address implementation = _load(IMPLEMENTATION_SLOT);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

library Roles {
    struct Layout {
        bool initialized;
        address owner;
    }

    bytes32 private constant POSITION = keccak256("treasury.roles.v1");

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

library Accounts {
    struct Layout {
        uint256 total;
        mapping(address => uint256) balances;
        bool frozen;
    }

    bytes32 private constant POSITION = keccak256("treasury.accounts.v1");

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

contract TreasuryLogic {
    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    constructor() {
        Roles.layout().initialized = true;
    }

    function initialize(address owner_) external {
        Roles.Layout storage roles = Roles.layout();
        require(!roles.initialized, "initialized");
        roles.initialized = true;
        roles.owner = owner_;
    }

    function owner() external view returns (address) {
        return Roles.layout().owner;
    }

    function balanceOf(address who) external view returns (uint256) {
        return Accounts.layout().balances[who];
    }

    function setFrozen(bool value) external {
        require(msg.sender == Roles.layout().owner, "not the owner");
        Accounts.layout().frozen = value;
    }

    function deposit() external payable {
        Accounts.Layout storage accounts = Accounts.layout();
        accounts.balances[msg.sender] += msg.value;
        accounts.total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        Accounts.Layout storage accounts = Accounts.layout();
        require(!accounts.frozen, "frozen");
        accounts.balances[msg.sender] -= amount;
        accounts.total -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }
}
