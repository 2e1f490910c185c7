// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Donations for an old lighthouse. Volunteers sign on to keep the lamp, and
/// the crew winds the trust up when the lighthouse is handed to the museum.
contract LighthouseTrust {
    uint256 public constant MAX_CREW = 8;

    address payable public founder;
    uint256 public crewSize;
    uint256 public shifts;
    mapping(address => bool) public onCrew;
    mapping(address => uint256) public donatedBy;
    mapping(address => uint256) public shiftsOf;

    event Donation(address indexed donor, uint256 amount);
    event SignedOn(address indexed volunteer);
    event SignedOff(address indexed volunteer);
    event Shift(address indexed volunteer, string note);

    modifier onlyCrew() {
        require(onCrew[msg.sender], "only the crew");
        _;
    }

    constructor() public {
        founder = msg.sender;
    }

    receive() external payable {
        donatedBy[msg.sender] += msg.value;
        emit Donation(msg.sender, msg.value);
    }

    function signOn() external {
        require(!onCrew[msg.sender], "signed on");
        require(crewSize < MAX_CREW, "the crew is complete");
        onCrew[msg.sender] = true;
        crewSize += 1;
        emit SignedOn(msg.sender);
    }

    function signOff() external onlyCrew {
        onCrew[msg.sender] = false;
        crewSize -= 1;
        emit SignedOff(msg.sender);
    }

    function logShift(string calldata note) external onlyCrew {
        shifts += 1;
        shiftsOf[msg.sender] += 1;
        emit Shift(msg.sender, note);
    }

    /// Paint, lamp oil, a new rope.
    function spend(uint256 amount) external {
        require(msg.sender == founder, "only the founder");
        require(amount <= address(this).balance, "not that much there");
        founder.transfer(amount);
    }

    function windUp(address payable museum) external onlyCrew {
        require(museum != address(0), "no museum");
        selfdestruct(museum); //~ ERROR self-destruct
    }
}
