// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ITicketReceiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

contract Ticket {
    string public constant name = "Festival Ticket";
    string public constant symbol = "FEST";

    address public immutable seller = msg.sender;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed spender, uint256 indexed id);

    function safeMint(address to, uint256 id) external {
        require(msg.sender == seller, "not the seller");
        require(ownerOf[id] == address(0), "minted");
        ownerOf[id] = to;
        balanceOf[to]++;
        emit Transfer(address(0), to, id);
        if (to.code.length > 0) {
            bytes4 answer = ITicketReceiver(to).onERC721Received(msg.sender, address(0), id, "");
            require(answer == ITicketReceiver.onERC721Received.selector, "refused");
        }
    }

    function approve(address spender, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not the owner");
        getApproved[id] = spender;
        emit Approval(msg.sender, spender, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && to != address(0), "wrong owner");
        require(msg.sender == from || getApproved[id] == msg.sender, "not approved");
        delete getApproved[id];
        ownerOf[id] = to;
        balanceOf[from]--;
        balanceOf[to]++;
        emit Transfer(from, to, id);
    }
}

/// One ticket for each account. What is paid too much is paid back.
contract TicketDrop {
    uint256 public constant PRICE = 1 gwei;
    uint256 public constant TICKETS = 300;

    Ticket public immutable ticket = new Ticket();
    address public immutable festival = msg.sender;
    uint256 public sold;
    uint256 public takings;
    mapping(address => bool) public served;

    event Sold(address indexed who, uint256 indexed id);

    function buy() external payable {
        require(msg.value >= PRICE, "too little");
        require(!served[msg.sender], "one for each");
        require(sold < TICKETS, "sold out");
        served[msg.sender] = true;
        uint256 id = sold++;
        takings += PRICE;
        emit Sold(msg.sender, id);
        ticket.safeMint(msg.sender, id);
        uint256 change = msg.value - PRICE;
        if (change > 0) {
            (bool ok, ) = msg.sender.call{value: change}("");
            require(ok, "change not accepted");
        }
    }

    function collect() external {
        require(msg.sender == festival, "not the festival");
        uint256 amount = takings;
        takings = 0;
        payable(festival).transfer(amount);
    }
}
