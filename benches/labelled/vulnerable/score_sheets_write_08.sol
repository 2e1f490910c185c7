// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev Keeps each sheet in a slot of its own, so that the archive can grow
/// without a counter. Keys are hashes that the front end computes.
library SheetStore {
    struct Sheet {
        bytes32 digest;
    }

    function at(bytes32 key) internal pure returns (Sheet storage sheet) {
        assembly {
            sheet.slot := key
        }
    }
}

/// @title Score sheets of a chess league
/// @notice Players file the digest of a game. The arbiter names the champion.
contract ScoreSheets {
    address public arbiter;
    address public champion;
    uint256 public season;
    mapping(address => uint256) public filedBy;

    event Filed(address indexed player, bytes32 indexed key, bytes32 digest);
    event Crowned(address indexed player, uint256 season);

    modifier onlyArbiter() {
        require(msg.sender == arbiter, "only the arbiter");
        _;
    }

    constructor() {
        arbiter = msg.sender;
        season = 1;
    }

    function file(bytes32 key, bytes32 digest) external {
        require(digest != bytes32(0), "empty sheet");
        require(filedBy[msg.sender] < 1000, "enough for one life");
        filedBy[msg.sender] += 1;
        SheetStore.Sheet storage sheet = SheetStore.at(key);
        sheet.digest = digest; //~ ERROR arbitrary-write
        emit Filed(msg.sender, key, digest);
    }

    function digestOf(bytes32 key) external view returns (bytes32) {
        return SheetStore.at(key).digest;
    }

    /// @notice What the front end passes to `file`.
    function keyOf(address white, address black, uint256 round) external view returns (bytes32) {
        return keccak256(abi.encode("score sheet", season, white, black, round));
    }

    function crown(address player) external onlyArbiter {
        require(filedBy[player] > 0, "never played");
        champion = player;
        season += 1;
        emit Crowned(player, season);
    }
}
