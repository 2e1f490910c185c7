// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Streams ether to a receiver over time.
contract StreamLogic {
    struct Stream {
        address sender;
        address receiver;
        uint256 amount;
        uint256 taken;
        uint256 start;
        uint256 duration;
        bool cancelled;
    }

    uint256 public nextId;
    mapping(uint256 => Stream) public streams;
    mapping(address => uint256) public credit;

    event Created(uint256 indexed id, address indexed sender, address indexed receiver, uint256 amount);
    event Taken(uint256 indexed id, uint256 amount);
    event Cancelled(uint256 indexed id);

    function create(address receiver, uint256 duration) external payable returns (uint256 id) {
        require(msg.value > 0 && receiver != address(0), "bad stream");
        require(duration > 0 && duration <= 3650 days, "bad duration");
        id = nextId++;
        streams[id] = Stream(msg.sender, receiver, msg.value, 0, block.timestamp, duration, false);
        emit Created(id, msg.sender, receiver, msg.value);
    }

    function due(uint256 id) public view returns (uint256) {
        Stream storage s = streams[id];
        if (s.duration == 0 || s.cancelled) return 0;
        uint256 passed = block.timestamp - s.start;
        if (passed >= s.duration) return s.amount - s.taken;
        return s.amount * passed / s.duration - s.taken;
    }

    function take(uint256 id) external {
        require(streams[id].receiver == msg.sender, "not the receiver");
        uint256 amount = due(id);
        require(amount > 0, "nothing due");
        streams[id].taken += amount;
        emit Taken(id, amount);
        payable(msg.sender).transfer(amount);
    }

    function cancel(uint256 id) external {
        Stream storage s = streams[id];
        require(s.sender == msg.sender && !s.cancelled, "not your stream");
        uint256 amount = due(id);
        s.cancelled = true;
        credit[s.receiver] += amount;
        credit[msg.sender] += s.amount - s.taken - amount;
        emit Cancelled(id);
    }

    function fetchCredit() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}

contract StreamProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    address public admin; //~ ERROR layout-collision

    event Upgraded(address indexed implementation);

    constructor() {
        admin = msg.sender;
        _setImplementation(address(new StreamLogic()));
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == admin, "not the admin");
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
