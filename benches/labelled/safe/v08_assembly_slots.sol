// By design: raw sstore in assembly, the slot is the hash of a prefix and the caller's own address.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract AssemblySlots {
    bytes32 private constant BALANCES = keccak256("assembly.slots.balances");
    bytes32 private constant NOTES = keccak256("assembly.slots.notes");

    event Deposit(address indexed who, uint256 amount);
    event Withdrawal(address indexed who, uint256 amount);
    event Note(address indexed who, uint256 indexed key, bytes32 value);

    error Insufficient(uint256 have, uint256 want);
    error PaymentFailed();

    function deposit() external payable {
        bytes32 slot = _slot(BALANCES, msg.sender);
        assembly {
            // cannot wrap: there is not so much ether
            sstore(slot, add(sload(slot), callvalue()))
        }
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        bytes32 slot = _slot(BALANCES, msg.sender);
        uint256 have;
        assembly {
            have := sload(slot)
        }
        if (have < amount) revert Insufficient(have, amount);
        bool ok;
        assembly {
            sstore(slot, sub(have, amount))
            ok := call(gas(), caller(), amount, 0, 0, 0, 0)
        }
        if (!ok) revert PaymentFailed();
        emit Withdrawal(msg.sender, amount);
    }

    function balanceOf(address who) external view returns (uint256 amount) {
        bytes32 slot = _slot(BALANCES, who);
        assembly {
            amount := sload(slot)
        }
    }

    function setNote(uint256 key, bytes32 value) external {
        bytes32 slot = keccak256(abi.encode(key, _slot(NOTES, msg.sender)));
        assembly {
            sstore(slot, value)
        }
        emit Note(msg.sender, key, value);
    }

    function noteOf(address who, uint256 key) external view returns (bytes32 value) {
        bytes32 slot = keccak256(abi.encode(key, _slot(NOTES, who)));
        assembly {
            value := sload(slot)
        }
    }

    function _slot(bytes32 prefix, address who) private pure returns (bytes32) {
        return keccak256(abi.encode(who, prefix));
    }
}
