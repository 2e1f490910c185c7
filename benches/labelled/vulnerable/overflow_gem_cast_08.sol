// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: craft(2**81): 2**81 * 1e15 is a multiple of 2**96, the cast cuts it to 0 and the gems cost nothing.
contract GemForge {
    uint256 public constant UNIT_PRICE = 1e15;

    address public immutable owner;
    mapping(address => uint256) public gems;
    uint256 public sold;

    event Crafted(address indexed who, uint256 amount, uint96 cost);

    constructor() {
        owner = msg.sender;
    }

    function craft(uint256 amount) external payable {
        require(amount > 0, "amount");
        uint96 cost = uint96(amount * UNIT_PRICE); //~ ERROR overflow
        require(msg.value >= cost, "underpaid");
        gems[msg.sender] += amount;
        sold += amount;
        emit Crafted(msg.sender, amount, cost);
    }

    function gift(address to, uint256 amount) external {
        gems[msg.sender] -= amount;
        gems[to] += amount;
    }

    function collect() external {
        require(msg.sender == owner, "owner only");
        payable(owner).transfer(address(this).balance);
    }
}
