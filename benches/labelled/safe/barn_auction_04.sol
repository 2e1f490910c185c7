pragma solidity ^0.4.24;

// Auction of a barn that ends at a given block. Outbid farmers are paid back at
// once; if their account does not take it, they can fetch it later.
contract BarnAuction {
    uint256 public constant BLOCKS = 2000;

    address public seller;
    uint256 public lastBlock;
    address public leader;
    uint256 public price;
    bool public sold;
    mapping(address => uint256) public waiting;

    event Raised(address indexed farmer, uint256 price);
    event PaidBack(address indexed farmer, uint256 amount);
    event Waiting(address indexed farmer, uint256 amount);
    event Sold(address indexed farmer, uint256 price);

    constructor() public {
        seller = msg.sender;
        lastBlock = block.number + BLOCKS;
    }

    function raise() public payable {
        require(block.number <= lastBlock);
        require(msg.value > price);
        address outbid = leader;
        uint256 amount = price;
        leader = msg.sender;
        price = msg.value;
        emit Raised(msg.sender, msg.value);
        if (outbid == address(0)) return;
        if (outbid.send(amount)) {
            emit PaidBack(outbid, amount);
        } else {
            waiting[outbid] += amount;
            emit Waiting(outbid, amount);
        }
    }

    function fetch() public {
        uint256 amount = waiting[msg.sender];
        require(amount > 0);
        waiting[msg.sender] = 0;
        require(msg.sender.call.value(amount)());
        emit PaidBack(msg.sender, amount);
    }

    function close() public {
        require(block.number > lastBlock);
        require(!sold);
        require(leader != address(0));
        sold = true;
        seller.transfer(price);
        emit Sold(leader, price);
    }
}
