// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Members of the chess club get a hundred points a season and spend them on
/// hours at the good boards in the back room.
contract ChessBoards {
    uint256 public constant ALLOWANCE = 100;
    uint256 public constant COST = 10;

    address public president;
    uint256 public season = 1;
    mapping(address => uint256) public joinedIn;
    mapping(address => uint256) public points;
    mapping(address => uint256) public hoursOf;
    mapping(uint256 => string) public notices;

    event Joined(address indexed member, uint256 season);
    event Booked(address indexed member, uint256 count);

    constructor() public {
        president = msg.sender;
    }

    modifier onlyPresident() {
        require(msg.sender == president, "only the president");
        _;
    }

    modifier onlyMember() {
        require(joinedIn[msg.sender] == season, "join first");
        _;
    }

    function join() external {
        require(joinedIn[msg.sender] != season, "a member already");
        joinedIn[msg.sender] = season;
        points[msg.sender] = ALLOWANCE;
        emit Joined(msg.sender, season);
    }

    function bookBoard(uint8 count) external onlyMember {
        require(count > 0, "no hours");
        uint256 price = uint256(count) * COST;
        require(points[msg.sender] - price >= 0, "not enough points"); //~ ERROR overflow
        points[msg.sender] -= price; //~ ERROR overflow
        hoursOf[msg.sender] += count;
        emit Booked(msg.sender, count);
    }

    function post(string calldata notice) external onlyPresident {
        notices[season] = notice;
    }

    function nextSeason() external onlyPresident {
        season += 1;
    }
}
