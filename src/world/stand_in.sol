// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity >=0.6.0;

// Stands in for a contract that the project expects and does not have. Whoever calls it directly says what it answers from then
// on: the calldata is the selector of a function and what that returns. To other contracts it answers that, or else zeros.
contract StandIn {
    fallback() external payable {
        assembly {
            // The slots from here on belong to the function: the number of bytes, plus one, then the bytes.
            let first := mul(div(calldataload(0), exp(2, 224)), exp(2, 224))
            if eq(caller(), origin()) {
                if iszero(lt(calldatasize(), 4)) {
                    let size := sub(calldatasize(), 4)
                    sstore(first, add(size, 1))
                    for { let at := 0 } lt(at, size) { at := add(at, 32) } {
                        sstore(add(add(first, 1), div(at, 32)), calldataload(add(at, 4)))
                    }
                }
                stop()
            }
            let size := sload(first)
            if iszero(size) { return(0x80, 256) }
            size := sub(size, 1)
            for { let at := 0 } lt(at, size) { at := add(at, 32) } {
                mstore(add(0x80, at), sload(add(add(first, 1), div(at, 32))))
            }
            return(0x80, size)
        }
    }
}
