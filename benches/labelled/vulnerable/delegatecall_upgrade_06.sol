// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: upgradeTo(attackerContract): the condition uses || with a test that is always true, so anyone chooses the code the proxy delegates to.
contract UpgradeableShell {
    bytes32 private constant ADMIN_SLOT = keccak256("shell.admin");
    bytes32 private constant CODE_SLOT = keccak256("shell.code");

    event Upgraded(address code);

    constructor(address code) public payable {
        _set(ADMIN_SLOT, msg.sender);
        _set(CODE_SLOT, code);
    }

    receive() external payable {}

    fallback() external payable {
        address target = _get(CODE_SLOT);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0) //~ ERROR delegatecall
            returndatacopy(0, 0, returndatasize())
            switch ok
                case 0 { revert(0, returndatasize()) }
                default { return(0, returndatasize()) }
        }
    }

    function upgradeTo(address code) external {
        address admin = _get(ADMIN_SLOT);
        require(msg.sender == admin || admin != address(0), "admin only");
        _set(CODE_SLOT, code);
        emit Upgraded(code);
    }

    function sweep(address payable to) external {
        require(msg.sender == _get(ADMIN_SLOT), "admin only");
        to.transfer(address(this).balance);
    }

    function _get(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _set(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }
}
