// SPDX-License-Identifier: MIT
pragma solidity ^0.4.22;
// Exploit: after CAPACITY seats are sold the registry reverts, buy() does not notice, takes the money and says hasTicket although no seat exists.
contract SeatRegistry {
    uint256 public constant CAPACITY = 2;
    uint256 public taken;
    address public office;
    mapping(address => uint256) public seatOf;

    constructor() public {
        office = msg.sender;
    }

    function take(address who) public {
        require(msg.sender == office);
        require(taken < CAPACITY);
        taken += 1;
        seatOf[who] = taken;
    }
}

contract BoxOffice {
    uint256 public constant PRICE = 10 finney;
    address public owner;
    SeatRegistry public registry;
    mapping(address => bool) public hasTicket;
    uint256 public sold;

    constructor() public {
        owner = msg.sender;
        registry = new SeatRegistry();
    }

    function buy() public payable {
        require(msg.value == PRICE);
        require(!hasTicket[msg.sender]);
        address(registry).call(abi.encodeWithSignature("take(address)", msg.sender)); //~ ERROR exception-disorder
        hasTicket[msg.sender] = true;
        sold += 1;
    }

    function collect() public {
        require(msg.sender == owner);
        owner.transfer(address(this).balance);
    }
}
