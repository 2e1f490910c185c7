pragma solidity ^0.5.0;

/// Everybody at the table pays the same into the pot. When the table is full
/// anyone may spin the bottle; whoever it points at takes the pot.
contract Table {
    uint256 public seats;
    uint256 public stake;
    uint256 public round;
    address payable[] internal seated;
    mapping(uint256 => mapping(address => bool)) internal sitsIn;

    event Seated(uint256 indexed round, address indexed guest, uint256 seat);
    event Left(uint256 indexed round, address indexed guest);

    constructor(uint256 _seats, uint256 _stake) internal {
        require(_seats >= 2 && _seats <= 12, "seats out of range");
        require(_stake > 0 && _stake <= 10 ether, "stake out of range");
        seats = _seats;
        stake = _stake;
        round = 1;
    }

    modifier whenFull() {
        require(seated.length == seats, "wait for more guests");
        _;
    }

    function sit() external payable {
        require(seated.length < seats, "table is full");
        require(msg.value == stake, "wrong stake");
        require(!sitsIn[round][msg.sender], "seated already");
        sitsIn[round][msg.sender] = true;
        seated.push(msg.sender);
        emit Seated(round, msg.sender, seated.length - 1);
    }

    function guests() external view returns (uint256) {
        return seated.length;
    }
}

contract BottleTable is Table {
    address payable public landlord;
    uint256 public openedAt;
    uint256 public tips;

    event Spun(uint256 indexed round, address indexed by, address indexed winner, uint256 value);

    constructor(uint256 _seats, uint256 _stake) public Table(_seats, _stake) {
        landlord = msg.sender;
        openedAt = now;
    }

    /// The bottle turns one seat a second since the table was opened.
    function pointsAt() public view returns (uint256) {
        return (now - openedAt) % seats;
    }

    function spin() external whenFull {
        uint256 pot = stake * seats;
        uint256 tip = pot / 50;
        address payable winner = seated[pointsAt()];
        uint256 finished = round;
        delete seated;
        round += 1;
        openedAt = now;
        tips += tip;
        winner.transfer(pot - tip); //~ ERROR timestamp
        emit Spun(finished, msg.sender, winner, pot - tip);
    }

    function takeTips() external {
        require(msg.sender == landlord, "landlord only");
        uint256 value = tips;
        tips = 0;
        landlord.transfer(value);
    }
}
