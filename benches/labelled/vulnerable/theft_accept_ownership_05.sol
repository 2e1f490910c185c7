pragma solidity ^0.5.0;

contract TwoStepOwned {
    address payable public owner;
    address payable public pendingOwner;

    event OwnershipOffered(address indexed to);
    event OwnershipTaken(address indexed from, address indexed to);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() public {
        owner = msg.sender;
    }

    function offerOwnership(address payable to) external onlyOwner {
        pendingOwner = to;
        emit OwnershipOffered(to);
    }

    function acceptOwnership() external {
        require(pendingOwner == msg.sender || pendingOwner == address(0), "not offered to you");
        emit OwnershipTaken(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }
}

contract TicketOffice is TwoStepOwned {
    bytes32 public venue;
    uint256 public price;
    uint256 public sold;
    bool public open = true;
    mapping(address => uint256) public ticketsOf;

    event Sold(address indexed buyer, uint256 tickets);
    event Given(address indexed from, address indexed to, uint256 tickets);
    event TakingsPaid(address indexed to, uint256 amount);

    constructor(bytes32 _venue, uint16 priceInSzabo) public {
        venue = _venue;
        price = (uint256(priceInSzabo) + 1) * 1 szabo;
    }

    function buy() external payable {
        require(open, "closed");
        require(msg.value >= price, "too little for one");
        uint256 tickets = msg.value / price;
        ticketsOf[msg.sender] += tickets;
        sold += tickets;
        emit Sold(msg.sender, tickets);
    }

    function give(address to, uint256 tickets) external {
        require(tickets > 0 && tickets <= ticketsOf[msg.sender], "tickets");
        ticketsOf[msg.sender] -= tickets;
        ticketsOf[to] += tickets;
        emit Given(msg.sender, to, tickets);
    }

    function setOpen(bool value) external onlyOwner {
        open = value;
    }

    function payTakings(uint256 amount) external onlyOwner {
        require(amount <= address(this).balance, "not that much");
        emit TakingsPaid(owner, amount);
        owner.transfer(amount); //~ ERROR ether-theft
    }
}
