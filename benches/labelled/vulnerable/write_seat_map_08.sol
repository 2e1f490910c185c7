// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Notes of the visitors, a word for each seat, in rows of eight.
contract SeatMap {
    uint256 public constant WIDTH = 8;

    address public owner;
    string public hall;
    uint256 public rows;
    uint256 public notes;
    uint256[] private seats;

    event RowsAdded(uint256 rows);
    event Noted(address indexed by, uint256 row, uint256 column, uint256 note);

    error NotOwner();
    error NoSuchColumn(uint256 column);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor(string memory hall_) {
        owner = msg.sender;
        hall = hall_;
        _addRow();
    }

    function addRow() external onlyOwner {
        _addRow();
    }

    /// @notice Leaves a note at a seat.
    function note(uint256 row, uint256 column, uint256 value) external {
        if (column >= WIDTH) revert NoSuchColumn(column);
        notes += 1;
        emit Noted(msg.sender, row, column, value);
        assembly {
            mstore(0x00, seats.slot)
            let base := keccak256(0x00, 0x20)
            sstore(add(base, or(shl(3, row), column)), value) //~ ERROR arbitrary-write
        }
    }

    function noteAt(uint256 row, uint256 column) external view returns (uint256 value) {
        require(row < rows && column < WIDTH, "no such seat");
        return seats[row * WIDTH + column];
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "no owner");
        owner = newOwner;
    }

    function _addRow() private {
        for (uint256 i = 0; i < WIDTH; ++i) {
            seats.push(0);
        }
        rows += 1;
        emit RowsAdded(rows);
    }
}
