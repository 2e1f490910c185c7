// By design: the proxy delegates to the implementation its admin has set; set-up happens in the constructor.
// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

contract SavingsV1 {
    address public manager;
    bool private initialized;
    uint256 public total;
    mapping(address => uint256) public saved;

    event Saved(address indexed who, uint256 amount);
    event Taken(address indexed who, uint256 amount);

    constructor() public {
        initialized = true;
    }

    function initialize(address manager_) external {
        require(!initialized, "already initialized");
        initialized = true;
        manager = manager_;
    }

    function save() external payable {
        saved[msg.sender] += msg.value;
        total += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function take(uint256 amount) external {
        require(saved[msg.sender] >= amount, "balance");
        saved[msg.sender] -= amount;
        total -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Taken(msg.sender, amount);
    }
}

contract SavingsProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 private constant ADMIN_SLOT = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);

    event Upgraded(address indexed implementation);
    event AdminChanged(address previousAdmin, address newAdmin);

    modifier ifAdmin() {
        if (msg.sender == _get(ADMIN_SLOT)) {
            _;
        } else {
            _delegate(_get(IMPLEMENTATION_SLOT));
        }
    }

    constructor() public {
        address logic = address(new SavingsV1());
        _set(ADMIN_SLOT, msg.sender);
        _set(IMPLEMENTATION_SLOT, logic);
        (bool ok, ) = logic.delegatecall(abi.encodeWithSelector(SavingsV1.initialize.selector, msg.sender));
        require(ok, "initialize failed");
        emit Upgraded(logic);
    }

    function upgradeTo(address newImplementation) external ifAdmin {
        uint256 size;
        assembly { size := extcodesize(newImplementation) }
        require(size > 0, "not a contract");
        _set(IMPLEMENTATION_SLOT, newImplementation);
        emit Upgraded(newImplementation);
    }

    function changeAdmin(address newAdmin) external ifAdmin {
        require(newAdmin != address(0), "zero admin");
        emit AdminChanged(_get(ADMIN_SLOT), newAdmin);
        _set(ADMIN_SLOT, newAdmin);
    }

    fallback() external payable {
        require(msg.sender != _get(ADMIN_SLOT), "admin cannot fall back");
        _delegate(_get(IMPLEMENTATION_SLOT));
    }

    function _delegate(address implementation) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let result := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch result
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    function _get(bytes32 slot) internal view returns (address a) {
        assembly { a := sload(slot) }
    }

    function _set(bytes32 slot, address a) internal {
        assembly { sstore(slot, a) }
    }
}
