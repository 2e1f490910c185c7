pragma solidity 0.5.17;

/// Winegrowers insure their slopes against hail. They pay a premium for each row of
/// vines, report damage, and the assessor settles what they are paid for it.
contract HailInsurance { //~ ERROR frozen-ether
    uint256 public constant PREMIUM = 1 finney;
    uint256 public constant COVER = 5 finney;
    uint256 public constant MAX_ROWS = 1000;

    enum State { None, Reported, Settled, Refused }

    struct Claim {
        address payable grower;
        uint256 rows;
        uint256 amount;
        State state;
    }

    address public assessor;
    uint256 public reserve;
    uint256 public claims;

    mapping(address => uint256) public insuredRows;
    mapping(uint256 => Claim) public claimOf;
    mapping(address => uint256) public due;

    event Insured(address indexed grower, uint256 rows);
    event Reported(uint256 indexed claim, address indexed grower, uint256 rows);
    event Settled(uint256 indexed claim, uint256 amount);
    event Refused(uint256 indexed claim);
    event PaidOut(address indexed grower, uint256 amount);

    constructor() public {
        assessor = msg.sender;
    }

    modifier onlyAssessor() {
        require(msg.sender == assessor, "not the assessor");
        _;
    }

    function insure(uint256 rows) external payable {
        require(rows > 0 && rows <= MAX_ROWS, "odd number of rows");
        require(msg.value == rows * PREMIUM, "wrong premium");
        insuredRows[msg.sender] += rows;
        reserve += msg.value;
        emit Insured(msg.sender, rows);
    }

    function report(uint256 rows) external returns (uint256 claim) {
        require(rows > 0 && rows <= insuredRows[msg.sender], "not insured");
        insuredRows[msg.sender] -= rows;
        claim = ++claims;
        claimOf[claim] = Claim(msg.sender, rows, 0, State.Reported);
        emit Reported(claim, msg.sender, rows);
    }

    function settle(uint256 claim, uint256 amount) external onlyAssessor {
        Claim storage current = claimOf[claim];
        require(current.state == State.Reported, "not reported");
        require(amount <= current.rows * COVER, "more than the cover");
        require(amount <= reserve, "more than the reserve");
        current.state = State.Settled;
        current.amount = amount;
        reserve -= amount;
        due[current.grower] += amount;
        emit Settled(claim, amount);
    }

    function refuse(uint256 claim) external onlyAssessor {
        require(claimOf[claim].state == State.Reported, "not reported");
        claimOf[claim].state = State.Refused;
        emit Refused(claim);
    }

    /// Pays out what was settled.
    function collect() external {
        uint256 amount = due[msg.sender];
        require(amount > 0, "nothing due");
        due[msg.sender] = 0;
        emit PaidOut(msg.sender, amount);
    }
}
