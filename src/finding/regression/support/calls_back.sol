    // Makes an account a contract that makes this call when it is called, once.
    function _callsBack(address account, address callee, uint256 value, bytes memory data) internal {
        bytes memory padding = new bytes((32 - (data.length % 32)) % 32);
        bytes memory script = abi.encodePacked(uint256(1), uint256(uint160(callee)), value, data.length, data, padding);
        _become(
            account,
            hex"60806040526127105a1115605a57600160005403605a57600260005560035460005b81811015603f57602081046004015481608001526020810190506021565b506000808260806002546001545af11560585760036000555b505b7c010000000000000000000000000000000000000000000000000000000080600035040260005260206000f3fe",
            script
        );
    }
