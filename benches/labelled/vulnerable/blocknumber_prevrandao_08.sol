// SPDX-License-Identifier: MIT
pragma solidity ^0.8.18;
// Exploit: a contract reads block.prevrandao in the same transaction and scratches only when the card wins; 1 of 4 pays three times the price.
contract ScratchCard {
    uint256 public constant PRICE = 0.02 ether;

    address payable public immutable kiosk;
    mapping(address => uint256) public cards;

    event Scratched(address indexed who, uint256 symbol);

    constructor() payable {
        kiosk = payable(msg.sender);
    }

    function load() external payable {}

    function scratch() external payable {
        require(msg.value == PRICE, "price");
        require(address(this).balance >= PRICE * 3, "kiosk empty");
        cards[msg.sender] += 1;
        uint256 symbol = block.prevrandao % 4;
        emit Scratched(msg.sender, symbol);
        if (symbol == 3) {
            payable(msg.sender).transfer(PRICE * 3); //~ ERROR block-number
        }
    }

    function unload(uint256 amount) external {
        require(msg.sender == kiosk, "kiosk only");
        kiosk.transfer(amount);
    }
}
