// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Deposits in ether with a tag for each depositor.
contract Supervised {
    address payable public supervisor;

    event SupervisorChanged(address indexed from, address indexed to);

    constructor() {
        supervisor = msg.sender;
    }

    modifier onlySupervisor() {
        require(msg.sender == supervisor, "supervisor only");
        _;
    }

    function changeSupervisor(address payable to) external onlySupervisor {
        require(to != address(0), "to nobody");
        emit SupervisorChanged(supervisor, to);
        supervisor = to;
    }
}

/// Tags came with version 2; they live far from the other variables.
library Tags {
    bytes32 private constant SLOT = keccak256("savings.tags");

    function position(address who) private pure returns (bytes32 at) {
        return keccak256(abi.encode(who, SLOT));
    }

    function set(address who, uint256 value) internal {
        bytes32 at = position(who);
        assembly {
            sstore(at, value)
        }
    }

    function get(address who) internal view returns (uint256 value) {
        bytes32 at = position(who);
        assembly {
            value := sload(at)
        }
    }
}

contract TaggedSavings is Supervised {
    mapping(address => uint256) private deposits;
    uint256 public total;
    uint256 public smallest;

    event Deposited(address indexed who, uint256 value);
    event Withdrawn(address indexed who, uint256 value);
    event TagSet(address indexed who, uint256 tag);

    constructor(uint256 _smallest) {
        smallest = _smallest;
    }

    function deposit() external payable {
        require(msg.value > 0 && msg.value >= smallest, "too little");
        deposits[msg.sender] += msg.value;
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        require(value > 0 && value <= deposits[msg.sender], "more than deposited");
        require(value <= total, "more than there is");
        deposits[msg.sender] -= value;
        total -= value;
        msg.sender.transfer(value);
        emit Withdrawn(msg.sender, value);
    }

    /// A number by which the depositor's bank knows the account.
    function setTag(uint256 tag) external {
        require(tag < 10**12, "twelve digits at most");
        Tags.set(msg.sender, tag);
        emit TagSet(msg.sender, tag);
    }

    function tagOf(address who) external view returns (uint256) {
        return Tags.get(who);
    }

    function depositOf(address who) external view returns (uint256) {
        return deposits[who];
    }

    function setSmallest(uint256 _smallest) external onlySupervisor {
        smallest = _smallest;
    }
}
