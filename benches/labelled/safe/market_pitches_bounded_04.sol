pragma solidity ^0.4.24;

contract TownOwned {
    address public town;

    constructor() public {
        town = msg.sender;
    }

    modifier onlyTown() {
        require(msg.sender == town, "town only");
        _;
    }
}

/**
 * Pitches of a Christmas market, in one row, let from left to right.
 */
contract MarketPitches is TownOwned {
    struct Lease {
        address trader;
        uint256 first;
        uint256 count;
    }

    uint256 public pitches;
    uint256 public rate;
    uint256 public nextFree;
    bool public open = true;

    Lease[] public leases;
    mapping(address => uint256) public pitchesOf;

    event Let(uint256 indexed id, address indexed trader, uint256 first, uint256 count);

    constructor(uint256 _pitches, uint256 _rate) public {
        require(_pitches >= 6 && _pitches <= 500, "row out of range");
        require(_rate > 0 && _rate <= 10 ether, "rate out of range");
        pitches = _pitches;
        rate = _rate;
    }

    function rent(uint256 first, uint256 count) external payable returns (uint256 id) {
        require(open, "closed");
        require(count > 0 && count <= 6, "one to six pitches");
        require(first >= nextFree, "let already");
        require(first <= pitches - count, "past the end of the row");
        require(msg.value == count * rate, "wrong rent");
        nextFree = first + count;
        id = leases.push(Lease(msg.sender, first, count)) - 1;
        pitchesOf[msg.sender] += count;
        emit Let(id, msg.sender, first, count);
    }

    function pass(uint256 id, address to) external {
        require(id < leases.length, "no such lease");
        Lease storage lease = leases[id];
        require(lease.trader == msg.sender, "not your pitch");
        require(to != address(0), "to nobody");
        pitchesOf[msg.sender] -= lease.count;
        pitchesOf[to] += lease.count;
        lease.trader = to;
    }

    function setOpen(bool yes) external onlyTown {
        open = yes;
    }

    function collect() external onlyTown {
        town.transfer(address(this).balance);
    }
}
