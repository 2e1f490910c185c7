// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: register(name) with the fee: fees pile up in the contract, withdrawFees() only zeroes a counter and never sends.
contract NameRegistry { //~ ERROR frozen-ether
    uint256 public constant FEE = 0.05 ether;

    address public immutable operator;
    uint256 public fees;
    mapping(bytes32 => address) public nameOwner;

    event Registered(bytes32 indexed name, address indexed owner);
    event FeesWithdrawn(address indexed to, uint256 amount);

    constructor() {
        operator = msg.sender;
    }

    function register(bytes32 name) external payable {
        require(msg.value == FEE, "fee");
        require(nameOwner[name] == address(0), "taken");
        nameOwner[name] = msg.sender;
        fees += msg.value;
        emit Registered(name, msg.sender);
    }

    function give(bytes32 name, address to) external {
        require(nameOwner[name] == msg.sender, "not yours");
        nameOwner[name] = to;
    }

    function withdrawFees() external {
        require(msg.sender == operator, "operator only");
        uint256 amount = fees;
        fees = 0;
        emit FeesWithdrawn(operator, amount);
    }
}
