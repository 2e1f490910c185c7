    // The state, to come back to.
    function _snapshot() internal returns (uint256 id) {
        (, bytes memory result) = address(vm).call(abi.encodeWithSignature("snapshotState()"));
        id = abi.decode(result, (uint256));
    }

    function _backTo(uint256 id) internal {
        (bool success,) = address(vm).call(abi.encodeWithSignature("revertToState(uint256)", id));
        require(success, "there is no such state");
    }
