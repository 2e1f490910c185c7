// By design: the proxy delegates to its implementation; only the owner, through the proxy, may change it.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.11;

abstract contract UUPSBase {
    bytes32 internal constant IMPLEMENTATION_SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    address private immutable _self = address(this);

    event Upgraded(address indexed implementation);

    modifier onlyProxy() {
        require(address(this) != _self, "must be called through the proxy");
        _;
    }

    function proxiableUUID() external view returns (bytes32) {
        require(address(this) == _self, "must not be called through the proxy");
        return IMPLEMENTATION_SLOT;
    }

    function upgradeToAndCall(address implementation, bytes calldata data) external onlyProxy {
        _authorizeUpgrade();
        require(UUPSBase(implementation).proxiableUUID() == IMPLEMENTATION_SLOT, "not UUPS");
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            sstore(slot, implementation)
        }
        emit Upgraded(implementation);
        if (data.length > 0) {
            (bool ok,) = implementation.delegatecall(data);
            require(ok, "migration failed");
        }
    }

    function _authorizeUpgrade() internal virtual;
}

contract UUPSVaultV1 is UUPSBase {
    address public owner;
    uint8 private _initialized;
    uint256 public total;
    mapping(address => uint256) public balanceOf;

    event Deposit(address indexed who, uint256 amount);
    event Withdrawal(address indexed who, uint256 amount);

    constructor() {
        _initialized = type(uint8).max;
    }

    function initialize(address owner_) external {
        require(_initialized == 0, "initialized");
        _initialized = 1;
        owner = owner_;
    }

    function deposit() external payable onlyProxy {
        balanceOf[msg.sender] += msg.value;
        total += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external onlyProxy {
        balanceOf[msg.sender] -= amount;
        total -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Withdrawal(msg.sender, amount);
    }

    function transferOwnership(address to) external {
        require(msg.sender == owner && to != address(0), "owner only");
        owner = to;
    }

    function _authorizeUpgrade() internal view override {
        require(msg.sender == owner, "owner only");
    }
}

contract UUPSVaultProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);

    constructor() {
        address implementation = address(new UUPSVaultV1());
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            sstore(slot, implementation)
        }
        (bool ok,) = implementation.delegatecall(abi.encodeCall(UUPSVaultV1.initialize, (msg.sender)));
        require(ok, "initialize failed");
    }

    fallback() external payable {
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            let implementation := sload(slot)
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
