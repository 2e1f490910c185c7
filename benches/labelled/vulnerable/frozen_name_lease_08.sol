// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Prices of leases, by the length of the name and the days of the lease.
contract LeasePrices {
    uint256 public constant LONGEST_TERM = 3650;

    function price(uint256 length, uint256 term) external pure returns (uint256) {
        require(length > 0 && length <= 32, "length");
        require(term > 0 && term <= LONGEST_TERM, "term");
        uint256 perDay = length < 4 ? 100 gwei : length < 6 ? 10 gwei : 1 gwei;
        return perDay * term;
    }
}

/// @notice Points for those who lease, which the registry hands out.
contract LeasePoints {
    address public immutable registry;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor() {
        registry = msg.sender;
    }

    function award(address to, uint256 amount) external {
        require(msg.sender == registry, "registry only");
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// @title Leases of names
contract NameLeases { //~ ERROR frozen-ether
    struct Lease {
        address tenant;
        uint64 until;
        uint32 renewals;
    }

    uint256 public constant FIRST_TERM = 365;

    LeasePrices public immutable prices;
    LeasePoints public immutable points;
    address public immutable registrar;
    mapping(bytes32 => Lease) public leases;
    mapping(bytes32 => bool) public reserved;
    uint256 public income;

    event Leased(bytes32 indexed name, address indexed tenant, uint256 until, uint256 paid);
    event Renewed(bytes32 indexed name, uint256 until, uint256 paid);
    event Reserved(bytes32 indexed name, bool reserved);

    constructor() {
        registrar = msg.sender;
        prices = new LeasePrices();
        points = new LeasePoints();
    }

    /// @notice A new name is leased for a year.
    function lease(bytes32 name) external payable {
        require(!reserved[name], "reserved");
        Lease storage it = leases[name];
        require(it.until < block.timestamp, "taken");
        require(msg.value >= prices.price(lengthOf(name), FIRST_TERM), "price");
        it.tenant = msg.sender;
        it.until = uint64(block.timestamp + FIRST_TERM * 1 days);
        it.renewals = 0;
        income += msg.value;
        emit Leased(name, msg.sender, it.until, msg.value);
        points.award(msg.sender, msg.value / 1 gwei);
    }

    /// @notice Who has a name may have it for another one to ten years.
    function renew(bytes32 name, uint8 numberOfYears) external payable {
        Lease storage it = leases[name];
        require(it.tenant == msg.sender && it.until >= block.timestamp, "not yours");
        uint256 term = uint256(numberOfYears) * 365 days;
        require(msg.value >= prices.price(lengthOf(name), term), "price"); //~ ERROR requirement
        it.until += uint64(term);
        it.renewals++;
        income += msg.value;
        emit Renewed(name, it.until, msg.value);
    }

    function hand(bytes32 name, address to) external {
        require(leases[name].tenant == msg.sender, "not yours");
        leases[name].tenant = to;
    }

    function reserve(bytes32 name, bool value) external {
        require(msg.sender == registrar, "registrar only");
        reserved[name] = value;
        emit Reserved(name, value);
    }

    function lengthOf(bytes32 name) public pure returns (uint256 length) {
        while (length < 32 && name[length] != 0) length++;
    }
}
