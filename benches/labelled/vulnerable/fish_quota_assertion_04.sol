pragma solidity 0.4.26;

/// The fishing board of a bay grants each skipper a quota for the season, in kilograms.
/// A skipper may lease a part of it to another one and call the lease back later.
contract FishQuota {
    uint256 public constant GRANT = 100;

    address public board;
    bool public closed;

    uint256 public granted;
    uint256 public landed;

    mapping(address => bool) public registered;
    mapping(address => uint256) public quota;
    mapping(address => uint256) public landedBy;
    mapping(address => mapping(address => uint256)) public leased;

    event Registered(address indexed skipper);
    event Leased(address indexed from, address indexed to, uint256 kilos);
    event CalledBack(address indexed from, address indexed to, uint256 kilos);
    event Landed(address indexed skipper, uint256 kilos);

    modifier inSeason() {
        require(!closed, "the season is over");
        _;
    }

    constructor() public {
        board = msg.sender;
    }

    function register() external inSeason {
        require(!registered[msg.sender], "one grant each");
        registered[msg.sender] = true;
        quota[msg.sender] += GRANT;
        granted += GRANT;
        emit Registered(msg.sender);
    }

    function lease(address to, uint256 kilos) external inSeason {
        require(to != msg.sender && to != address(0), "no other skipper");
        require(kilos > 0 && quota[msg.sender] >= kilos, "not enough quota");
        quota[msg.sender] -= kilos;
        quota[to] += kilos;
        leased[msg.sender][to] += kilos;
        emit Leased(msg.sender, to, kilos);
    }

    /// Ends a lease. The lessee keeps what is beyond the lease.
    function callBack(address to) external inSeason {
        uint256 kilos = leased[msg.sender][to];
        require(kilos > 0, "nothing is leased");
        leased[msg.sender][to] = 0;
        if (quota[to] > kilos) {
            quota[to] -= kilos;
        } else {
            quota[to] = 0;
        }
        quota[msg.sender] += kilos;
        emit CalledBack(msg.sender, to, kilos);
    }

    function land(uint256 kilos) external {
        require(kilos > 0 && quota[msg.sender] >= kilos, "more than the quota");
        note(msg.sender, kilos);
    }

    /// Lands all that the quota allows.
    function landRest() external {
        require(quota[msg.sender] > 0, "no quota left");
        note(msg.sender, quota[msg.sender]);
    }

    function close() external {
        require(msg.sender == board, "not the board");
        closed = true;
    }

    function note(address skipper, uint256 kilos) private {
        quota[skipper] -= kilos;
        landedBy[skipper] += kilos;
        landed += kilos;
        emit Landed(skipper, kilos);
        assert(landed <= granted); //~ ERROR assertion
    }
}
