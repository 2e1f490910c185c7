// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Letters on chain. A letter is written word by word behind a hash of its number,
/// which takes less gas than an array of its own.
contract LetterArchive {
    struct Letter {
        address author;
        uint64 written;
        bool closed;
        uint256 size;
    }

    address public archivist;
    uint256 public postage;
    Letter[] private letters;
    mapping(address => uint256) public lettersOf;

    event Begun(uint256 indexed id, address indexed author, uint256 size);
    event Written(uint256 indexed id, uint256 at);
    event Closed(uint256 indexed id);

    modifier onlyArchivist() {
        require(msg.sender == archivist, "archivist only");
        _;
    }

    constructor(uint256 _postage) {
        require(_postage <= 1 ether, "postage out of range");
        archivist = msg.sender;
        postage = _postage;
    }

    function setPostage(uint256 _postage) external onlyArchivist {
        require(_postage <= 1 ether, "postage out of range");
        postage = _postage;
    }

    function begin(uint256 size) external payable returns (uint256 id) {
        require(msg.value == postage, "not the postage");
        require(size > 0, "an empty letter");
        id = letters.length;
        letters.push(Letter(msg.sender, 0, false, size));
        lettersOf[msg.sender] += 1;
        emit Begun(id, msg.sender, size);
    }

    function write(uint256 id, uint256 at, bytes32 word) external {
        require(id < letters.length, "no such letter");
        Letter storage letter = letters[id];
        require(letter.author == msg.sender, "not your letter");
        require(!letter.closed, "closed");
        require(at < letter.size, "past the end");
        letter.written += 1;
        bytes32 start = keccak256(abi.encode("letter", id));
        assembly {
            sstore(add(start, at), word) //~ ERROR arbitrary-write
        }
        emit Written(id, at);
    }

    function close(uint256 id) external {
        require(id < letters.length, "no such letter");
        require(letters[id].author == msg.sender, "not your letter");
        letters[id].closed = true;
        emit Closed(id);
    }

    function read(uint256 id, uint256 at) external view returns (bytes32 word) {
        require(id < letters.length && at < letters[id].size, "nothing there");
        bytes32 start = keccak256(abi.encode("letter", id));
        assembly {
            word := sload(add(start, at))
        }
    }

    function collect(address payable to) external onlyArchivist {
        to.transfer(address(this).balance);
    }
}
