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
