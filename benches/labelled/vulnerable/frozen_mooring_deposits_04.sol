pragma solidity ^0.4.24;

contract HarbourStaff {
    address public master;
    mapping(address => bool) public staff;

    constructor() public {
        master = msg.sender;
        staff[msg.sender] = true;
    }

    modifier onlyStaff() {
        require(staff[msg.sender], "staff only");
        _;
    }

    function setStaff(address who, bool yes) external {
        require(msg.sender == master, "master only");
        staff[who] = yes;
    }
}

/**
 * Deposits for moorings. A skipper pays one when they moor; it is settled when they cast off.
 */
contract MooringDeposits is HarbourStaff { //~ ERROR frozen-ether
    struct Mooring {
        address skipper;
        uint256 deposit;
        uint256 damage;
    }

    uint256 public berths;
    uint256 public minDeposit;
    uint256 public held;
    mapping(uint256 => Mooring) public moorings;
    mapping(address => uint256) public settledFor;

    event Moored(uint256 indexed berth, address indexed skipper, uint256 deposit);
    event Damaged(uint256 indexed berth, uint256 damage);
    event Settled(uint256 indexed berth, address indexed skipper, uint256 returned, uint256 kept);

    constructor(uint256 _berths, uint256 _minDeposit) public {
        require(_berths > 0 && _berths <= 200, "berths out of range");
        require(_minDeposit <= 1 ether, "deposit out of range");
        berths = _berths;
        minDeposit = _minDeposit;
    }

    function moor(uint256 berth) external payable {
        require(berth < berths, "no such berth");
        require(moorings[berth].skipper == address(0), "taken");
        require(msg.value > 0 && msg.value >= minDeposit, "deposit too low");
        moorings[berth] = Mooring(msg.sender, msg.value, 0);
        held += msg.value;
        emit Moored(berth, msg.sender, msg.value);
    }

    function reportDamage(uint256 berth, uint256 damage) external onlyStaff {
        Mooring storage m = moorings[berth];
        require(m.skipper != address(0), "nobody there");
        require(damage <= m.deposit, "more than the deposit");
        m.damage = damage;
        emit Damaged(berth, damage);
    }

    /** The rest of the deposit is returned, the damage is kept. */
    function castOff(uint256 berth) external {
        Mooring memory m = moorings[berth];
        require(m.skipper == msg.sender, "not your mooring");
        delete moorings[berth];
        uint256 rest = m.deposit - m.damage;
        held -= m.deposit;
        settledFor[msg.sender] += rest;
        emit Settled(berth, msg.sender, rest, m.damage);
    }
}
