pragma solidity ^0.4.24;

contract Permissions {
    address public admin;
    mapping(address => bool) public operators;

    event OperatorSet(address indexed who, bool value);

    constructor() public {
        admin = msg.sender;
    }

    function isAdmin(address who) internal view returns (bool) {
        return who == admin;
    }

    function isOperator(address who) internal view returns (bool) {
        return isAdmin(who) || operators[who];
    }

    function setOperator(address who, bool value) public {
        require(isAdmin(msg.sender));
        operators[who] = value;
        emit OperatorSet(who, value);
    }
}

contract ParkingMeter is Permissions {
    uint256 public ratePerHour;
    uint256 public takings;
    bytes32 public street;
    mapping(bytes32 => uint256) public paidUntil;

    event Parked(bytes32 indexed plate, uint256 until);
    event RateChanged(uint256 rate);
    event Emptied(uint256 amount);

    constructor(bytes32 _street, uint32 rateInGwei) public {
        street = _street;
        ratePerHour = (uint256(rateInGwei) + 1) * 1e9;
    }

    function park(bytes32 plate) public payable {
        require(msg.value >= ratePerHour);
        uint256 hoursPaid = msg.value / ratePerHour;
        require(hoursPaid <= 24);
        uint256 from = paidUntil[plate] > now ? paidUntil[plate] : now;
        require(from + hoursPaid * 1 hours <= now + 2 days);
        paidUntil[plate] = from + hoursPaid * 1 hours;
        takings += msg.value;
        emit Parked(plate, paidUntil[plate]);
    }

    function setRate(uint32 rateInGwei) public {
        require(isOperator(msg.sender));
        ratePerHour = (uint256(rateInGwei) + 1) * 1e9;
        emit RateChanged(ratePerHour);
    }

    function emptyTakings() public {
        require(isAdmin(msg.sender));
        uint256 amount = takings;
        takings = 0;
        emit Emptied(amount);
        msg.sender.transfer(amount);
    }

    function decommission(address to) public {
        require(to != address(0));
        isAdmin(msg.sender);
        selfdestruct(to); //~ ERROR self-destruct
    }
}
