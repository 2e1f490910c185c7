// By design: orders are packed in one word, the casts cut only what the checks before them have excluded.
pragma solidity ^0.5.0;

contract PackedOrders {
    uint256 private constant ADDRESS_MASK = (1 << 160) - 1;
    uint256 private constant AMOUNT_BITS = 88;
    uint256 private constant AMOUNT_MASK = (1 << AMOUNT_BITS) - 1;
    uint256 private constant FLAG_OPEN = 1 << 248;
    uint256 private constant FLAG_FILLED = 1 << 249;

    // maker (160) | amount (88) | flags (8)
    mapping(uint256 => uint256) private orders;
    mapping(address => mapping(uint256 => uint256)) private usedSalts;
    mapping(address => uint256) public credit;
    uint256 public nextId = 1;

    event Placed(uint256 indexed id, address indexed maker, uint256 amount);
    event Filled(uint256 indexed id, address indexed taker);
    event Cancelled(uint256 indexed id);

    /// the maker offers his wei for as many wei of the taker; a plain swap, useful for tests of the packing
    function place(uint256 salt) external payable returns (uint256 id) {
        require(msg.value > 0 && msg.value <= AMOUNT_MASK, "amount");
        _useSalt(salt);
        id = nextId++;
        orders[id] = uint256(msg.sender) | (msg.value << 160) | FLAG_OPEN;
        emit Placed(id, msg.sender, msg.value);
    }

    function fill(uint256 id) external payable {
        uint256 word = orders[id];
        require(word & FLAG_OPEN != 0, "not open");
        uint256 amount = (word >> 160) & AMOUNT_MASK;
        require(msg.value == amount, "price");
        orders[id] = (word & ~FLAG_OPEN) | FLAG_FILLED;
        credit[address(uint160(word & ADDRESS_MASK))] += msg.value;
        credit[msg.sender] += amount;
        emit Filled(id, msg.sender);
    }

    function cancel(uint256 id) external {
        uint256 word = orders[id];
        require(word & FLAG_OPEN != 0, "not open");
        require(address(uint160(word)) == msg.sender, "maker only");
        orders[id] = word & ~FLAG_OPEN;
        credit[msg.sender] += uint256(uint88(word >> 160));
        emit Cancelled(id);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        msg.sender.transfer(amount);
    }

    function makerOf(uint256 id) external view returns (address) {
        return address(uint160(orders[id]));
    }

    function isOpen(uint256 id) external view returns (bool) {
        return orders[id] & FLAG_OPEN != 0;
    }

    function _useSalt(uint256 salt) internal {
        uint256 bit = uint256(1) << (salt & 0xff);
        uint256 word = usedSalts[msg.sender][salt >> 8];
        require(word & bit == 0, "salt used");
        usedSalts[msg.sender][salt >> 8] = word | bit;
    }
}
