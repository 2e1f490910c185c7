pragma solidity ^0.5.0;

/**
 * Rings of the bird observatory, in the order in which they were put on. The
 * last entry can be undone, and mistakes in earlier ones are corrected.
 */
contract BirdRings {
    uint256 public constant MAX_ENTRIES = 100000;

    address public warden;
    bool public open = true;
    uint256[] private rings;
    mapping(uint256 => string) public speciesNames;
    mapping(address => uint256) public entriesBy;

    event Recorded(uint256 indexed index, uint256 ring, address by);
    event Undone(address by);
    event Corrected(uint256 indexed index, uint256 ring, address by);

    modifier whileOpen() {
        require(open, "winter break");
        _;
    }

    modifier onlyWarden() {
        require(msg.sender == warden, "only the warden");
        _;
    }

    constructor() public {
        warden = msg.sender;
    }

    function record(uint256 ring) external whileOpen {
        uint256 index = rings.length;
        require(index < MAX_ENTRIES, "start a new book");
        rings.push(ring);
        entriesBy[msg.sender] += 1;
        emit Recorded(index, ring, msg.sender);
    }

    function undo() external whileOpen {
        rings.length--; //~ ERROR overflow
        emit Undone(msg.sender);
    }

    function correct(uint256 index, uint256 ring) external whileOpen {
        require(index < rings.length, "no such entry");
        rings[index] = ring; //~ ERROR arbitrary-write
        emit Corrected(index, ring, msg.sender);
    }

    function nameSpecies(uint256 code, string calldata name) external onlyWarden {
        speciesNames[code] = name;
    }

    function setOpen(bool value) external onlyWarden {
        open = value;
    }

    function ringAt(uint256 index) external view returns (uint256) {
        require(index < rings.length, "no such entry");
        return rings[index];
    }

    function count() external view returns (uint256) {
        return rings.length;
    }
}
