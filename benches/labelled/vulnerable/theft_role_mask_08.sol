// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: the role test uses | where & was meant, so it holds for every account; a stranger calls spend(attacker, balance).
contract RoleTreasury {
    uint256 public constant ADMIN = 1;
    uint256 public constant TREASURER = 2;

    mapping(address => uint256) public roles;
    uint256 public spent;

    event RoleSet(address indexed who, uint256 mask);

    constructor() {
        roles[msg.sender] = ADMIN | TREASURER;
    }

    receive() external payable {}

    modifier withRole(uint256 role) {
        require((roles[msg.sender] | role) != 0, "role missing");
        _;
    }

    function setRole(address who, uint256 mask) external {
        require((roles[msg.sender] & ADMIN) != 0, "admin only");
        roles[who] = mask;
        emit RoleSet(who, mask);
    }

    function spend(address payable to, uint256 amount) external withRole(TREASURER) {
        spent += amount;
        (bool ok, ) = to.call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "failed");
    }
}
