// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity >=0.6.0;

// The account of a person who is a contract: when somebody calls it, it makes one call. What that is stands in its storage: slot 1
// says whom it calls, slot 2 with how much ether, slot 3 how many bytes of calldata follow from slot 6 on. Slot 0 is 1 before, 2
// while the call runs, and 3 once it succeeded. If slot 4 is not 0, it answers with the word in slot 5.
contract Attacker {
    fallback() external payable {
        assembly {
            // Hooks of tokens want to hear their own selector.
            let answer := mul(div(calldataload(0), exp(2, 224)), exp(2, 224))
            // What `transfer` leaves is not enough gas to do anything.
            if gt(gas(), 10000) {
                if sload(4) { answer := sload(5) }
                if eq(sload(0), 1) {
                    sstore(0, 2)
                    let size := sload(3)
                    for { let at := 0 } lt(at, size) { at := add(at, 32) } {
                        mstore(add(0x80, at), sload(add(6, div(at, 32))))
                    }
                    if call(gas(), sload(1), sload(2), 0x80, size, 0, 0) { sstore(0, 3) }
                }
            }
            mstore(0, answer)
            return(0, 32)
        }
    }
}
