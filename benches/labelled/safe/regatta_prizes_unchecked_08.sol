// Sound: a prize that a winner's account refuses is kept for them to fetch, and a score board that fails is noted, so no failing call goes unnoticed.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Score board that the sailing union keeps, for a hundred races a year
contract ScoreBoard {
    address public immutable club;
    uint256 public entries;
    mapping(address => uint256) public points;

    constructor() {
        club = msg.sender;
    }

    function enter(address sailor, uint256 score) external {
        require(msg.sender == club, "not the club");
        require(entries < 100, "the board is full");
        entries += 1;
        points[sailor] += score;
    }
}

/// @title Regattas with entry fees and prizes
contract Regatta {
    struct Race {
        uint64 awardUntil;
        uint32 boats;
        bool awarded;
        uint256 pot;
    }

    uint256 public constant AWARD_TIME = 7 days;

    ScoreBoard public immutable board;
    address public immutable committee;
    mapping(uint256 => Race) public races;
    mapping(uint256 => mapping(address => uint256)) public feeOf;
    mapping(address => uint256) public owed;
    uint256 public raceCount;
    uint256 public unrecorded;

    event Opened(uint256 indexed id);
    event Entered(uint256 indexed id, address indexed sailor, uint256 fee);
    event Prize(uint256 indexed id, address indexed sailor, uint256 amount, bool sent);
    event NotRecorded(uint256 indexed id, address indexed sailor);

    constructor() {
        board = new ScoreBoard();
        committee = msg.sender;
    }

    function open() external returns (uint256 id) {
        require(msg.sender == committee, "not the committee");
        id = ++raceCount;
        races[id].awardUntil = uint64(block.timestamp + AWARD_TIME);
        emit Opened(id);
    }

    function enter(uint256 id) external payable {
        Race storage race = races[id];
        require(block.timestamp < race.awardUntil && !race.awarded, "not open");
        require(msg.value >= 1 gwei && msg.value % 10 == 0, "fee");
        require(feeOf[id][msg.sender] == 0, "entered");
        feeOf[id][msg.sender] = msg.value;
        race.boats += 1;
        race.pot += msg.value;
        emit Entered(id, msg.sender, msg.value);
    }

    function award(uint256 id, address first, address second, address third) external {
        require(msg.sender == committee, "not the committee");
        Race storage race = races[id];
        require(block.timestamp < race.awardUntil && !race.awarded, "not open");
        require(first != second && second != third && first != third, "three sailors");
        require(feeOf[id][first] > 0 && feeOf[id][second] > 0 && feeOf[id][third] > 0, "not in the race");
        race.awarded = true;
        uint256 pot = race.pot;
        race.pot = 0;

        _record(id, first, 3);
        _record(id, second, 2);
        _record(id, third, 1);
        _send(id, third, pot * 2 / 10);
        _send(id, second, pot * 3 / 10);
        _send(id, first, pot - pot * 2 / 10 - pot * 3 / 10);
    }

    /// @notice A race that nobody awarded in time is void, and the fees go back.
    function takeFeeBack(uint256 id) external {
        Race storage race = races[id];
        require(!race.awarded && block.timestamp >= race.awardUntil, "not void");
        uint256 fee = feeOf[id][msg.sender];
        require(fee > 0, "not in the race");
        feeOf[id][msg.sender] = 0;
        race.pot -= fee;
        (bool ok,) = msg.sender.call{value: fee}("");
        require(ok, "not accepted");
    }

    function fetch() external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing");
        owed[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _send(uint256 id, address to, uint256 amount) private {
        (bool sent,) = to.call{value: amount, gas: 50_000}("");
        if (!sent) {
            owed[to] += amount;
        }
        emit Prize(id, to, amount, sent);
    }

    function _record(uint256 id, address sailor, uint256 score) private {
        (bool recorded,) = address(board).call(abi.encodeCall(ScoreBoard.enter, (sailor, score)));
        if (!recorded) {
            unrecorded += 1;
            emit NotRecorded(id, sailor);
        }
    }
}
