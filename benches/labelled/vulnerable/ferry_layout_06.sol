pragma solidity 0.6.12;

/// Stands in front of the ticket office of a ferry. The warden can halt it in a storm.
contract FerryOfficeProxy {
    // bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1)
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    // keccak256("ferry.office.halted")
    bytes32 private constant HALTED = keccak256("ferry.office.halted");

    address public warden; //~ ERROR layout-collision

    constructor(address implementation) public {
        warden = msg.sender;
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
    }

    function setHalted(bool storm) external {
        require(msg.sender == warden, "not the warden");
        bytes32 slot = HALTED;
        assembly {
            sstore(slot, storm)
        }
    }

    receive() external payable {
        revert("buy a ticket");
    }

    fallback() external payable {
        bytes32 slot = HALTED;
        bool storm;
        assembly {
            storm := sload(slot)
        }
        require(!storm, "the ferry does not sail");
        assembly {
            let implementation := sload(IMPLEMENTATION)
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// Sells tickets for the ferry, and takes them when their owners go aboard.
contract FerryOffice {
    address public lastAboard;
    uint256 public carried;
    mapping(address => uint256) public tickets;

    uint256 public constant FARE = 2 finney;
    uint256 public constant MOST = 50;

    event Sold(address indexed passenger, uint256 count);
    event Returned(address indexed passenger, uint256 count);
    event Aboard(address indexed passenger, uint256 number);

    function buy(uint256 count) external payable {
        require(count > 0 && count <= MOST, "odd number of tickets");
        require(msg.value == count * FARE, "wrong fare");
        tickets[msg.sender] += count;
        emit Sold(msg.sender, count);
    }

    function giveBack(uint256 count) external {
        require(count > 0 && tickets[msg.sender] >= count, "not that many tickets");
        tickets[msg.sender] -= count;
        emit Returned(msg.sender, count);
        msg.sender.transfer(count * FARE);
    }

    function goAboard() external {
        require(tickets[msg.sender] > 0, "no ticket");
        tickets[msg.sender]--;
        carried++;
        lastAboard = msg.sender;
        emit Aboard(msg.sender, carried);
    }
}
