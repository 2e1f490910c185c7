// By design: the price falls every hour with block.timestamp; what was paid too much is credited.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract DutchMint {
    uint256 public constant SUPPLY = 500;
    uint256 public constant PER_WALLET = 5;
    uint256 public constant START_PRICE = 2 ether;
    uint256 public constant STEP = 0.05 ether;
    uint256 public constant STEP_TIME = 1 hours;
    uint256 public constant FLOOR = 0.2 ether;

    address public immutable treasury;
    uint256 public immutable opensAt;
    uint256 public minted;
    uint256 public revenue;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public mintedBy;
    mapping(address => uint256) public change;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    constructor() {
        treasury = msg.sender;
        opensAt = block.timestamp;
    }

    function price() public view returns (uint256) {
        uint256 steps = (block.timestamp - opensAt) / STEP_TIME;
        uint256 maxSteps = (START_PRICE - FLOOR) / STEP;
        if (steps >= maxSteps) return FLOOR;
        unchecked {
            return START_PRICE - steps * STEP;
        }
    }

    function mint(uint256 count) external payable {
        require(count > 0 && mintedBy[msg.sender] + count <= PER_WALLET, "wallet limit");
        require(minted + count <= SUPPLY, "sold out");
        uint256 cost = price() * count;
        require(msg.value >= cost, "underpaid");

        mintedBy[msg.sender] += count;
        revenue += cost;
        change[msg.sender] += msg.value - cost;
        uint256 id = minted;
        minted = id + count;
        for (uint256 i; i < count;) {
            unchecked {
                ++i;
            }
            ownerOf[id + i] = msg.sender;
            emit Transfer(address(0), msg.sender, id + i);
        }
    }

    function transfer(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        require(to != address(0), "zero");
        ownerOf[id] = to;
        emit Transfer(msg.sender, to, id);
    }

    function takeChange() external {
        uint256 amount = change[msg.sender];
        change[msg.sender] = 0;
        _pay(msg.sender, amount);
    }

    function collect() external {
        require(msg.sender == treasury, "treasury only");
        uint256 amount = revenue;
        revenue = 0;
        _pay(treasury, amount);
    }

    function _pay(address to, uint256 amount) private {
        require(amount > 0, "nothing");
        (bool ok,) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
