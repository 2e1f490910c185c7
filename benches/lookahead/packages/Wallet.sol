// SPDX-License-Identifier: MIT
pragma solidity >=0.7.0 <0.9.0;

import "@gnosis.pm/safe-contracts/contracts/GnosisSafe.sol";

/// A safe that can be set up, as behind a proxy.
contract Wallet is GnosisSafe {
    constructor() {
        threshold = 0;
    }
}
