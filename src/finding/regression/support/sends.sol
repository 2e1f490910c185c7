    // How many instructions of deployed code may send ether. The last two bytes say how long the metadata in front of them is.
    function _sendingInstructions(address account) internal view returns (uint256 count) {
        bytes memory code = account.code;
        uint256 end = code.length;
        if (end >= 2) {
            uint256 metadata = uint256(uint8(code[end - 2])) * 256 + uint8(code[end - 1]) + 2;
            if (metadata <= end) end -= metadata;
        }
        for (uint256 offset = 0; offset < end; offset++) {
            uint8 instruction = uint8(code[offset]);
            // PUSH1 to PUSH32 are followed by what they push.
            if (instruction >= 0x60 && instruction <= 0x7f) offset += instruction - 0x5f;
            // CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2 and SELFDESTRUCT.
            bool isCall = instruction == 0xf1 || instruction == 0xf2 || instruction == 0xf4;
            if (isCall || instruction == 0xf0 || instruction == 0xf5 || instruction == 0xff) count++;
        }
    }
