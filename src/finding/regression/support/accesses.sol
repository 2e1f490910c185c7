    // What is recorded of a call or a destruction, as far as it is needed.
    struct RecordedAccess {
        uint256 forkId;
        uint256 chainId;
        uint8 kind;
        address account;
        address accessor;
        bool initialized;
        uint256 oldBalance;
        uint256 newBalance;
        bytes deployedCode;
        uint256 value;
        bytes data;
        bool reverted;
    }

    function _recordAccesses() internal {
        (bool success,) = address(vm).call(abi.encodeWithSignature("startStateDiffRecording()"));
        require(success, "calls cannot be recorded");
    }

    function _recordedAccesses() internal returns (RecordedAccess[] memory) {
        (, bytes memory recorded) = address(vm).call(abi.encodeWithSignature("stopAndReturnStateDiff()"));
        return abi.decode(recorded, (RecordedAccess[]));
    }

    // Whether the recorded calls ran this code on the storage of another contract, and that lasts.
    function _delegatesTo(address code) internal returns (bool) {
        RecordedAccess[] memory accesses = _recordedAccesses();
        for (uint256 i = 0; i < accesses.length; i++) {
            // 1 is DELEGATECALL, 2 is CALLCODE.
            bool isDelegate = accesses[i].kind == 1 || accesses[i].kind == 2;
            if (isDelegate && accesses[i].account == code && !accesses[i].reverted) return true;
        }
        return false;
    }

    // Whether the recorded calls destroyed a contract, and that lasts.
    function _destroys() internal returns (bool) {
        RecordedAccess[] memory accesses = _recordedAccesses();
        for (uint256 i = 0; i < accesses.length; i++) {
            // 5 is SELFDESTRUCT.
            if (accesses[i].kind == 5 && !accesses[i].reverted) return true;
        }
        return false;
    }
