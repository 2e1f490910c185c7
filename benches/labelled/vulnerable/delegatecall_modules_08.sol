// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: enableModule(attackerContract) is open to everybody; runModule then delegates to it with the account's storage and ether.
contract ModularAccount {
    address public owner;
    mapping(address => bool) public moduleEnabled;
    uint256 public moduleCount;

    event ModuleEnabled(address module);
    event Executed(address to, uint256 value);

    constructor() payable {
        owner = msg.sender;
    }

    receive() external payable {}

    function enableModule(address module) external {
        require(module.code.length > 0, "no code");
        require(!moduleEnabled[module], "enabled");
        moduleEnabled[module] = true;
        moduleCount += 1;
        emit ModuleEnabled(module);
    }

    function disableModule(address module) external {
        require(msg.sender == owner, "owner only");
        moduleEnabled[module] = false;
        moduleCount -= 1;
    }

    function runModule(address module, bytes calldata data) external returns (bytes memory) {
        require(moduleEnabled[module], "module unknown");
        (bool ok, bytes memory result) = module.delegatecall(data); //~ ERROR delegatecall
        require(ok, "module failed");
        return result;
    }

    function execute(address payable to, uint256 value) external {
        require(msg.sender == owner, "owner only");
        to.transfer(value);
        emit Executed(to, value);
    }
}
