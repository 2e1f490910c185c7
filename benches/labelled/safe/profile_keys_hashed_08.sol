// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev Key value data of one space, in the manner of ERC-725Y.
library DataSpace {
    /// @dev what all keys are hashed with
    bytes32 internal constant SPACE = keccak256("portraits.data.space");

    function slotOf(bytes32 key) internal pure returns (bytes32 slot) {
        bytes32 space = SPACE;
        assembly {
            mstore(0x00, key)
            mstore(0x20, space)
            slot := keccak256(0x00, 0x40)
        }
    }

    function read(bytes32 key) internal view returns (bytes32 value) {
        bytes32 slot = slotOf(key);
        assembly {
            value := sload(slot)
        }
    }

    function write(bytes32 key, bytes32 value) internal {
        bytes32 slot = slotOf(key);
        assembly {
            sstore(slot, value)
        }
    }
}

abstract contract Curated {
    address public curator;
    uint256 public curatorSince;

    event CuratorSet(address indexed curator);

    constructor() {
        _setCurator(msg.sender);
    }

    modifier onlyCurator() {
        require(msg.sender == curator, "curator only");
        _;
    }

    function setCurator(address next) external onlyCurator {
        require(next != address(0), "nobody");
        _setCurator(next);
    }

    function _setCurator(address next) private {
        curator = next;
        curatorSince = block.timestamp;
        emit CuratorSet(next);
    }
}

/// @title Portraits: everyone may write keys, who wrote a key first is its author
contract Portraits is Curated {
    uint256 public constant MAX_BATCH = 8;

    mapping(bytes32 => address) public authorOf;
    mapping(address => uint256) public keysOf;
    mapping(address => bool) public banned;

    event DataChanged(bytes32 indexed key, address indexed author, bytes32 value);
    event AuthorChanged(bytes32 indexed key, address indexed from, address indexed to);
    event Banned(address indexed account, bool banned);

    error NotAuthor(bytes32 key);
    error BadBatch();

    function getData(bytes32 key) external view returns (bytes32) {
        return DataSpace.read(key);
    }

    function setData(bytes32 key, bytes32 value) external {
        _set(key, value);
    }

    function setDataBatch(bytes32[] calldata keys, bytes32[] calldata values) external {
        if (keys.length != values.length || keys.length > MAX_BATCH) revert BadBatch();
        for (uint256 i = 0; i < keys.length; i++) {
            _set(keys[i], values[i]);
        }
    }

    function passOn(bytes32 key, address to) external {
        if (authorOf[key] != msg.sender || to == address(0)) revert NotAuthor(key);
        authorOf[key] = to;
        keysOf[msg.sender]--;
        keysOf[to]++;
        emit AuthorChanged(key, msg.sender, to);
    }

    function ban(address account, bool value) external onlyCurator {
        banned[account] = value;
        emit Banned(account, value);
    }

    function _set(bytes32 key, bytes32 value) private {
        require(!banned[msg.sender], "banned");
        address author = authorOf[key];
        if (author == address(0)) {
            authorOf[key] = msg.sender;
            keysOf[msg.sender]++;
        } else if (author != msg.sender) {
            revert NotAuthor(key);
        }
        emit DataChanged(key, msg.sender, value);
        DataSpace.write(key, value);
    }
}
