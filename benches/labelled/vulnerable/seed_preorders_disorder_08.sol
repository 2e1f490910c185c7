// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The stock of a seed nursery.
contract SeedStore {
    address public immutable shop;
    mapping(uint8 => uint256) public bags;

    constructor() {
        shop = msg.sender;
        bags[1] = 40;
        bags[2] = 25;
        bags[3] = 10;
    }

    modifier onlyShop() {
        require(msg.sender == shop, "only the shop");
        _;
    }

    function take(uint8 kind, uint256 count) external onlyShop {
        require(bags[kind] >= count, "not in stock");
        bags[kind] -= count;
    }

    function refill(uint8 kind, uint256 count) external onlyShop {
        require(count <= 10000, "too many");
        bags[kind] += count;
    }
}

/// Farmers order seed, and pay when they fetch it.
contract SeedPreorders {
    struct Order {
        address farmer;
        uint8 kind;
        uint32 count;
        bool fetched;
    }

    SeedStore public immutable store;
    address public immutable nursery;
    mapping(uint256 => Order) public orders;
    uint256 public orderCount;

    event Ordered(uint256 indexed id, address indexed farmer, uint8 kind, uint32 count);
    event Fetched(uint256 indexed id);

    constructor() {
        nursery = msg.sender;
        store = new SeedStore();
    }

    function order(uint8 kind, uint32 count) external returns (uint256 id) {
        require(kind >= 1 && kind <= 3, "unknown kind");
        require(count > 0, "order something");
        address(store).call(abi.encodeCall(store.take, (kind, count))); //~ ERROR exception-disorder
        id = ++orderCount;
        orders[id] = Order(msg.sender, kind, count, false);
        emit Ordered(id, msg.sender, kind, count);
    }

    function markFetched(uint256 id) external {
        require(msg.sender == nursery, "not the nursery");
        require(orders[id].farmer != address(0), "no such order");
        require(!orders[id].fetched, "already fetched");
        orders[id].fetched = true;
        emit Fetched(id);
    }

    function restock(uint8 kind, uint256 count) external {
        require(msg.sender == nursery, "not the nursery");
        require(kind >= 1 && kind <= 3, "unknown kind");
        store.refill(kind, count);
    }
}
