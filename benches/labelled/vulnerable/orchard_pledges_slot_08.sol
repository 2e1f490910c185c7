// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Picking days in a shared orchard
/// @notice Helpers pledge crates for the next picking day. The steward sets the
/// day and closes the list.
/// @dev Settings live in named slots, so that modules can be added later.
contract OrchardPledges {
    bytes32 private constant STEWARD_POSITION = keccak256("orchard.pledges.settings");
    bytes32 private constant BOARD_POSITION = keccak256("orchard.pledges.settings");

    mapping(address => uint256) public pledged;
    uint256 public pickingDay;
    bool public closed;

    event Pledged(address indexed helper, uint256 crates);
    event Shown(address indexed helper, uint256 crates);
    event DaySet(uint256 day);
    event Closed();

    modifier onlySteward() {
        require(msg.sender == steward(), "only the steward");
        _;
    }

    constructor() {
        bytes32 position = STEWARD_POSITION;
        assembly {
            sstore(position, caller())
        }
    }

    function steward() public view returns (address account) {
        bytes32 position = STEWARD_POSITION;
        assembly {
            account := sload(position)
        }
    }

    function pledge(uint256 crates) external {
        require(!closed, "the list is closed");
        require(crates > 0, "no crates");
        pledged[msg.sender] = crates;
        emit Pledged(msg.sender, crates);
    }

    /// @notice Writes the pledge of the sender on the board at the gate.
    function showOnBoard() external {
        uint256 crates = pledged[msg.sender];
        require(crates > 0, "no pledge");
        require(crates <= type(uint160).max, "nobody can carry that");
        bytes32 position = BOARD_POSITION;
        assembly {
            sstore(position, crates) //~ ERROR slot-collision
        }
        emit Shown(msg.sender, crates);
    }

    function setDay(uint256 day) external onlySteward {
        require(day > 0 && day <= 366, "no such day");
        pickingDay = day;
        emit DaySet(day);
    }

    function close() external onlySteward {
        closed = true;
        emit Closed();
    }
}
