    // What is recorded of an event.
    struct RecordedLog {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function _recordLogs() internal {
        (bool success,) = address(vm).call(abi.encodeWithSignature("recordLogs()"));
        require(success, "logs cannot be recorded");
    }

    // Whether `AssertionFailed` was logged since.
    function _hasLoggedFailure() internal returns (bool) {
        (, bytes memory recorded) = address(vm).call(abi.encodeWithSignature("getRecordedLogs()"));
        RecordedLog[] memory logs = abi.decode(recorded, (RecordedLog[]));
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].topics.length == 1 && _isFailure(logs[i].topics[0])) return true;
        }
        return false;
    }

    function _isFailure(bytes32 topic) internal pure returns (bool) {
        return topic == keccak256("AssertionFailed(string)") || topic == keccak256("AssertionFailed()")
            || topic == keccak256("AssertionFailed(uint256)") || topic == keccak256("AssertionFailed(bytes)")
            || topic == keccak256("AssertionFailed(bool)");
    }
