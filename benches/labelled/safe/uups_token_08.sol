// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract UUPSUpgradeable {
    bytes32 internal constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    address private immutable _self = address(this);

    event Upgraded(address indexed implementation);

    modifier onlyProxy() {
        require(address(this) != _self, "through a proxy only");
        _;
    }

    function proxiableUUID() external view returns (bytes32) {
        require(address(this) == _self, "not through a proxy");
        return IMPLEMENTATION_SLOT;
    }

    function upgradeToAndCall(address implementation, bytes calldata data) external payable onlyProxy {
        _authorizeUpgrade(implementation);
        require(implementation.code.length > 0, "no code");
        require(UUPSUpgradeable(implementation).proxiableUUID() == IMPLEMENTATION_SLOT, "not upgradeable");
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation)
        }
        emit Upgraded(implementation);
        if (data.length > 0) {
            (bool ok, ) = implementation.delegatecall(data);
            require(ok, "call failed");
        }
    }

    function _authorizeUpgrade(address implementation) internal virtual;
}

contract ClubToken is UUPSUpgradeable {
    address public owner;
    bool private _initialized;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    error NotOwner();

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor() {
        _initialized = true;
    }

    function initialize(address owner_) external {
        require(!_initialized, "initialized");
        _initialized = true;
        owner = owner_;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function withdrawEther(address payable to) external onlyOwner {
        to.transfer(address(this).balance);
    }

    function _authorizeUpgrade(address) internal override onlyOwner {}
}

contract ClubTokenProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address implementation) {
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation)
        }
        (bool ok, ) = implementation.delegatecall(abi.encodeCall(ClubToken.initialize, (msg.sender)));
        require(ok, "not initialized");
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
