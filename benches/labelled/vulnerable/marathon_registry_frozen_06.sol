// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Runners register for a city marathon and pay the fee.
contract MarathonRegistry { //~ ERROR frozen-ether
    enum Distance { Ten, Half, Full }

    struct Runner {
        uint32 bib;
        Distance distance;
        uint32 finishSeconds;
        bytes32 club;
    }

    address public organizer;
    bool public closed;
    uint32 public lastBib;
    uint256 public collected;

    mapping(address => Runner) public runners;
    mapping(uint32 => address) public byBib;

    event Registered(address indexed runner, uint32 bib, Distance distance);
    event Finished(uint32 indexed bib, uint32 finishSeconds);

    modifier onlyOrganizer() {
        require(msg.sender == organizer, "not the organizer");
        _;
    }

    constructor() public {
        organizer = msg.sender;
    }

    function feeOf(Distance distance) public pure returns (uint256) {
        if (distance == Distance.Ten) return 10 finney;
        if (distance == Distance.Half) return 20 finney;
        return 35 finney;
    }

    function register(Distance distance, bytes32 club) external payable {
        require(!closed, "registration is closed");
        require(lastBib < 20000, "no bibs left");
        require(runners[msg.sender].bib == 0, "already registered");
        require(msg.value == feeOf(distance), "wrong fee");
        lastBib += 1;
        collected += msg.value;
        runners[msg.sender] = Runner(lastBib, distance, 0, club);
        byBib[lastBib] = msg.sender;
        emit Registered(msg.sender, lastBib, distance);
    }

    function changeClub(bytes32 club) external {
        require(runners[msg.sender].bib != 0, "not registered");
        runners[msg.sender].club = club;
    }

    function close() external onlyOrganizer {
        closed = true;
    }

    function finish(uint32 bib, uint32 finishSeconds) external onlyOrganizer {
        require(closed, "not started yet");
        require(byBib[bib] != address(0), "no such bib");
        runners[byBib[bib]].finishSeconds = finishSeconds;
        emit Finished(bib, finishSeconds);
    }
}
