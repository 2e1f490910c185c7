pragma solidity 0.7.6;

/// The waiting list of an allotment garden. People join the list and get the next number;
/// the garden calls up numbers as gardens become free, and whoever was called takes one.
contract AllotmentList {
    // The wishes are a mapping of their own, behind the three words of the list.
    uint256 private constant WISHES = 3;

    address public garden;
    uint256 public lastNumber;
    uint256 public called;
    mapping(address => uint256) public numberOf;
    mapping(uint256 => address) public holderOf;
    uint256 public plots;

    event Joined(address indexed who, uint256 number);
    event Wished(address indexed who, uint256 wish);
    event Called(uint256 number);
    event Taken(address indexed who, uint256 indexed plot);
    event Vacated(address indexed who, uint256 indexed plot);

    modifier onlyGarden() {
        require(msg.sender == garden, "not the garden");
        _;
    }

    constructor(uint8 free) {
        garden = msg.sender;
        plots = 100;
        called = free;
    }

    function join() external {
        require(numberOf[msg.sender] == 0, "on the list already");
        lastNumber++;
        numberOf[msg.sender] = lastNumber;
        emit Joined(msg.sender, lastNumber);
    }

    /// A wish is a set of flags: 1 for shade, 2 for a shed, 4 for water, and so on.
    function wish(uint256 flags) external {
        require(numberOf[msg.sender] != 0, "not on the list");
        require(flags < 4096, "no such wish");
        bytes32 slot = keccak256(abi.encode(msg.sender, WISHES));
        assembly {
            sstore(slot, flags) //~ ERROR slot-collision
        }
        emit Wished(msg.sender, flags);
    }

    function wishOf(address who) external view returns (uint256 flags) {
        bytes32 slot = keccak256(abi.encode(who, WISHES));
        assembly {
            flags := sload(slot)
        }
    }

    function callUp(uint256 count) external onlyGarden {
        require(count <= lastNumber && called + count <= lastNumber, "nobody waits");
        called += count;
        emit Called(called);
    }

    function take(uint256 plot) external {
        uint256 number = numberOf[msg.sender];
        require(number != 0 && number <= called, "not your turn");
        require(plot < plots && holderOf[plot] == address(0), "not free");
        numberOf[msg.sender] = 0;
        holderOf[plot] = msg.sender;
        emit Taken(msg.sender, plot);
    }

    function vacate(uint256 plot) external {
        require(holderOf[plot] == msg.sender, "not your plot");
        holderOf[plot] = address(0);
        emit Vacated(msg.sender, plot);
    }
}
