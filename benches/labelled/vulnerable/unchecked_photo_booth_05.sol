pragma solidity ^0.5.0;

/// A photo booth. It prints strips of pictures and gives change.
contract PhotoBooth {
    address payable public operator;
    uint256 public price;
    uint256 public paper;
    uint256 public takings;
    bool public outOfOrder;

    mapping(address => uint256) public stripsOf;

    event Printed(address indexed who, uint256 strips);
    event Refilled(uint256 paper);
    event PriceSet(uint256 price);

    modifier onlyOperator() {
        require(msg.sender == operator, "operator only");
        _;
    }

    constructor(uint256 _price) public {
        require(_price > 0 && _price <= 1 ether, "price out of range");
        operator = msg.sender;
        price = _price;
        paper = 400;
    }

    function setPrice(uint256 _price) external onlyOperator {
        require(_price > 0 && _price <= 1 ether, "price out of range");
        price = _price;
        emit PriceSet(_price);
    }

    function setOutOfOrder(bool yes) external onlyOperator {
        outOfOrder = yes;
    }

    function refill(uint256 sheets) external onlyOperator {
        require(sheets <= 1000 && paper + sheets <= 1000, "the tray holds a thousand");
        paper += sheets;
        emit Refilled(paper);
    }

    function print(uint8 strips) external payable {
        require(!outOfOrder, "out of order");
        require(strips > 0 && strips <= 10, "one to ten strips");
        require(paper >= strips, "out of paper");
        uint256 cost = uint256(strips) * price;
        require(msg.value >= cost, "insert more coins");
        paper -= strips;
        takings += cost;
        stripsOf[msg.sender] += strips;
        if (msg.value > cost) {
            msg.sender.send(msg.value - cost); //~ ERROR unchecked-call
        }
        emit Printed(msg.sender, strips);
    }

    function collect() external onlyOperator {
        uint256 value = takings;
        takings = 0;
        operator.transfer(value);
    }
}
