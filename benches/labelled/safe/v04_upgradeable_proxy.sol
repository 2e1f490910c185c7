// By design: the proxy delegates every unknown call to the code its admin has set.
pragma solidity ^0.4.24;

/// logic: no storage of the proxy's own lies below it
contract CounterV1 {
    bool private initialized;
    address public operator;
    uint256 public count;
    mapping(address => uint256) public hits;

    event Hit(address indexed who, uint256 count);

    constructor() public {
        initialized = true; // the logic contract itself is never set up
    }

    function initialize(address _operator) public {
        require(!initialized, "done");
        initialized = true;
        operator = _operator;
    }

    function hit() public {
        count += 1;
        hits[msg.sender] += 1;
        emit Hit(msg.sender, count);
    }

    function reset() public {
        require(msg.sender == operator, "operator only");
        count = 0;
    }
}

contract CounterProxy {
    // keccak256("org.zeppelinos.proxy.implementation")
    bytes32 private constant IMPL = 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3;
    // keccak256("org.zeppelinos.proxy.admin")
    bytes32 private constant ADMIN = 0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b;

    event Upgraded(address indexed implementation);

    constructor() public {
        _store(ADMIN, msg.sender);
        address logic = new CounterV1();
        _store(IMPL, logic);
        require(logic.delegatecall(abi.encodeWithSignature("initialize(address)", msg.sender)), "init");
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == _load(ADMIN), "admin only");
        uint256 size;
        assembly { size := extcodesize(implementation) }
        require(size > 0, "no code");
        _store(IMPL, implementation);
        emit Upgraded(implementation);
    }

    function () external payable {
        require(msg.value == 0, "takes no ether");
        address impl = _load(IMPL);
        assembly {
            calldatacopy(0, 0, calldatasize)
            let ok := delegatecall(gas, impl, 0, calldatasize, 0, 0)
            returndatacopy(0, 0, returndatasize)
            switch ok
            case 0 { revert(0, returndatasize) }
            default { return(0, returndatasize) }
        }
    }

    function _load(bytes32 slot) internal view returns (address a) {
        assembly { a := sload(slot) }
    }

    function _store(bytes32 slot, address a) internal {
        assembly { sstore(slot, a) }
    }
}
