// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: claim() 100 coins, then transfer(self, 1): both cached balances belong to one account and the sum check fails.
contract CachedCoin {
    mapping(address => uint256) public balances;
    mapping(address => bool) public claimed;
    uint256 public transfers;

    function claim() external {
        require(!claimed[msg.sender], "claimed");
        claimed[msg.sender] = true;
        balances[msg.sender] += 100;
    }

    function transfer(address to, uint256 amount) external {
        require(to != address(0), "zero");
        uint256 fromBefore = balances[msg.sender];
        uint256 toBefore = balances[to];
        require(amount > 0 && amount <= fromBefore, "amount");

        balances[msg.sender] = fromBefore - amount;
        balances[to] = toBefore + amount;
        transfers += 1;

        assert(balances[msg.sender] + balances[to] == fromBefore + toBefore); //~ ERROR assertion
    }
}
