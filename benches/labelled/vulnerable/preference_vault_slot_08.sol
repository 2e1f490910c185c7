// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A vault that guardians can pause, and whose users keep their settings in it.
contract PreferenceVault {
    uint256 private constant PREFERENCES = 1;

    address public owner;
    mapping(address => bool) public isGuardian;
    mapping(address => uint256) public balances;
    bool public paused;
    uint256 public total;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event PreferencesSet(address indexed who, uint256 flags);
    event PausedBy(address indexed guardian, bool value);

    modifier onlyGuardian() {
        require(isGuardian[msg.sender], "not a guardian");
        _;
    }

    constructor() {
        owner = msg.sender;
        isGuardian[msg.sender] = true;
    }

    function deposit() external payable {
        require(!paused, "paused");
        balances[msg.sender] += msg.value;
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(!paused, "paused");
        balances[msg.sender] -= amount;
        total -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function setPaused(bool value) external onlyGuardian {
        paused = value;
        emit PausedBy(msg.sender, value);
    }

    /// Flags of the user interface: 1 hides small amounts, 2 mails receipts, and so on.
    function setPreferences(uint256 flags) external {
        bytes32 slot = _preferencesSlot(msg.sender);
        assembly {
            sstore(slot, flags) //~ ERROR slot-collision
        }
        emit PreferencesSet(msg.sender, flags);
    }

    function preferencesOf(address who) external view returns (uint256 flags) {
        bytes32 slot = _preferencesSlot(who);
        assembly {
            flags := sload(slot)
        }
    }

    function _preferencesSlot(address who) private pure returns (bytes32) {
        return keccak256(abi.encode(who, PREFERENCES));
    }
}
