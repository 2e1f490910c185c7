// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Beekeepers put money by during a season. At its end everybody is paid out;
/// whoever cannot wait takes their savings out before.
contract HiveSeason {
    uint256 public constant MAX_KEEPERS = 30;

    address public treasurer;
    string public district;
    uint256 public season = 1;
    bool public paused;

    address payable[] private keepers;
    mapping(address => bool) public isKeeper;
    mapping(address => uint256) public savings;
    mapping(uint256 => uint256) public paidOutIn;

    event Saved(address indexed keeper, uint256 amount);
    event TakenOut(address indexed keeper, uint256 amount);
    event Missed(address indexed keeper, uint256 amount);
    event PaidOut(uint256 indexed season, uint256 paid);
    event SeasonStarted(uint256 indexed season);

    modifier onlyTreasurer() {
        require(msg.sender == treasurer, "treasurer only");
        _;
    }

    constructor(string memory _district) public {
        treasurer = msg.sender;
        district = _district;
    }

    function setPaused(bool yes) external onlyTreasurer {
        paused = yes;
    }

    function handOver(address to) external onlyTreasurer {
        require(to != address(0), "nobody");
        treasurer = to;
    }

    function save() external payable {
        require(!paused, "paused");
        require(msg.value >= 1000, "too little");
        if (!isKeeper[msg.sender]) {
            require(keepers.length < MAX_KEEPERS, "the district is full");
            isKeeper[msg.sender] = true;
            keepers.push(msg.sender);
        }
        savings[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function takeOut() external {
        uint256 amount = savings[msg.sender];
        require(amount > 0, "nothing saved");
        savings[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit TakenOut(msg.sender, amount);
    }

    /// Pays some of the keepers, in parts so that the gas suffices for a large district.
    /// Who does not take it keeps their savings for the next season.
    function payOut(uint256 first, uint256 count) external {
        require(isKeeper[msg.sender], "keepers only");
        require(count > 0 && count <= MAX_KEEPERS, "how many");
        require(first < keepers.length && count <= keepers.length - first, "no such keepers");
        uint256 paid = 0;
        for (uint256 i = first; i < first + count; i++) {
            address payable keeper = keepers[i];
            uint256 amount = savings[keeper];
            if (amount == 0) {
                continue;
            }
            (bool ok, ) = keeper.call{value: amount}(""); //~ ERROR reentrancy
            if (ok) {
                savings[keeper] = 0;
                paid += amount;
            } else {
                emit Missed(keeper, amount);
            }
        }
        paidOutIn[season] += paid;
        emit PaidOut(season, paid);
    }

    function startSeason() external onlyTreasurer {
        season += 1;
        emit SeasonStarted(season);
    }

    function keeperCount() external view returns (uint256) {
        return keepers.length;
    }
}
