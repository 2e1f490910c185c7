pragma solidity ^0.5.0;

/// Parcels of a valley. The office sells them, and takes them back at a discount.
contract Ownable {
    address payable public owner;

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    constructor() internal {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: not the owner");
        _;
    }

    function transferOwnership(address payable newOwner) public onlyOwner {
        require(newOwner != address(0), "Ownable: zero");
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }
}

contract LandOffice is Ownable {
    uint256 public pricePerParcel;
    uint256 public constant BUYBACK_PERCENT = 80;
    uint256 public parcelsSold;
    uint256 public reserve;

    mapping(address => uint256) public parcelsOf;

    event Sold(address indexed settler, uint256 parcels);
    event TakenBack(address indexed settler, uint256 parcels, uint256 value);
    event Passed(address indexed from, address indexed to, uint256 parcels);
    event PriceSet(uint256 price);

    constructor(uint256 price) public {
        require(price >= 1 finney && price <= 100 ether, "price out of range");
        pricePerParcel = price;
    }

    function setPrice(uint256 price) external onlyOwner {
        require(price >= pricePerParcel && price <= 100 ether, "prices only rise");
        pricePerParcel = price;
        emit PriceSet(price);
    }

    function buy(uint256 parcels) external payable {
        require(parcels > 0, "no parcels");
        require(msg.value == parcels * pricePerParcel, "wrong price"); //~ ERROR overflow
        require(parcelsOf[msg.sender] + parcels > parcelsOf[msg.sender], "too many");
        parcelsOf[msg.sender] += parcels;
        parcelsSold += 1;
        reserve += msg.value;
        emit Sold(msg.sender, parcels);
    }

    function pass(address to, uint256 parcels) external {
        require(to != address(0) && to != msg.sender, "to whom");
        require(parcelsOf[msg.sender] >= parcels, "not yours");
        require(parcelsOf[to] + parcels >= parcelsOf[to], "too many");
        parcelsOf[msg.sender] -= parcels;
        parcelsOf[to] += parcels;
        emit Passed(msg.sender, to, parcels);
    }

    // At the lowest price there ever was, so that the reserve is always enough.
    function takeBack(uint256 parcels) external {
        require(parcels > 0 && parcels < 1000000, "in small lots");
        require(parcelsOf[msg.sender] >= parcels, "not yours");
        uint256 value = parcels * 1 finney * BUYBACK_PERCENT / 100;
        require(value <= reserve, "the reserve is empty");
        parcelsOf[msg.sender] -= parcels;
        reserve -= value;
        msg.sender.transfer(value);
        emit TakenBack(msg.sender, parcels, value);
    }

    function holds(address settler, uint256 parcels) external view returns (bool) {
        return parcelsOf[settler] >= parcels;
    }
}
