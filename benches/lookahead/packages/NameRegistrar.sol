pragma solidity ^0.5.0;

import "@ensdomains/ens/contracts/ENSRegistry.sol";
import "@ensdomains/ens/contracts/HashRegistrar.sol";

/// The registrar of a registry of its own, which it owns.
contract NameRegistrar is HashRegistrar {
    constructor() public HashRegistrar(new ENSRegistry(), bytes32(0), 0) {}
}
