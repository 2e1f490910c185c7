    // Makes an account a contract that makes this call when it is called, once.
    function _callsBack(address account, address callee, uint256 value, bytes memory data) internal {
        bytes memory padding = new bytes((32 - (data.length % 32)) % 32);
        bytes memory script = abi.encodePacked(
            uint256(1), uint256(uint160(callee)), value, data.length, uint256(0), uint256(0), data, padding
        );
        _become(
            account,
            hex"60806040527c01000000000000000000000000000000000000000000000000000000008060003504026127105a1115608a5760045415603d57506005545b600160005403608a57600260005560035460005b81811015606f57602081046006015481608001526020810190506051565b506000808260806002546001545af11560885760036000555b505b8060005260206000f3fe",
            script
        );
    }
