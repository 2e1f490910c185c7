// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: transfer(other, 1) with a zero balance; the assembly subtraction has no check and the sender's balance becomes 2**256-1.
contract LeanToken {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(uint256 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(to != address(0) && to != msg.sender, "receiver");
        balanceOf[to] += amount;
        mapping(address => uint256) storage balances = balanceOf;
        assembly {
            mstore(0x00, caller())
            mstore(0x20, balances.slot)
            let key := keccak256(0x00, 0x40)
            sstore(key, sub(sload(key), amount)) //~ ERROR overflow
        }
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}
