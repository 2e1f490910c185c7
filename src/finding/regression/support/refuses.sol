    // Makes an account a contract that refuses every call.
    function _refuses(address account) internal {
        _become(account, hex"60006000fd", "");
    }
