    // Whether a word is in what was logged since.
    function _says(bytes32 word) internal returns (bool) {
        (, bytes memory recorded) = address(vm).call(abi.encodeWithSignature("getRecordedLogs()"));
        RecordedLog[] memory logs = abi.decode(recorded, (RecordedLog[]));
        for (uint256 i = 0; i < logs.length; i++) {
            for (uint256 j = 0; j < logs[i].topics.length; j++) {
                if (logs[i].topics[j] == word) return true;
            }
            bytes memory data = logs[i].data;
            for (uint256 offset = 32; offset <= data.length; offset += 32) {
                bytes32 logged;
                assembly {
                    logged := mload(add(data, offset))
                }
                if (logged == word) return true;
            }
        }
        return false;
    }
