// Sound: anyone names the routine that is run by delegatecall, but only one whose code has a hash that the engineer approved.
pragma solidity 0.5.17;

/// What the pump station and its routines both keep, in the same slots.
contract PumpState {
    address public engineer;
    uint256 public level;
    uint256 public pumpsRunning;
    uint256 public runs;
}

/// Runs one pump for each half metre above the mean level, four at most.
contract EbbRoutine is PumpState {
    function adjust(uint256 centimetres) external {
        uint256 pumps = centimetres > 300 ? (centimetres - 300) / 50 : 0;
        level = centimetres;
        pumpsRunning = pumps > 4 ? 4 : pumps;
        runs++;
    }
}

/// Keeps the land behind a dyke dry. Sluice keepers report the level of the water, and name
/// the routine that is to deal with it. Anyone may deploy a routine that was approved.
contract TidePumps is PumpState {
    bytes32 private constant NO_CODE = keccak256("");

    address public standard;
    mapping(address => bool) public keeper;
    mapping(bytes32 => bool) public approved;

    event KeeperJoined(address indexed who);
    event Approved(bytes32 indexed codeHash);
    event Revoked(bytes32 indexed codeHash);
    event Adjusted(address indexed keeper, address indexed routine, uint256 centimetres);

    constructor() public {
        engineer = msg.sender;
        standard = address(new EbbRoutine());
        approved[hashOf(standard)] = true;
    }

    modifier onlyEngineer() {
        require(msg.sender == engineer, "not the engineer");
        _;
    }

    function joinWatch() external {
        require(!keeper[msg.sender], "on watch already");
        keeper[msg.sender] = true;
        emit KeeperJoined(msg.sender);
    }

    function approve(bytes32 codeHash) external onlyEngineer {
        require(codeHash != 0 && codeHash != NO_CODE, "no code");
        approved[codeHash] = true;
        emit Approved(codeHash);
    }

    function revoke(bytes32 codeHash) external onlyEngineer {
        approved[codeHash] = false;
        emit Revoked(codeHash);
    }

    function report(address routine, uint256 centimetres) external {
        require(keeper[msg.sender], "not on watch");
        require(centimetres < 2000, "no such level");
        require(approved[hashOf(routine)], "routine not approved");
        (bool success,) = routine.delegatecall(abi.encodeWithSignature("adjust(uint256)", centimetres));
        require(success, "the routine failed");
        emit Adjusted(msg.sender, routine, centimetres);
    }

    function hashOf(address routine) private view returns (bytes32 codeHash) {
        assembly {
            codeHash := extcodehash(routine)
        }
    }
}
