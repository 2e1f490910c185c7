    // Whether the recorded calls destroyed a contract, and that lasts.
    function _destroys() internal returns (bool) {
        RecordedAccess[] memory accesses = _recordedAccesses();
        for (uint256 i = 0; i < accesses.length; i++) {
            // 5 is SELFDESTRUCT.
            if (accesses[i].kind == 5 && !accesses[i].reverted) return true;
        }
        return false;
    }
