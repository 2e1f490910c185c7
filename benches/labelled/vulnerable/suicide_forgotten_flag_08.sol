// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: initialize(attacker) checks initialized but nobody ever sets it; the new admin calls retire(attacker).
contract EscrowLogic {
    bool public initialized;
    address public admin;
    mapping(address => uint256) public held;

    event AdminSet(address admin);

    modifier onlyAdmin() {
        require(msg.sender == admin, "admin only");
        _;
    }

    function initialize(address admin_) external {
        require(!initialized, "initialized");
        require(admin_ != address(0), "zero");
        admin = admin_;
        emit AdminSet(admin_);
    }

    function hold() external payable {
        held[msg.sender] += msg.value;
    }

    function release(uint256 amount) external {
        held[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function retire(address payable to) external onlyAdmin {
        selfdestruct(to); //~ ERROR self-destruct
    }
}
