pragma solidity ^0.5.0;

/// Toll road, version 1. It runs behind the gate below, which can be given
/// another version by the roads department.
contract TollGateLogic {
    uint256 public tolls;
    uint256 public constant FARE = 1 finney;
    mapping(bytes32 => uint256) public passes;
    mapping(bytes32 => uint256) public credit;

    event Credited(bytes32 indexed plate, uint256 value);
    event Passed(bytes32 indexed plate, uint256 fare);

    function topUp(bytes32 plate) external payable {
        require(plate != 0, "no plate");
        credit[plate] += msg.value;
        emit Credited(plate, msg.value);
    }

    function drive(bytes32 plate) external {
        require(credit[plate] >= FARE, "not enough credit");
        credit[plate] -= FARE;
        passes[plate] += 1;
        tolls += 1;
        emit Passed(plate, FARE);
    }
}

contract Department {
    bytes32 private constant DEPARTMENT = keccak256("tollroad.department");

    constructor() internal {
        bytes32 slot = DEPARTMENT;
        assembly {
            sstore(slot, caller)
        }
    }

    function department() public view returns (address payable who) {
        bytes32 slot = DEPARTMENT;
        assembly {
            who := sload(slot)
        }
    }

    modifier onlyDepartment() {
        require(msg.sender == department(), "department only");
        _;
    }
}

contract TollGate is Department {
    uint256 public versions; //~ ERROR layout-collision
    bytes32 private constant LOGIC = keccak256("tollroad.logic");

    event VersionSet(uint256 indexed version, address logic);

    constructor(address logic) public {
        _setLogic(logic);
    }

    function setLogic(address logic) external onlyDepartment {
        _setLogic(logic);
    }

    function payDepartment(uint256 value) external onlyDepartment {
        department().transfer(value);
    }

    function _setLogic(address logic) private {
        uint256 size;
        bytes32 slot = LOGIC;
        assembly {
            size := extcodesize(logic)
            sstore(slot, logic)
        }
        require(size > 0, "no code");
        versions += 1;
        emit VersionSet(versions, logic);
    }

    function () external payable {
        bytes32 slot = LOGIC;
        assembly {
            calldatacopy(0, 0, calldatasize)
            let ok := delegatecall(gas, sload(slot), 0, calldatasize, 0, 0)
            returndatacopy(0, 0, returndatasize)
            switch ok
            case 0 { revert(0, returndatasize) }
            default { return(0, returndatasize) }
        }
    }
}
