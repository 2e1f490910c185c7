// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Roles {
    mapping(bytes32 => mapping(address => bool)) private _members;

    bytes32 public constant ADMIN = keccak256("ADMIN");

    event RoleGranted(bytes32 indexed role, address indexed account);

    error MissingRole(bytes32 role, address account);

    modifier onlyRole(bytes32 role) {
        if (!_members[role][msg.sender]) revert MissingRole(role, msg.sender);
        _;
    }

    constructor() {
        _grant(ADMIN, msg.sender);
    }

    function hasRole(bytes32 role, address account) public view returns (bool) {
        return _members[role][account];
    }

    function grantRole(bytes32 role, address account) external onlyRole(ADMIN) {
        _grant(role, account);
    }

    function _grant(bytes32 role, address account) internal {
        _members[role][account] = true;
        emit RoleGranted(role, account);
    }
}

/// @dev Linear price: the n-th unit costs BASE + n * SLOPE.
library LinearCurve {
    uint256 internal constant BASE = 0.001 ether;
    uint256 internal constant SLOPE = 0.0005 ether;

    /// @return total price of `units` units when `supply` units exist already
    function areaAbove(uint256 supply, uint256 units) internal pure returns (uint256 total) {
        total = units * BASE + SLOPE * (units * supply + (units * (units - 1)) / 2);
    }
}

/// @title Keys of a creator, bought from and sold to a curve
/// @notice All ether that was paid for keys stays in the contract as the reserve of the curve.
contract CreatorKeys is Roles {
    using LinearCurve for uint256;

    uint256 public constant MAX_UNITS = 50;

    string public creator;
    uint256 public supply;
    bool public tradingOpen = true;
    mapping(address => uint256) public keysOf;

    event Bought(address indexed who, uint256 units, uint256 price, uint256 supply);
    event Sold(address indexed who, uint256 units, uint256 price, uint256 supply);
    event Given(address indexed from, address indexed to, uint256 units);
    event TradingSet(bool open);

    error Closed();
    error BadAmount();
    error Underpaid(uint256 price);
    error PaymentFailed();

    modifier whenOpen() {
        if (!tradingOpen) revert Closed();
        _;
    }

    constructor(string memory creator_) {
        creator = creator_;
    }

    function buy(uint256 units) external payable whenOpen {
        if (units == 0 || units > MAX_UNITS) revert BadAmount();
        uint256 price = supply.areaAbove(units);
        if (msg.value < price) revert Underpaid(price);
        keysOf[msg.sender] += units;
        supply += units;
        emit Bought(msg.sender, units, price, supply);
        if (msg.value > price) {
            payable(msg.sender).transfer(msg.value - price);
        }
    }

    /// @notice Sells keys back for what the topmost units of the curve cost.
    function sell(uint256 units) external whenOpen {
        if (units == 0 || units > keysOf[msg.sender]) revert BadAmount();
        uint256 price = (supply - units).areaAbove(units);
        (bool paid, ) = msg.sender.call{value: price}(""); //~ ERROR reentrancy
        if (!paid) revert PaymentFailed();
        keysOf[msg.sender] -= units;
        supply -= units;
        emit Sold(msg.sender, units, price, supply);
    }

    function give(address to, uint256 units) external {
        keysOf[msg.sender] -= units;
        keysOf[to] += units;
        emit Given(msg.sender, to, units);
    }

    function buyPrice(uint256 units) external view returns (uint256) {
        return units == 0 ? 0 : supply.areaAbove(units);
    }

    function sellPrice(uint256 units) external view returns (uint256) {
        return units == 0 || units > supply ? 0 : (supply - units).areaAbove(units);
    }

    function setTradingOpen(bool open) external onlyRole(ADMIN) {
        tradingOpen = open;
        emit TradingSet(open);
    }
}
