    // Makes an account a contract that returns as many bytes as the gas of a call pays for.
    function _bombs(address account) internal {
        _become(account, hex"60405b8060089004018080026208000090048160089004015a11600257600802600990046000f3", "");
    }
