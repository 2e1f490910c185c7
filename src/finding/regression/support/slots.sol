    // What a storage slot holds.
    function _load(address account, bytes32 slot) internal returns (bytes32 word) {
        (, bytes memory loaded) = address(vm).call(abi.encodeWithSignature("load(address,bytes32)", account, slot));
        word = abi.decode(loaded, (bytes32));
    }
