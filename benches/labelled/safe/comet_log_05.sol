pragma solidity ^0.5.0;

/**
 * Sightings of comets. An observer can undo the last sighting if it is their
 * own, and correct the brightness of those that they reported.
 */
contract CometLog {
    struct Sighting {
        address observer;
        uint32 comet;
        int16 brightness;
    }

    address payable public director;
    Sighting[] private sightings;
    mapping(address => uint256) public reportedBy;
    mapping(uint32 => string) public cometNames;

    event Sighted(uint256 indexed index, uint32 comet, address observer);
    event Undone(uint256 indexed index);
    event Corrected(uint256 indexed index, int16 brightness);

    modifier onlyDirector() {
        require(msg.sender == director, "only the director");
        _;
    }

    constructor() public {
        director = msg.sender;
    }

    function report(uint32 comet, int16 brightness) external {
        uint256 index = sightings.length;
        sightings.push(Sighting(msg.sender, comet, brightness));
        reportedBy[msg.sender] += 1;
        emit Sighted(index, comet, msg.sender);
    }

    function undo() external {
        uint256 length = sightings.length;
        require(length > 0, "nothing to undo");
        require(sightings[length - 1].observer == msg.sender, "not your sighting");
        reportedBy[msg.sender] -= 1;
        sightings.length--;
        emit Undone(length - 1);
    }

    function correct(uint256 index, int16 brightness) external {
        require(index < sightings.length, "no such sighting");
        require(sightings[index].observer == msg.sender, "not your sighting");
        sightings[index].brightness = brightness;
        emit Corrected(index, brightness);
    }

    function nameComet(uint32 comet, string calldata name) external onlyDirector {
        cometNames[comet] = name;
    }

    function count() external view returns (uint256) {
        return sightings.length;
    }

    function retire() external onlyDirector {
        selfdestruct(director);
    }
}
