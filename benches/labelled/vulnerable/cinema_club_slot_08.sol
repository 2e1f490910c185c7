// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Guests check in at the cinema, the staff hands out free tickets.
contract CinemaClub {
    address public immutable manager;

    string public program = "closed";
    mapping(address => uint256) public staffLevel;
    mapping(address => uint256) public tickets;
    mapping(uint256 => uint256) public seatsTaken;

    event CheckedIn(address indexed guest);
    event TicketsGiven(address indexed by, address indexed guest, uint256 count);
    event Admitted(address indexed guest, uint256 show);

    constructor() {
        manager = msg.sender;
        staffLevel[msg.sender] = 3;
    }

    function setProgram(string calldata text) external {
        require(msg.sender == manager, "not the manager");
        program = text;
    }

    function checkIn() external {
        require(block.timestamp >= lastVisit(msg.sender) + 12 hours, "already checked in today");
        bytes32 place = _visitPlace(msg.sender);
        assembly {
            sstore(place, timestamp()) //~ ERROR slot-collision
        }
        emit CheckedIn(msg.sender);
    }

    function lastVisit(address guest) public view returns (uint256 time) {
        bytes32 place = _visitPlace(guest);
        assembly {
            time := sload(place)
        }
    }

    function giveTickets(address guest, uint256 count) external {
        require(staffLevel[msg.sender] >= 1, "staff only");
        require(count > 0 && count <= 8, "1 to 8 tickets");
        tickets[guest] += count;
        emit TicketsGiven(msg.sender, guest, count);
    }

    function enter(uint256 show) external {
        require(tickets[msg.sender] > 0, "no ticket");
        require(seatsTaken[show] < 180, "full house");
        tickets[msg.sender] -= 1;
        seatsTaken[show] += 1;
        emit Admitted(msg.sender, show);
    }

    function _visitPlace(address guest) private pure returns (bytes32) {
        return keccak256(abi.encode(guest, uint256(1)));
    }
}
