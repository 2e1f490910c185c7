// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev Capsules lie one after the other from a place on.
library Ground {
    struct Capsule {
        bytes32 content;
    }

    bytes32 private constant PLACE = keccak256("town.capsules.ground");

    function at(uint256 n) internal pure returns (Capsule storage c) {
        bytes32 place = PLACE;
        assembly {
            c.slot := add(place, n)
        }
    }
}

abstract contract Parish {
    address public sexton;

    constructor() {
        sexton = msg.sender;
    }

    modifier onlySexton() {
        require(msg.sender == sexton, "sexton only");
        _;
    }

    function succeed(address next) external onlySexton {
        require(next != address(0), "nobody");
        sexton = next;
    }
}

/// @notice Words for those who come later. Families choose the number of their capsule.
contract TimeCapsules is Parish {
    uint256 public fee;
    uint256 public buried;
    mapping(uint256 number => address) public familyOf;
    mapping(address family => uint256) public capsulesOf;

    event Buried(uint256 indexed number, address indexed family, bytes32 content);
    event FeeSet(uint256 fee);

    error Taken(uint256 number);

    constructor(uint256 fee_) {
        require(fee_ <= 0.01 ether, "too dear");
        fee = fee_;
    }

    /// @notice A family may change what is in its capsule.
    function bury(uint256 number, bytes32 content) external payable {
        require(msg.value >= fee, "fee");
        address family = familyOf[number];
        if (family == address(0)) {
            familyOf[number] = msg.sender;
            capsulesOf[msg.sender] += 1;
            buried += 1;
        } else if (family != msg.sender) {
            revert Taken(number);
        }
        Ground.at(number).content = content; //~ ERROR arbitrary-write
        emit Buried(number, msg.sender, content);
    }

    function digUp(uint256 number) external view returns (bytes32) {
        require(familyOf[number] != address(0), "nothing there");
        return Ground.at(number).content;
    }

    function setFee(uint256 fee_) external onlySexton {
        require(fee_ <= 0.01 ether, "too dear");
        fee = fee_;
        emit FeeSet(fee_);
    }

    function collect() external onlySexton {
        payable(sexton).transfer(address(this).balance);
    }
}
