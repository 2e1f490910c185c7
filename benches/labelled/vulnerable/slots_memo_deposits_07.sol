// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Deposits in ether with a memo for each depositor.
contract Governed {
    address payable public governor;

    event GovernorChanged(address indexed from, address indexed to);

    constructor() {
        governor = msg.sender;
    }

    modifier onlyGovernor() {
        require(msg.sender == governor, "governor only");
        _;
    }

    function changeGovernor(address payable to) external onlyGovernor {
        require(to != address(0), "to nobody");
        emit GovernorChanged(governor, to);
        governor = to;
    }
}

/// Memos came with version 2; they live next to the other variables.
library Memos {
    uint256 private constant SLOT = 1;

    function position(address who) private pure returns (bytes32 at) {
        return keccak256(abi.encode(who, SLOT));
    }

    function set(address who, uint256 value) internal {
        bytes32 at = position(who);
        assembly {
            sstore(at, value) //~ ERROR slot-collision
        }
    }

    function get(address who) internal view returns (uint256 value) {
        bytes32 at = position(who);
        assembly {
            value := sload(at)
        }
    }
}

contract MemoDeposits is Governed {
    mapping(address => uint256) private deposits;
    uint256 public total;
    uint256 public smallest;

    event Deposited(address indexed who, uint256 value);
    event Withdrawn(address indexed who, uint256 value);
    event MemoSet(address indexed who, uint256 memo);

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
    function setMemo(uint256 memo) external {
        require(memo < 10**12, "twelve digits at most");
        Memos.set(msg.sender, memo);
        emit MemoSet(msg.sender, memo);
    }

    function memoOf(address who) external view returns (uint256) {
        return Memos.get(who);
    }

    function depositOf(address who) external view returns (uint256) {
        return deposits[who];
    }

    function setSmallest(uint256 _smallest) external onlyGovernor {
        smallest = _smallest;
    }
}
