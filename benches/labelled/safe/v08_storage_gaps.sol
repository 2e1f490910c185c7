// By design: the proxy delegates to its logic; gaps keep room for later versions; only the admin upgrades.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.11;

abstract contract InitializableBase {
    uint8 internal _version;
    bool internal _initializing;
    uint256[49] private __gap;

    modifier initializer() {
        require(_version == 0, "initialized");
        _version = 1;
        _initializing = true;
        _;
        _initializing = false;
    }

    modifier onlyInitializing() {
        require(_initializing, "not initializing");
        _;
    }
}

abstract contract OwnedBase is InitializableBase {
    address public owner;
    uint256[49] private __gap;

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    function __Owned_init(address owner_) internal onlyInitializing {
        owner = owner_;
    }
}

abstract contract PausableBase is InitializableBase {
    bool public paused;
    uint256[49] private __gap;

    modifier whenNotPaused() {
        require(!paused, "paused");
        _;
    }
}

contract DepositsV1 is OwnedBase, PausableBase {
    mapping(address => uint256) public depositOf;
    uint256 public total;
    uint256[48] private __gap;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    constructor() {
        _version = type(uint8).max;
    }

    function initialize(address owner_) external initializer {
        __Owned_init(owner_);
    }

    function deposit() external payable whenNotPaused {
        depositOf[msg.sender] += msg.value;
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    /// works while paused: the owner cannot hold the money back
    function withdraw(uint256 amount) external {
        depositOf[msg.sender] -= amount;
        total -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Withdrawn(msg.sender, amount);
    }

    function setPaused(bool p) external onlyOwner {
        paused = p;
    }
}

contract DepositsProxy {
    bytes32 private constant LOGIC = bytes32(uint256(keccak256("deposits.proxy.logic")) - 1);
    address private immutable _admin;

    event Upgraded(address indexed logic);

    constructor() {
        _admin = msg.sender;
        address logic = address(new DepositsV1());
        _setLogic(logic);
        (bool ok,) = logic.delegatecall(abi.encodeCall(DepositsV1.initialize, (msg.sender)));
        require(ok, "initialize failed");
    }

    function proxyUpgrade(address logic) external {
        require(msg.sender == _admin, "admin only");
        require(logic.code.length > 0, "no code");
        _setLogic(logic);
    }

    fallback() external payable {
        bytes32 slot = LOGIC;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    function _setLogic(address logic) private {
        bytes32 slot = LOGIC;
        assembly {
            sstore(slot, logic)
        }
        emit Upgraded(logic);
    }
}
