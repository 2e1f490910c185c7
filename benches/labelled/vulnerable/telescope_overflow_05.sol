pragma solidity 0.5.17;

/// An observatory rents out its telescope by the hour. Hours that are not needed
/// any more are given back for what they cost, less a part for the trouble.
contract TelescopeHours {
    uint64 public constant RATE = 5 finney;
    uint256 public constant KEEP_PERCENT = 10;

    address payable public director;
    uint256 public earned;
    bool public domeOpen;

    struct Astronomer {
        uint32 hoursLeft;
        uint32 hoursObserved;
        string target;
    }

    mapping(address => Astronomer) public astronomers;

    event Booked(address indexed who, uint32 count, uint64 cost);
    event GivenBack(address indexed who, uint32 count, uint256 refund);
    event Observed(address indexed who, uint32 count);

    constructor() public {
        director = msg.sender;
    }

    modifier onlyDirector() {
        require(msg.sender == director, "not the director");
        _;
    }

    /// Surveys book thousands of hours at once.
    function book(uint32 count, string calldata target) external payable {
        require(count > 0, "no hours");
        Astronomer storage astronomer = astronomers[msg.sender];
        require(astronomer.hoursLeft + count >= count, "too many hours");

        uint64 cost = RATE * count; //~ ERROR overflow
        require(msg.value == cost, "wrong payment");

        astronomer.hoursLeft += count;
        astronomer.target = target;
        emit Booked(msg.sender, count, cost);
    }

    function giveBack(uint32 count) external {
        Astronomer storage astronomer = astronomers[msg.sender];
        require(count > 0 && astronomer.hoursLeft >= count, "not that many hours");
        astronomer.hoursLeft -= count;

        uint256 paid = uint256(RATE) * count;
        uint256 kept = paid * KEEP_PERCENT / 100;
        earned += kept;
        emit GivenBack(msg.sender, count, paid - kept);
        msg.sender.transfer(paid - kept);
    }

    function setDome(bool open) external onlyDirector {
        domeOpen = open;
    }

    /// The director notes what was observed; only then are the hours earned.
    function observe(address who, uint32 count) external onlyDirector {
        require(domeOpen, "the dome is closed");
        Astronomer storage astronomer = astronomers[who];
        require(astronomer.hoursLeft >= count, "not that many hours");
        astronomer.hoursLeft -= count;
        astronomer.hoursObserved += count;
        earned += uint256(RATE) * count;
        emit Observed(who, count);
    }

    function collect() external onlyDirector {
        uint256 amount = earned;
        earned = 0;
        director.transfer(amount);
    }
}
