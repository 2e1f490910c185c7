pragma solidity ^0.5.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "addition overflow");
        return c;
    }
}

contract GiftCards {
    using SafeMath for uint256;

    struct Card {
        address holder;
        uint256 value;
        bytes32 message;
    }

    address payable public shop;
    uint256 public cardCount;
    uint256 public ordered;
    uint256 public cashedUp;
    mapping(uint256 => Card) public cards;
    mapping(address => uint256) public spentBy;

    event CardBought(uint256 indexed id, address indexed holder, uint256 value);
    event CardGiven(uint256 indexed id, address indexed from, address indexed to);
    event Ordered(uint256 indexed id, uint256 amount, bytes32 item);

    modifier onlyHolder(uint256 id) {
        require(cards[id].holder == msg.sender, "not your card");
        _;
    }

    modifier onlyShop() {
        require(msg.sender == shop, "shop only");
        _;
    }

    constructor(address payable _shop) public {
        require(_shop != address(0), "no shop");
        shop = _shop;
    }

    function buyCard(bytes32 message) external payable returns (uint256 id) {
        require(msg.value > 0, "empty card");
        id = ++cardCount;
        cards[id] = Card(msg.sender, msg.value, message);
        emit CardBought(id, msg.sender, msg.value);
    }

    function give(uint256 id, address to) external onlyHolder(id) {
        require(to != address(0), "no receiver");
        cards[id].holder = to;
        emit CardGiven(id, msg.sender, to);
    }

    function order(uint256 id, uint256 amount, bytes32 item) external onlyHolder(id) {
        require(cards[id].value - amount >= 0, "card is empty");
        cards[id].value -= amount; //~ ERROR overflow
        spentBy[msg.sender] = spentBy[msg.sender].add(amount);
        ordered = ordered.add(amount);
        emit Ordered(id, amount, item);
    }

    function cashUp(uint256 amount) external onlyShop {
        require(amount <= ordered && cashedUp <= ordered - amount, "not ordered");
        cashedUp = cashedUp.add(amount);
        shop.transfer(amount);
    }

    function setShop(address payable newShop) external onlyShop {
        require(newShop != address(0), "no shop");
        shop = newShop;
    }
}
