pragma solidity ^0.5.0;

/// Volunteers who cook earn meals, which they can eat or give to others.
contract CommunityKitchen {
    address public coordinator;
    bool public closedForSummer;
    uint256 public served;

    mapping(address => uint256) public meals;
    mapping(address => uint256) public lastShift;

    event Shift(address indexed cook, uint8 portions);
    event Given(address indexed from, address indexed to, uint256 count);
    event Served(address indexed guest, uint256 count);

    modifier whenOpen() {
        require(!closedForSummer, "closed");
        _;
    }

    constructor() public {
        coordinator = msg.sender;
    }

    function setClosed(bool closed) external {
        require(msg.sender == coordinator, "not the coordinator");
        closedForSummer = closed;
    }

    function cookShift(uint8 portions) external whenOpen {
        require(portions > 0 && portions <= 10, "1 to 10 portions");
        require(now >= lastShift[msg.sender] + 8 hours, "take a rest");
        lastShift[msg.sender] = now;
        meals[msg.sender] = plus(meals[msg.sender], portions);
        emit Shift(msg.sender, portions);
    }

    function give(address to, uint256 count) external {
        require(to != address(0), "no receiver");
        require(count > 0, "nothing to give");
        require(meals[msg.sender] - count >= 0, "not enough meals"); //~ ERROR overflow
        meals[msg.sender] -= count; //~ ERROR overflow
        meals[to] = plus(meals[to], count);
        emit Given(msg.sender, to, count);
    }

    function eat(uint256 count) external whenOpen {
        require(count > 0 && count <= meals[msg.sender], "not enough meals");
        meals[msg.sender] -= count;
        served = plus(served, count);
        emit Served(msg.sender, count);
    }

    function plus(uint256 a, uint256 b) private pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "too many");
        return c;
    }
}
