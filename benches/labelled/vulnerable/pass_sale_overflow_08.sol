// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Day passes at a fixed price, refundable until the sale is closed.
contract PassSale {
    uint256 public constant PRICE = 1 gwei;

    address public immutable organizer = msg.sender;
    mapping(address => uint256) public passes;
    mapping(address => uint256) public used;
    uint256 public sold;
    bool public closed;

    event Bought(address indexed who, uint256 quantity, uint256 cost);
    event Refunded(address indexed who, uint256 quantity);
    event Given(address indexed from, address indexed to, uint256 quantity);
    event Closed(uint256 sold);

    modifier whileOpen() {
        require(!closed, "closed");
        _;
    }

    modifier onlyOrganizer() {
        require(msg.sender == organizer, "not the organizer");
        _;
    }

    function buy(uint256 quantity) external payable whileOpen {
        require(quantity > 0, "nothing to buy");
        uint256 cost = PRICE * uint32(quantity); //~ ERROR overflow
        require(msg.value == cost, "wrong price");
        passes[msg.sender] += quantity;
        sold += quantity;
        emit Bought(msg.sender, quantity, cost);
    }

    function refund(uint256 quantity) external whileOpen {
        require(quantity > 0 && quantity <= passes[msg.sender], "not yours");
        passes[msg.sender] -= quantity;
        sold -= quantity;
        emit Refunded(msg.sender, quantity);
        payable(msg.sender).transfer(quantity * PRICE); //~ ERROR ether-theft
    }

    function give(address to, uint256 quantity) external {
        require(to != address(0), "nobody");
        passes[msg.sender] -= quantity;
        passes[to] += quantity;
        emit Given(msg.sender, to, quantity);
    }

    function enter() external {
        require(closed, "not yet");
        passes[msg.sender] -= 1;
        used[msg.sender] += 1;
    }

    function close() external onlyOrganizer whileOpen {
        closed = true;
        emit Closed(sold);
    }

    function collect() external onlyOrganizer {
        require(closed, "still open");
        payable(organizer).transfer(address(this).balance);
    }
}
