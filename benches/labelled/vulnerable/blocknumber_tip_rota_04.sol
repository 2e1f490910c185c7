pragma solidity ^0.4.24;

/**
 * The tips of a boat crew. They are not divided: one after the other gets the whole jar.
 */
contract TipRota {
    uint256 public constant CREW_SIZE = 3;

    address public skipper;
    uint256 public uniformPrice;
    uint256 public uniformMoney;
    uint256 public jar;
    uint256 public handedOut;

    address[] public crew;
    mapping(address => bool) public aboard;
    mapping(address => uint256) public tippedBy;

    event SignedOn(address indexed who);
    event Tipped(address indexed by, uint256 value);
    event HandedOut(address indexed to, uint256 value);

    constructor(uint256 _uniformPrice) public {
        require(_uniformPrice > 0 && _uniformPrice <= 1 ether, "price out of range");
        skipper = msg.sender;
        uniformPrice = _uniformPrice;
    }

    modifier onlySkipper() {
        require(msg.sender == skipper, "skipper only");
        _;
    }

    function signOn() external payable {
        require(msg.value == uniformPrice, "pay for your uniform");
        require(crew.length < CREW_SIZE, "the boat is manned");
        require(!aboard[msg.sender], "aboard already");
        aboard[msg.sender] = true;
        crew.push(msg.sender);
        uniformMoney += msg.value;
        emit SignedOn(msg.sender);
    }

    function tip() external payable {
        require(msg.value > 0, "no tip");
        tippedBy[msg.sender] += msg.value;
        jar += msg.value;
        emit Tipped(msg.sender, msg.value);
    }

    function handOut() external {
        require(aboard[msg.sender], "crew only");
        require(crew.length > 1, "not manned yet");
        require(jar > 0, "the jar is empty");
        uint256 value = jar;
        jar = 0;
        address next = crew[block.number % crew.length];
        handedOut += value;
        emit HandedOut(next, value);
        next.transfer(value); //~ ERROR block-number
    }

    function crewCount() external view returns (uint256) {
        return crew.length;
    }

    function collectUniformMoney() external onlySkipper {
        uint256 value = uniformMoney;
        uniformMoney = 0;
        skipper.transfer(value);
    }
}
