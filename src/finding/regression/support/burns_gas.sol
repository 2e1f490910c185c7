    // Makes an account a contract that uses up the gas of every call.
    function _burnsGas(address account) internal {
        _become(account, hex"fe", "");
    }
