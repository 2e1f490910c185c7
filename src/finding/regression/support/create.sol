    // Deploys code as `new` does, and gives what a constructor that fails says.
    function _create(bytes memory code, uint256 value) internal returns (address created, bytes memory result) {
        assembly {
            created := create(value, add(code, 0x20), mload(code))
            if iszero(created) {
                result := mload(0x40)
                mstore(result, returndatasize())
                returndatacopy(add(result, 0x20), 0, returndatasize())
                mstore(0x40, add(add(result, 0x20), and(add(returndatasize(), 0x1f), not(0x1f))))
            }
        }
    }
