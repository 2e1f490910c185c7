// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// The list of passengers that the coast guard asks for.
contract Manifest {
    uint256 public constant MAX_BAGS = 3;

    address public immutable ferry;
    uint256 public count;
    mapping(address => bool) public aboard;
    mapping(address => uint256) public bagsOf;

    constructor() {
        ferry = msg.sender;
    }

    function enter(address passenger, uint256 bags) external {
        require(msg.sender == ferry, "only the ferry");
        require(bags <= MAX_BAGS, "too much luggage");
        require(!aboard[passenger], "on the list");
        aboard[passenger] = true;
        bagsOf[passenger] = bags;
        count += 1;
    }
}

/// Check-in of the night ferry. Whoever has checked in gets a cabin.
contract NightFerry {
    uint256 public constant CABINS = 60;

    Manifest public immutable manifest;
    address public purser;
    bool public gangwayUp;
    uint256 public checkedIn;
    mapping(address => uint256) public cabinOf;

    event CheckedIn(address indexed passenger, uint256 cabin);

    constructor() {
        purser = msg.sender;
        manifest = new Manifest();
    }

    function checkIn(uint256 bags) external {
        require(!gangwayUp, "too late");
        require(cabinOf[msg.sender] == 0, "checked in");
        require(checkedIn < CABINS, "fully booked");
        checkedIn += 1;
        cabinOf[msg.sender] = checkedIn;
        bytes memory entry = abi.encodeWithSelector(Manifest.enter.selector, msg.sender, bags);
        address(manifest).call(entry); //~ ERROR exception-disorder
        emit CheckedIn(msg.sender, checkedIn);
    }

    function raiseGangway() external {
        require(msg.sender == purser, "only the purser");
        gangwayUp = true;
    }
}
