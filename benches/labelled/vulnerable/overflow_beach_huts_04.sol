pragma solidity ^0.4.24;

contract CouncilOwned {
    address public council;

    constructor() public {
        council = msg.sender;
    }

    modifier onlyCouncil() {
        require(msg.sender == council, "council only");
        _;
    }
}

/**
 * Beach huts in one long row. They are let from left to right, some at a time,
 * so that families are next to each other. A tenant may leave huts free to the left.
 */
contract BeachHuts is CouncilOwned {
    struct Lease {
        address tenant;
        uint256 first;
        uint256 count;
        bool keysReturned;
    }

    uint256 public huts;
    uint256 public rate;
    uint256 public nextFree;
    uint256 public summer = 1;
    bool public open = true;

    mapping(uint256 => Lease[]) private leases;
    mapping(address => uint256) public hutsOf;

    event Let(uint256 indexed summer, address indexed tenant, uint256 first, uint256 count);
    event KeysReturned(uint256 indexed summer, uint256 id);
    event NewSummer(uint256 summer, uint256 rate);

    constructor(uint256 _huts, uint256 _rate) public {
        require(_huts > 0 && _huts <= 500, "row out of range");
        require(_rate > 0 && _rate <= 10 ether, "rate out of range");
        huts = _huts;
        rate = _rate;
    }

    function rent(uint256 first, uint256 count) external payable returns (uint256 id) {
        require(open, "closed");
        require(count > 0 && count <= 6, "one to six huts");
        require(msg.value == count * rate, "wrong rent");
        require(first >= nextFree, "let already");
        uint256 end = first + count; //~ ERROR overflow
        require(end <= huts, "past the end of the row");
        nextFree = end;
        id = leases[summer].length;
        leases[summer].push(Lease(msg.sender, first, count, false));
        hutsOf[msg.sender] += count;
        emit Let(summer, msg.sender, first, count);
    }

    function returnKeys(uint256 id) external {
        Lease storage lease = leases[summer][id];
        require(lease.tenant == msg.sender, "not your huts");
        require(!lease.keysReturned, "returned before");
        lease.keysReturned = true;
        emit KeysReturned(summer, id);
    }

    function leaseAt(uint256 id) external view returns (address, uint256, uint256, bool) {
        Lease storage lease = leases[summer][id];
        return (lease.tenant, lease.first, lease.count, lease.keysReturned);
    }

    function setOpen(bool yes) external onlyCouncil {
        open = yes;
    }

    function startSummer(uint256 _rate) external onlyCouncil {
        require(_rate > 0 && _rate <= 10 ether, "rate out of range");
        rate = _rate;
        nextFree = 0;
        summer += 1;
        emit NewSummer(summer, _rate);
    }

    function collect() external onlyCouncil {
        council.transfer(address(this).balance);
    }
}
