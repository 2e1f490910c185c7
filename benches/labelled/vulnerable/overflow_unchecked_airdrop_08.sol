// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: with no tokens call airdrop([a, b], [2**255, 2**255]); the unchecked sum wraps to 0 and passes the balance check.
contract DropToken {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint128 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function airdrop(address[] calldata to, uint256[] calldata amounts) external {
        require(to.length == amounts.length && to.length <= 50, "length");
        uint256 sum;
        for (uint256 i = 0; i < amounts.length; ) {
            unchecked {
                sum += amounts[i]; //~ ERROR overflow
                ++i;
            }
        }
        require(balanceOf[msg.sender] >= sum, "balance");
        balanceOf[msg.sender] -= sum;
        for (uint256 i = 0; i < to.length; i++) {
            balanceOf[to[i]] += amounts[i];
            emit Transfer(msg.sender, to[i], amounts[i]);
        }
    }
}
