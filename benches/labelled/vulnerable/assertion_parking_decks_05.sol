pragma solidity ^0.5.0;

/// A car park with several decks. Cars enter, change the deck and leave.
contract Barrier {
    address public warden;
    bool public lowered;

    event Lowered(bool lowered);

    constructor() internal {
        warden = msg.sender;
    }

    modifier onlyWarden() {
        require(msg.sender == warden, "warden only");
        _;
    }

    modifier whenRaised() {
        require(!lowered, "barrier is down");
        _;
    }

    function lower(bool isLowered) external onlyWarden {
        lowered = isLowered;
        emit Lowered(isLowered);
    }
}

contract ParkingDecks is Barrier {
    uint256 public constant DECKS = 4;

    struct Ticket {
        bool valid;
        uint8 deck;
        uint64 since;
    }

    uint256 public perDeck;
    uint256 public cars;
    uint256[DECKS] public load;
    mapping(bytes32 => Ticket) public tickets;
    mapping(bytes32 => address) public driverOf;

    event Entered(bytes32 indexed plate, address indexed driver, uint8 deck);
    event Changed(bytes32 indexed plate, uint8 from, uint8 to);
    event Left(bytes32 indexed plate, uint256 time);

    constructor(uint256 _perDeck) public {
        require(_perDeck > 0 && _perDeck <= 500, "deck size out of range");
        perDeck = _perDeck;
    }

    modifier onlyDriver(bytes32 plate) {
        require(tickets[plate].valid, "no ticket");
        require(driverOf[plate] == msg.sender, "not your car");
        _;
    }

    function enter(bytes32 plate, uint8 deck) external whenRaised {
        require(!tickets[plate].valid, "parked already");
        require(deck < DECKS && load[deck] < perDeck, "deck is full");
        tickets[plate] = Ticket(true, deck, uint64(now));
        driverOf[plate] = msg.sender;
        load[deck] += 1;
        cars += 1;
        emit Entered(plate, msg.sender, deck);
    }

    function change(bytes32 plate, uint8 to) external onlyDriver(plate) {
        require(to < DECKS && load[to] < perDeck, "deck is full");
        uint8 from = tickets[plate].deck;
        // read both first, it saves gas
        uint256 loadFrom = load[from];
        uint256 loadTo = load[to];
        load[from] = loadFrom - 1;
        load[to] = loadTo + 1;
        tickets[plate].deck = to;
        emit Changed(plate, from, to);
    }

    function leave(bytes32 plate) external whenRaised onlyDriver(plate) {
        Ticket memory ticket = tickets[plate];
        delete tickets[plate];
        delete driverOf[plate];
        load[ticket.deck] -= 1;
        cars -= 1;
        emit Left(plate, now - ticket.since);
    }

    function free() external view returns (uint256) {
        uint256 sum = 0;
        for (uint256 i = 0; i < DECKS; i++) {
            sum += load[i];
        }
        assert(sum == cars); //~ ERROR assertion
        return DECKS * perDeck - sum;
    }
}
