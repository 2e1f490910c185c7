pragma solidity ^0.5.0;

contract SafeBoxProxy {
    bytes32 private constant IMPLEMENTATION = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 private constant ADMIN = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);

    event Upgraded(address indexed implementation);
    event AdminChanged(address from, address to);

    modifier ifAdmin() {
        if (msg.sender == _read(ADMIN)) {
            _;
        } else {
            _delegate();
        }
    }

    constructor(address implementation) public {
        require(_hasCode(implementation), "no code");
        _write(IMPLEMENTATION, implementation);
        _write(ADMIN, msg.sender);
    }

    function upgradeTo(address implementation) external ifAdmin {
        require(_hasCode(implementation), "no code");
        _write(IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
    }

    function changeAdmin(address to) external ifAdmin {
        require(to != address(0), "no admin");
        emit AdminChanged(msg.sender, to);
        _write(ADMIN, to);
    }

    function() external payable {
        require(msg.sender != _read(ADMIN), "the admin does not use the box");
        _delegate();
    }

    function _delegate() private {
        address implementation = _read(IMPLEMENTATION);
        assembly {
            calldatacopy(0, 0, calldatasize)
            let ok := delegatecall(gas, implementation, 0, calldatasize, 0, 0)
            returndatacopy(0, 0, returndatasize)
            switch ok
            case 0 { revert(0, returndatasize) }
            default { return(0, returndatasize) }
        }
    }

    function _hasCode(address who) private view returns (bool) {
        uint256 size;
        assembly {
            size := extcodesize(who)
        }
        return size > 0;
    }

    function _read(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _write(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }
}

contract SafeBox {
    uint256 public totalHeld;
    mapping(address => uint256) public held;
    mapping(address => address) public heirOf;

    event Stored(address indexed who, uint256 amount);
    event Taken(address indexed who, uint256 amount);
    event HeirNamed(address indexed who, address indexed heir);

    function put() external payable {
        require(msg.value > 0, "no ether");
        held[msg.sender] += msg.value;
        totalHeld += msg.value;
        emit Stored(msg.sender, msg.value);
    }

    function take(uint256 amount) external {
        require(amount <= held[msg.sender], "not held");
        held[msg.sender] -= amount;
        totalHeld -= amount;
        emit Taken(msg.sender, amount);
        msg.sender.transfer(amount);
    }

    function nameHeir(address heir) external {
        heirOf[msg.sender] = heir;
        emit HeirNamed(msg.sender, heir);
    }

    function handOver() external {
        address heir = heirOf[msg.sender];
        require(heir != address(0), "no heir");
        uint256 amount = held[msg.sender];
        held[msg.sender] = 0;
        held[heir] += amount;
    }
}
