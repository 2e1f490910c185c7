    // Gives an account this code, and words in its first slots.
    function _become(address account, bytes memory code, bytes memory words) internal {
        (bool success,) = address(vm).call(abi.encodeWithSignature("etch(address,bytes)", account, code));
        require(success, "code cannot be given");
        for (uint256 i = 0; i * 32 < words.length; i++) {
            bytes32 word;
            assembly {
                word := mload(add(words, mul(add(i, 1), 32)))
            }
            (success,) =
                address(vm).call(abi.encodeWithSignature("store(address,bytes32,bytes32)", account, bytes32(i), word));
            require(success, "words cannot be stored");
        }
    }
