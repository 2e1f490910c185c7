// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev Letters lie one after the other from a place on, and there is an end to them.
library Beach {
    struct Letter {
        bytes32 content;
    }

    uint256 internal constant PLACES = 4096;
    bytes32 private constant PLACE = keccak256("island.letters.beach");

    error BeyondTheBeach(uint256 n);

    function at(uint256 n) internal pure returns (Letter storage l) {
        if (n >= PLACES) revert BeyondTheBeach(n);
        bytes32 place = PLACE;
        assembly {
            l.slot := add(place, n)
        }
    }
}

/// @notice Letters to whoever finds them. Writers choose the place of theirs.
contract BottlePost {
    address public immutable warden;
    uint256 public fee;
    uint256 public letters;
    mapping(uint256 place => address) public writerOf;
    mapping(address writer => uint256) public lettersOf;

    event Left(uint256 indexed place, address indexed writer, bytes32 content);

    error Taken(uint256 place);

    constructor(uint256 fee_) {
        require(fee_ <= 0.01 ether, "too dear");
        warden = msg.sender;
        fee = fee_;
    }

    function leave(uint256 place, bytes32 content) external payable {
        require(msg.value >= fee, "fee");
        address writer = writerOf[place];
        if (writer == address(0)) {
            writerOf[place] = msg.sender;
            lettersOf[msg.sender] += 1;
            letters += 1;
        } else if (writer != msg.sender) {
            revert Taken(place);
        }
        Beach.at(place).content = content;
        emit Left(place, msg.sender, content);
    }

    function read(uint256 place) external view returns (bytes32) {
        require(writerOf[place] != address(0), "nothing there");
        return Beach.at(place).content;
    }

    function collect() external {
        require(msg.sender == warden, "warden only");
        payable(warden).transfer(address(this).balance);
    }
}
