// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Counts what the teams got. It refuses sums that are too small to be worth a line.
contract SplitJournal {
    uint256 public constant LEAST = 1000;

    address public splitter;
    mapping(uint256 => uint256) public totalOf;

    constructor() public {
        splitter = msg.sender;
    }

    function note(uint256 team, uint256 amount) external {
        require(msg.sender == splitter, "not the splitter");
        require(amount >= LEAST, "too small");
        require(totalOf[team] + amount >= amount, "total overflow");
        totalOf[team] += amount;
    }
}

/// Splits payments among the members of a team. A share that cannot be sent waits for its owner.
contract TeamSplitter {
    struct Team {
        address payable[] members;
        uint256 skippedNotes;
    }

    uint256 public constant MAX_MEMBERS = 8;

    SplitJournal public journal;
    uint256 public teamCount;
    mapping(uint256 => Team) private teams;
    mapping(address => uint256) public waiting;

    event Founded(uint256 indexed team, uint256 members);
    event Split(uint256 indexed team, uint256 amount);
    event Waiting(address indexed member, uint256 amount);

    constructor() public {
        journal = new SplitJournal();
    }

    function found(address payable[] calldata members) external returns (uint256 id) {
        require(members.length > 0 && members.length <= MAX_MEMBERS, "bad number of members");
        id = teamCount;
        teamCount = id + 1;
        for (uint256 i = 0; i < members.length; i++) {
            require(members[i] != address(0), "no member");
            teams[id].members.push(members[i]);
        }
        emit Founded(id, members.length);
    }

    function membersOf(uint256 id) external view returns (address payable[] memory) {
        return teams[id].members;
    }

    function skippedNotesOf(uint256 id) external view returns (uint256) {
        return teams[id].skippedNotes;
    }

    function pay(uint256 id) external payable {
        require(id < teamCount, "no such team");
        require(msg.value > 0, "nothing sent");
        Team storage team = teams[id];
        uint256 count = team.members.length;
        uint256 share = msg.value / count;
        _give(team.members[0], msg.value - share * (count - 1));
        for (uint256 i = 1; i < count; i++) {
            _give(team.members[i], share);
        }
        (bool noted,) = address(journal).call(abi.encodeWithSelector(journal.note.selector, id, msg.value));
        if (!noted) {
            team.skippedNotes += 1;
        }
        emit Split(id, msg.value);
    }

    function fetch() external {
        uint256 amount = waiting[msg.sender];
        require(amount > 0, "nothing waiting");
        waiting[msg.sender] = 0;
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }

    function _give(address payable member, uint256 amount) private {
        if (amount == 0) {
            return;
        }
        if (!member.send(amount)) {
            waiting[member] += amount;
            emit Waiting(member, amount);
        }
    }
}
