// Sound: the proxy and the club both inherit ClubState first, so that its variables are the same ones in both, and the club adds its own behind them.
pragma solidity 0.7.6;

/// The first variables in the storage of the proxy.
contract ClubState {
    address payable internal captain;
    address internal logic;

    modifier onlyCaptain() {
        require(msg.sender == captain, "not the captain");
        _;
    }
}

/// Holds the members and the dues of a rowing club, and runs the code that the captain chose.
contract RowingClubProxy is ClubState {
    event LogicSet(address logic);

    constructor(address implementation) {
        captain = msg.sender;
        change(implementation);
    }

    function setLogic(address implementation) external onlyCaptain {
        change(implementation);
    }

    function change(address implementation) private {
        uint256 size;
        assembly {
            size := extcodesize(implementation)
        }
        require(size > 0, "no code");
        logic = implementation;
        emit LogicSet(implementation);
    }

    receive() external payable {
        revert("pay your dues");
    }

    fallback() external payable {
        address target = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// Members pay dues, take out one boat at a time, and bring it back.
contract RowingClub is ClubState {
    uint256 public constant DUES = 0.003 ether;
    uint256 public constant BOATS = 12;

    uint256 public members;
    uint256 public dues;
    mapping(address => bool) public member;
    mapping(uint256 => address) public crewOf;
    mapping(address => uint256) public boatOf;

    event Joined(address indexed who);
    event Out(address indexed who, uint256 boat);
    event Back(address indexed who, uint256 boat);
    event CaptainChanged(address indexed captain);

    function join() external payable {
        require(msg.value == DUES, "wrong dues");
        require(!member[msg.sender], "a member already");
        member[msg.sender] = true;
        members++;
        dues += msg.value;
        emit Joined(msg.sender);
    }

    /// Boats are numbered from one.
    function takeOut(uint256 boat) external {
        require(member[msg.sender], "members only");
        require(boat > 0 && boat <= BOATS && crewOf[boat] == address(0), "no such boat here");
        require(boatOf[msg.sender] == 0, "one boat at a time");
        crewOf[boat] = msg.sender;
        boatOf[msg.sender] = boat;
        emit Out(msg.sender, boat);
    }

    function bringBack() external {
        uint256 boat = boatOf[msg.sender];
        require(boat != 0, "no boat");
        crewOf[boat] = address(0);
        boatOf[msg.sender] = 0;
        emit Back(msg.sender, boat);
    }

    function collectDues() external onlyCaptain {
        uint256 amount = dues;
        dues = 0;
        captain.transfer(amount);
    }

    function setCaptain(address payable next) external onlyCaptain {
        require(next != address(0), "nobody");
        captain = next;
        emit CaptainChanged(next);
    }
}
