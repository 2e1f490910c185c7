// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: set(2**256-2, 0) makes the array cover all of storage; set(2**256 - keccak256(1), attacker) then writes slot 0 (owner) and withdraw() pays.
contract KeyMap {
    address payable public owner;
    uint256[] internal map;

    event Set(uint256 indexed key, uint256 value);

    constructor() public payable {
        owner = msg.sender;
    }

    function () external payable {}

    function set(uint256 key, uint256 value) external {
        if (map.length <= key) {
            map.length = key + 1;
        }
        map[key] = value; //~ ERROR arbitrary-write
        emit Set(key, value);
    }

    function get(uint256 key) external view returns (uint256) {
        return map[key];
    }

    function withdraw() external {
        require(msg.sender == owner, "owner only");
        owner.transfer(address(this).balance); //~ ERROR ether-theft
    }
}
