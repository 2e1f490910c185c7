// By design: the price falls with block.timestamp over a week, some seconds of drift are worth nothing.
pragma solidity ^0.5.0;

contract DutchSale {
    uint256 public constant START_PRICE = 1 ether;
    uint256 public constant FLOOR_PRICE = 0.1 ether;
    uint256 public constant DURATION = 7 days;

    address payable public seller;
    uint256 public startedAt;
    uint256 public unitsLeft = 1000;
    uint256 public proceeds;
    mapping(address => uint256) public unitsOf;

    event Bought(address indexed buyer, uint256 units, uint256 unitPrice);
    event Given(address indexed from, address indexed to, uint256 units);

    constructor() public {
        seller = msg.sender;
        startedAt = now;
    }

    function price() public view returns (uint256) {
        uint256 elapsed = now - startedAt;
        if (elapsed >= DURATION) {
            return FLOOR_PRICE;
        }
        return START_PRICE - (START_PRICE - FLOOR_PRICE) * elapsed / DURATION;
    }

    function buy(uint256 units) external payable {
        require(units > 0 && units <= unitsLeft, "units");
        uint256 unitPrice = price();
        uint256 cost = units * unitPrice; // at most 1000 * 1 ether
        require(msg.value >= cost, "not enough");

        unitsLeft -= units;
        unitsOf[msg.sender] += units;
        proceeds += cost;
        emit Bought(msg.sender, units, unitPrice);

        uint256 change = msg.value - cost;
        if (change > 0) {
            msg.sender.transfer(change);
        }
    }

    function give(address to, uint256 units) external {
        require(to != address(0), "zero");
        require(unitsOf[msg.sender] >= units, "units");
        unitsOf[msg.sender] -= units;
        unitsOf[to] += units;
        emit Given(msg.sender, to, units);
    }

    function collect() external {
        require(msg.sender == seller, "seller only");
        uint256 amount = proceeds;
        proceeds = 0;
        seller.transfer(amount);
    }
}
