// SPDX-License-Identifier: MIT
pragma solidity ^0.4.22;
// Exploit: setExtension(attackerContract) has no check; any unknown selector is then delegated to the attacker's code.
contract ExtensionWallet {
    address public holder;
    address public extension;
    uint256 public received;

    event Paid(address to, uint256 amount);

    constructor() public payable {
        holder = msg.sender;
    }

    function pay(address to, uint256 amount) public {
        require(msg.sender == holder);
        to.transfer(amount);
        emit Paid(to, amount);
    }

    function setExtension(address code) public {
        require(code != address(this));
        extension = code;
    }

    function () public payable {
        if (msg.data.length == 0) {
            received += msg.value;
        } else {
            require(extension != address(0));
            require(extension.delegatecall(msg.data)); //~ ERROR delegatecall
        }
    }
}
