// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice A word for each position: amount (128 bits), opened at (64), weeks (32), flags (32).
library PackedPosition {
    uint256 private constant AMOUNT_MASK = (1 << 128) - 1;
    uint256 private constant LOCKED = 1 << 224;

    function pack(uint256 amount_, uint256 openedAt_, uint256 weeks_) internal pure returns (uint256 word) {
        require(amount_ <= type(uint128).max, "amount");
        require(openedAt_ <= type(uint64).max && weeks_ <= type(uint32).max, "time");
        assembly {
            word := or(amount_, or(shl(128, openedAt_), shl(192, weeks_)))
        }
    }

    function amount(uint256 word) internal pure returns (uint256) {
        return word & AMOUNT_MASK;
    }

    function openedAt(uint256 word) internal pure returns (uint64) {
        return uint64(word >> 128);
    }

    function term(uint256 word) internal pure returns (uint32) {
        return uint32(word >> 192);
    }

    function isLocked(uint256 word) internal pure returns (bool) {
        return word & LOCKED != 0;
    }

    function setLocked(uint256 word, bool value) internal pure returns (uint256) {
        return value ? word | LOCKED : word & ~LOCKED;
    }

    function withAmount(uint256 word, uint256 amount_) internal pure returns (uint256) {
        require(amount_ <= type(uint128).max, "amount");
        return (word & ~AMOUNT_MASK) | amount_;
    }
}

contract TermDeposits {
    using PackedPosition for uint256;

    address public immutable supervisor;
    uint256 public totalHeld;
    mapping(address => mapping(uint256 => uint256)) private _positions;
    mapping(address => uint256) public positionCount;

    event Opened(address indexed who, uint256 indexed id, uint256 amount, uint256 term);
    event ToppedUp(address indexed who, uint256 indexed id, uint256 amount);
    event Closed(address indexed who, uint256 indexed id, uint256 amount);

    error NoPosition();
    error NotDue(uint256 dueAt);
    error Locked();

    constructor(address supervisor_) {
        supervisor = supervisor_;
    }

    function open(uint16 term) external payable returns (uint256 id) {
        require(msg.value > 0 && term <= 520, "terms");
        id = ++positionCount[msg.sender];
        _positions[msg.sender][id] = PackedPosition.pack(msg.value, block.timestamp, term);
        totalHeld += msg.value;
        emit Opened(msg.sender, id, msg.value, term);
    }

    function topUp(uint256 id) external payable {
        uint256 word = _positions[msg.sender][id];
        if (word == 0) revert NoPosition();
        _positions[msg.sender][id] = word.withAmount(word.amount() + msg.value);
        totalHeld += msg.value;
        emit ToppedUp(msg.sender, id, msg.value);
    }

    function close(uint256 id) external {
        uint256 word = _positions[msg.sender][id];
        if (word == 0) revert NoPosition();
        if (word.isLocked()) revert Locked();
        uint256 dueAt = uint256(word.openedAt()) + uint256(word.term()) * 1 weeks;
        if (block.timestamp < dueAt) revert NotDue(dueAt);
        uint256 amount = word.amount();
        delete _positions[msg.sender][id];
        totalHeld -= amount;
        emit Closed(msg.sender, id, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function setLocked(address who, uint256 id, bool value) external {
        require(msg.sender == supervisor, "supervisor only");
        uint256 word = _positions[who][id];
        if (word == 0) revert NoPosition();
        _positions[who][id] = word.setLocked(value);
    }

    function positionOf(address who, uint256 id) external view returns (uint256, uint64, uint32, bool) {
        uint256 word = _positions[who][id];
        return (word.amount(), word.openedAt(), word.term(), word.isLocked());
    }
}
