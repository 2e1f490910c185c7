    // Makes the recorded calls that were undone once more, and tells whether one of them reverts with this reason.
    function _revertsInside(bytes memory reason) internal returns (bool) {
        RecordedAccess[] memory calls = _recordedAccesses();
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
