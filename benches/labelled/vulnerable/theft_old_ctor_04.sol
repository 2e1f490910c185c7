// SPDX-License-Identifier: MIT
pragma solidity ^0.4.15;
// Exploit: the constructor keeps the name of an earlier draft (CoinSaleBeta), so anyone calls it, becomes owner and takes the sale's ether by collectAll().
contract CoinSale {
    address private creator;
    uint256 public rate = 1000;
    uint256 private collected = 0;
    mapping(address => uint256) public coins;

    modifier onlyCreator() {
        require(msg.sender == creator);
        _;
    }

    function CoinSaleBeta() public {
        creator = msg.sender;
    }

    function () public payable {
        require(msg.value >= 1 finney);
        coins[msg.sender] += msg.value * rate;
        collected += msg.value;
    }

    function transfer(address to, uint256 amount) public {
        require(to != address(0));
        require(coins[msg.sender] >= amount);
        coins[msg.sender] -= amount;
        coins[to] += amount;
    }

    function changeRate(uint256 newRate) public onlyCreator {
        require(newRate > 0 && newRate < 1000000);
        rate = newRate;
    }

    function collectAll() public onlyCreator {
        require(collected > 0);
        uint256 amount = collected;
        collected = 0;
        creator.transfer(amount); //~ ERROR ether-theft
    }
}
