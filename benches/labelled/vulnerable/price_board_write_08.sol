// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A board of price feeds. Whoever opens a feed reports its price, until they resign.
contract PriceBoard {
    address public curator = msg.sender;
    uint256 public minBond = 1 gwei;
    uint256[] private prices;
    mapping(uint256 => address) public reporterOf;
    mapping(uint256 => uint256) public updatedAt;
    mapping(uint256 => bytes32) public pairOf;
    mapping(address => uint256) public bondOf;
    mapping(address => uint256) public feedsOf;

    event Bonded(address indexed reporter, uint256 amount);
    event Opened(uint256 indexed id, bytes32 indexed pair, address reporter);
    event Posted(uint256 indexed id, uint256 price);
    event Resigned(uint256 indexed id);

    modifier onlyCurator() {
        require(msg.sender == curator, "not the curator");
        _;
    }

    function bond() external payable {
        bondOf[msg.sender] += msg.value;
        emit Bonded(msg.sender, msg.value);
    }

    function unbond() external {
        require(feedsOf[msg.sender] == 0, "feeds are open");
        uint256 amount = bondOf[msg.sender];
        bondOf[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function setMinBond(uint256 amount) external onlyCurator {
        minBond = amount;
    }

    function open(bytes32 pair, uint256 price) external returns (uint256 id) {
        require(bondOf[msg.sender] >= minBond, "bond too small");
        require(price > 0, "no price");
        id = prices.length;
        prices.push(price);
        pairOf[id] = pair;
        reporterOf[id] = msg.sender;
        feedsOf[msg.sender] += 1;
        updatedAt[id] = block.timestamp;
        emit Opened(id, pair, msg.sender);
    }

    function resign(uint256 id) external {
        require(reporterOf[id] == msg.sender, "not your feed");
        reporterOf[id] = address(0);
        feedsOf[msg.sender] -= 1;
        emit Resigned(id);
    }

    /// Posts a price. A feed without a reporter is taken over by the first one who posts.
    function post(uint256 id, uint256 price) external {
        require(price > 0, "no price");
        address reporter = reporterOf[id];
        if (reporter == address(0)) {
            reporterOf[id] = msg.sender;
            feedsOf[msg.sender] += 1;
        } else {
            require(reporter == msg.sender, "not your feed");
        }
        assembly {
            mstore(0x00, prices.slot)
            let base := keccak256(0x00, 0x20)
            sstore(add(base, id), price) //~ ERROR arbitrary-write
        }
        updatedAt[id] = block.timestamp;
        emit Posted(id, price);
    }

    function feedCount() external view returns (uint256) {
        return prices.length;
    }

    function read(uint256 id) external view returns (uint256 price, uint256 age) {
        require(id < prices.length, "no such feed");
        return (prices[id], block.timestamp - updatedAt[id]);
    }
}
