    // What is recorded of a slot, and of the call that it happens in.
    struct RecordedSlot {
        address account;
        bytes32 slot;
        bool isWrite;
        bytes32 previousValue;
        bytes32 newValue;
        bool reverted;
    }

    struct RecordedSlots {
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
        RecordedSlot[] slots;
    }

    // Whether the recorded calls ran other code that wrote a slot which the contract's own code uses, too.
    function _shares(address account, bytes32 slot) internal returns (bool) {
        (, bytes memory recorded) = address(vm).call(abi.encodeWithSignature("stopAndReturnStateDiff()"));
        RecordedSlots[] memory calls = abi.decode(recorded, (RecordedSlots[]));
        bool isUsed;
        bool isWritten;
        for (uint256 i = 0; i < calls.length; i++) {
            // 0 is CALL, 1 is DELEGATECALL, 2 is CALLCODE, 3 is STATICCALL, 4 is CREATE.
            bool isOther = calls[i].kind == 1 || calls[i].kind == 2;
            bool isOwn = calls[i].kind == 0 || calls[i].kind == 3 || calls[i].kind == 4;
            for (uint256 j = 0; j < calls[i].slots.length; j++) {
                RecordedSlot memory access = calls[i].slots[j];
                if (access.account != account || access.slot != slot) continue;
                isUsed = isUsed || isOwn;
                isWritten = isWritten || (isOther && access.isWrite && !access.reverted);
            }
        }
        return isUsed && isWritten;
    }
