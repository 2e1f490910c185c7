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
