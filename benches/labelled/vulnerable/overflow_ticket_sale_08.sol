// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Ownable2 {
    address public owner;
    address public nextOwner;

    event OwnerChanged(address indexed from, address indexed to);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    function offerOwnership(address to) external onlyOwner {
        nextOwner = to;
    }

    function takeOwnership() external {
        require(msg.sender == nextOwner, "not offered");
        emit OwnerChanged(owner, msg.sender);
        owner = msg.sender;
        nextOwner = address(0);
    }
}

/// @title Tickets of a festival
/// @notice Tickets may be returned for their price until the doors open.
contract FestivalTickets is Ownable2 {
    uint256 public constant PRICE = 0.08 ether;

    string public festival;
    uint256 public immutable doorsOpenAt;
    uint256 public sold;
    mapping(address => uint256) public ticketsOf;
    mapping(address => uint256) public admitted;

    event Bought(address indexed who, uint256 quantity, uint256 cost);
    event Returned(address indexed who, uint256 quantity);
    event HandedOver(address indexed from, address indexed to, uint256 quantity);
    event Admitted(address indexed who, uint256 quantity);

    constructor(string memory festival_, uint256 daysUntil) {
        require(daysUntil > 0 && daysUntil <= 3650, "days");
        festival = festival_;
        doorsOpenAt = block.timestamp + daysUntil * 1 days;
    }

    modifier beforeDoors() {
        require(block.timestamp < doorsOpenAt, "doors are open");
        _;
    }

    function quote(uint256 quantity) public pure returns (uint256 cost) {
        // cheaper than checked arithmetic on the hot path of a drop
        unchecked {
            cost = quantity * PRICE; //~ ERROR overflow
        }
    }

    function buy(uint256 quantity) external payable beforeDoors {
        require(quantity > 0, "none");
        require(msg.value == quote(quantity), "price");
        ticketsOf[msg.sender] += quantity;
        sold++;
        emit Bought(msg.sender, quantity, msg.value);
    }

    function handOver(address to, uint256 quantity) external {
        ticketsOf[msg.sender] -= quantity;
        ticketsOf[to] += quantity;
        emit HandedOver(msg.sender, to, quantity);
    }

    function giveBack(uint256 quantity) external beforeDoors {
        require(quantity > 0, "none");
        ticketsOf[msg.sender] -= quantity;
        emit Returned(msg.sender, quantity);
        payable(msg.sender).transfer(quote(quantity)); //~ ERROR ether-theft
    }

    function admit(uint256 quantity) external {
        require(block.timestamp >= doorsOpenAt, "doors are closed");
        ticketsOf[msg.sender] -= quantity;
        admitted[msg.sender] += quantity;
        emit Admitted(msg.sender, quantity);
    }

    function collect(address payable to) external onlyOwner {
        require(block.timestamp >= doorsOpenAt, "doors are closed");
        to.transfer(address(this).balance);
    }
}
