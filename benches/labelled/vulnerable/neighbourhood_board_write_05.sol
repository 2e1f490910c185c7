pragma solidity ^0.5.0;

/// A pin board of a street. Everybody may pin, amend and take down notes.
contract NeighbourhoodBoard {
    address public janitor;
    bool public locked;
    bytes32[] public notes;

    mapping(address => uint256) public pinned;
    mapping(address => bool) public muted;

    event Pinned(address indexed by, uint256 index, bytes32 note);
    event Amended(address indexed by, uint256 index, bytes32 note);
    event TakenDown(address indexed by);

    modifier onlyJanitor() {
        require(msg.sender == janitor, "not the janitor");
        _;
    }

    modifier allowed() {
        require(!locked, "board is locked");
        require(!muted[msg.sender], "you are muted");
        _;
    }

    constructor() public {
        janitor = msg.sender;
    }

    function pin(bytes32 note) external allowed {
        require(note != bytes32(0), "empty note");
        require(notes.length < 1000, "the board is full");
        notes.push(note);
        pinned[msg.sender] += 1;
        emit Pinned(msg.sender, notes.length - 1, note);
    }

    function amend(uint256 index, bytes32 note) external allowed {
        require(index < notes.length, "no such note");
        notes[index] = note; //~ ERROR arbitrary-write
        emit Amended(msg.sender, index, note);
    }

    function takeDownLast() external allowed {
        notes.length--; //~ ERROR overflow
        emit TakenDown(msg.sender);
    }

    function count() external view returns (uint256) {
        return notes.length;
    }

    function setLocked(bool value) external onlyJanitor {
        locked = value;
    }

    function setMuted(address who, bool value) external onlyJanitor {
        muted[who] = value;
    }

    function retire(address successor) external onlyJanitor {
        require(successor != address(0), "no successor");
        janitor = successor;
    }
}
