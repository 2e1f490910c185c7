// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: put(0, attacker) stores at a slot chosen by the caller: slot 0 is the owner; afterwards setLimit() is the attacker's.
contract RawStore {
    address public owner;
    uint256 public limit;
    uint256 public puts;

    event Put(uint256 indexed key, bytes32 value);

    constructor() {
        owner = msg.sender;
        limit = 1000;
    }

    function setLimit(uint256 newLimit) external {
        require(msg.sender == owner, "owner only");
        limit = newLimit;
    }

    function put(uint256 key, bytes32 value) external {
        require(puts < limit, "limit reached");
        puts += 1;
        assembly {
            sstore(key, value) //~ ERROR arbitrary-write
        }
        emit Put(key, value);
    }

    function read(uint256 key) external view returns (bytes32 value) {
        assembly {
            value := sload(key)
        }
    }
}
