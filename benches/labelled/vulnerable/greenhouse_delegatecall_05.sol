pragma solidity 0.5.17;

/// Growers share a greenhouse. They leave a deposit for their bench, and run climate
/// programs that set the heating and the vents. Programs are contracts of their own,
/// so that new ones can be added for new plants.
contract SharedGreenhouse {
    address payable public landlord;
    int256 public target = 18;
    uint256 public vents;

    uint256 public constant DEPOSIT = 5 finney;

    mapping(address => uint256) public depositOf;
    mapping(bytes32 => address) public programs;
    mapping(bytes32 => bool) public retired;
    bytes32 public running;

    event Moved(address indexed grower, bool into);
    event ProgramAdded(bytes32 indexed name, address program);
    event ProgramRetired(bytes32 indexed name);
    event ProgramRun(bytes32 indexed name, address indexed grower);

    constructor() public {
        landlord = msg.sender;
    }

    modifier onlyGrower() {
        require(depositOf[msg.sender] > 0, "growers only");
        _;
    }

    function moveIn() external payable {
        require(msg.value == DEPOSIT, "wrong deposit");
        require(depositOf[msg.sender] == 0, "one bench each");
        depositOf[msg.sender] = msg.value;
        emit Moved(msg.sender, true);
    }

    function moveOut() external onlyGrower {
        uint256 amount = depositOf[msg.sender];
        depositOf[msg.sender] = 0;
        emit Moved(msg.sender, false);
        msg.sender.transfer(amount);
    }

    /// Adds a program under a new name. Nobody can replace a program.
    function addProgram(bytes32 name, address program) external onlyGrower {
        require(programs[name] == address(0), "the name is taken");
        uint256 size;
        assembly {
            size := extcodesize(program)
        }
        require(size > 0, "no program");
        programs[name] = program;
        emit ProgramAdded(name, program);
    }

    function retire(bytes32 name) external {
        require(msg.sender == landlord, "not the landlord");
        retired[name] = true;
        emit ProgramRetired(name);
    }

    /// Programs get what is set for this bench, such as the kind of plant.
    function run(bytes32 name, bytes calldata settings) external onlyGrower {
        address program = programs[name];
        require(program != address(0) && !retired[name], "no such program");
        running = name;
        (bool success,) = program.delegatecall(abi.encodeWithSignature("adjust(bytes)", settings)); //~ ERROR delegatecall
        require(success, "the program failed");
        emit ProgramRun(name, msg.sender);
    }
}

/// A program for plants that like it warm; it keeps its state in front, as the greenhouse does.
contract TropicalProgram {
    address payable private landlord;
    int256 private target;
    uint256 private vents;

    function adjust(bytes calldata settings) external {
        target = settings.length > 0 && settings[0] == 0x01 ? 26 : 23;
        vents = 1;
    }
}
