    // What is recorded of a call, as far as it is needed.
    struct RecordedCall {
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

    function _recordCalls() internal {
        (bool success,) = address(vm).call(abi.encodeWithSignature("startStateDiffRecording()"));
        require(success, "calls cannot be recorded");
    }

    // Makes the recorded calls that were undone once more, and tells whether one of them reverts with this reason.
    function _revertsInside(bytes memory reason) internal returns (bool) {
        (, bytes memory recorded) = address(vm).call(abi.encodeWithSignature("stopAndReturnStateDiff()"));
        RecordedCall[] memory calls = abi.decode(recorded, (RecordedCall[]));
        for (uint256 i = 0; i < calls.length; i++) {
            // 0 is CALL, 3 is STATICCALL.
            if (calls[i].reverted && (calls[i].kind == 0 || calls[i].kind == 3)) {
                vm.prank(calls[i].accessor);
                (bool success, bytes memory result) = calls[i].account.call{value: calls[i].value}(calls[i].data);
                if (!success && keccak256(result) == keccak256(reason)) return true;
            }
        }
        return false;
    }
