pragma solidity 0.6.12;

/// The duck race of a village fair. Rubber ducks are entered for a small stake and set
/// afloat together; the owner of the fastest one gets the stakes, less a part for the fair.
contract DuckRace {
    uint256 public constant STAKE = 2 finney;
    uint256 public constant FIELD = 3;
    uint256 public constant FOR_THE_FAIR = 1 finney;

    struct Duck {
        address payable owner;
        bytes32 name;
    }

    address payable public fair;
    Duck[] private ducks;
    uint256 public races;
    uint256 public fairShare;

    mapping(address => uint256) public wins;
    mapping(address => uint256) public owed;

    event Entered(uint256 indexed race, address indexed owner, bytes32 name);
    event Withdrawn(uint256 indexed race, address indexed owner, bytes32 name);
    event Finished(uint256 indexed race, address indexed winner, bytes32 name, uint256 prize);

    constructor() public {
        fair = msg.sender;
    }

    function enter(bytes32 name) external payable {
        require(msg.value == STAKE, "wrong stake");
        require(name != 0, "a duck needs a name");
        require(ducks.length < FIELD, "the field is full");
        ducks.push(Duck(msg.sender, name));
        emit Entered(races, msg.sender, name);
    }

    /// The last duck can be taken out as long as the field is not full.
    function takeOut() external {
        require(ducks.length > 0 && ducks.length < FIELD, "too late");
        Duck memory last = ducks[ducks.length - 1];
        require(last.owner == msg.sender, "not your duck");
        ducks.pop();
        emit Withdrawn(races, msg.sender, last.name);
        msg.sender.transfer(STAKE);
    }

    function afloat() external view returns (uint256) {
        return ducks.length;
    }

    function start() external {
        require(ducks.length == FIELD, "the field is not full");
        bytes32 current = keccak256(abi.encodePacked(now, races));
        Duck memory winner = ducks[uint256(current) % FIELD];
        delete ducks;

        uint256 prize = STAKE * FIELD - FOR_THE_FAIR;
        fairShare += FOR_THE_FAIR;
        wins[winner.owner]++;
        emit Finished(races, winner.owner, winner.name, prize);
        races++;
        if (!winner.owner.send(prize)) { //~ ERROR timestamp
            owed[winner.owner] += prize;
        }
    }

    /// For winners that did not take the prize when it was paid.
    function fetchPrize() external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        msg.sender.transfer(amount);
    }

    function collect() external {
        require(msg.sender == fair, "not the fair");
        uint256 amount = fairShare;
        fairShare = 0;
        fair.transfer(amount);
    }
}
