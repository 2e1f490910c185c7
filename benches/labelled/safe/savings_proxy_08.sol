// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Savings of many people, behind a proxy. Each sum stays for a while before it can be taken out.
contract SavingsLogic {
    struct Saving {
        uint256 amount;
        uint256 freeAt;
    }

    bool private initialized;
    address public manager;
    uint256 public holdTime;
    uint256 public total;
    mapping(address => Saving) public savings;
    uint256[40] private __gap;

    event Saved(address indexed account, uint256 amount);
    event TakenOut(address indexed account, uint256 amount);

    modifier initializer() {
        require(!initialized, "initialized");
        initialized = true;
        _;
    }

    constructor() {
        initialized = true;
    }

    function initialize(address manager_) external initializer {
        require(manager_ != address(0), "no manager");
        manager = manager_;
        holdTime = 1 days;
    }

    function setHoldTime(uint256 value) external {
        require(msg.sender == manager, "not the manager");
        require(value <= 30 days, "too long");
        holdTime = value;
    }

    function save() external payable {
        require(msg.value > 0, "nothing sent");
        Saving storage saving = savings[msg.sender];
        saving.amount += msg.value;
        saving.freeAt = block.timestamp + holdTime;
        total += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function takeOut(uint256 amount) external {
        Saving storage saving = savings[msg.sender];
        require(block.timestamp >= saving.freeAt, "not free yet");
        require(amount <= saving.amount, "not enough");
        saving.amount -= amount;
        total -= amount;
        emit TakenOut(msg.sender, amount);
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }
}

/// The proxy keeps nothing in numbered slots.
contract SavingsProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN_SLOT = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    event Upgraded(address indexed implementation);

    constructor() {
        address deployer = msg.sender;
        assembly {
            sstore(ADMIN_SLOT, deployer)
        }
        address implementation = address(new SavingsLogic());
        _setImplementation(implementation);
        (bool success,) = implementation.delegatecall(abi.encodeCall(SavingsLogic.initialize, (deployer)));
        require(success, "not initialized");
    }

    receive() external payable {
        revert("use save");
    }

    function proxyAdmin() public view returns (address admin) {
        assembly {
            admin := sload(ADMIN_SLOT)
        }
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == proxyAdmin(), "not the admin");
        require(implementation.code.length > 0, "no code");
        _setImplementation(implementation);
    }

    function _setImplementation(address implementation) private {
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation)
        }
        emit Upgraded(implementation);
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(IMPLEMENTATION_SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
