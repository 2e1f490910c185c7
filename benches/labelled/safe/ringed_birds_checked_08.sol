// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// Keeps for all stations which bird was weighed when.
contract BirdRegister {
    struct Bird {
        uint256 weighings;
        uint256 lastAt;
        uint256 grams;
        address lastStation;
    }

    uint256 public constant PAUSE = 7 days;
    uint256 public constant HEAVIEST = 500;

    mapping(bytes32 => Bird) public birds;

    event Weighed(bytes32 indexed ring, address indexed station, uint256 grams);

    error TooHeavy(uint256 grams);
    error TooSoon(uint256 until);

    function record(bytes32 ring, uint256 grams) external {
        Bird storage b = birds[ring];
        if (grams > HEAVIEST) revert TooHeavy(grams);
        if (b.lastAt != 0 && block.timestamp < b.lastAt + PAUSE) revert TooSoon(b.lastAt + PAUSE);
        b.weighings += 1;
        b.lastAt = block.timestamp;
        b.grams = grams;
        b.lastStation = msg.sender;
        emit Weighed(ring, msg.sender, grams);
    }
}

contract RingingStation {
    address public immutable register;
    address public immutable ringer;

    uint256 public recorded;
    uint256 public refused;
    mapping(address => uint256) public helped;

    event Recorded(bytes32 indexed ring, uint256 grams);
    event Refused(bytes32 indexed ring, bytes why);

    constructor(address register_) {
        require(register_ != address(0), "no register");
        register = register_;
        ringer = msg.sender;
    }

    /// What the register refuses is counted as refused.
    function weigh(bytes32 ring, uint256 grams) external {
        require(grams >= 5 && grams <= 1000, "grams");
        (bool ok, bytes memory why) = register.call(
            abi.encodeWithSignature("record(bytes32,uint256)", ring, grams)
        );
        if (!ok) {
            refused += 1;
            emit Refused(ring, why);
            return;
        }
        recorded += 1;
        helped[msg.sender] += 1;
        emit Recorded(ring, grams);
    }

    function resetCounters() external {
        require(msg.sender == ringer, "ringer only");
        recorded = 0;
        refused = 0;
    }
}
