pragma solidity ^0.5.0;

contract PublicDiary {
    struct Entry {
        address author;
        uint64 writtenAt;
        bytes32 text;
    }

    address public owner;
    bool public open;
    Entry[] private entries;
    uint256[8] private counters;
    mapping(address => uint256) public writtenBy;

    event Written(address indexed author, uint256 index, bytes32 text);
    event Changed(address indexed author, uint256 index, bytes32 text);
    event Removed(address indexed author, uint256 index);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    modifier whenOpen() {
        require(open, "closed");
        _;
    }

    constructor(bytes32 motto) public {
        owner = msg.sender;
        open = true;
        entries.push(Entry(msg.sender, uint64(now), motto));
        writtenBy[msg.sender] = 1;
    }

    function write(bytes32 text) external whenOpen {
        entries.push(Entry(msg.sender, uint64(now), text));
        writtenBy[msg.sender] += 1;
        emit Written(msg.sender, entries.length - 1, text);
    }

    // Takes off the last entry, if the sender wrote it.
    function removeLast() external whenOpen {
        require(entries.length > 0, "empty");
        uint256 last = entries.length - 1;
        require(entries[last].author == msg.sender, "not yours");
        delete entries[last];
        entries.length--;
        writtenBy[msg.sender] -= 1;
        emit Removed(msg.sender, last);
    }

    function change(uint256 index, bytes32 text) external whenOpen {
        require(index < entries.length, "no such entry");
        require(entries[index].author == msg.sender, "not yours");
        entries[index].text = text;
        entries[index].writtenAt = uint64(now);
        emit Changed(msg.sender, index, text);
    }

    function count(uint256 which) external whenOpen {
        require(which < 8, "no such counter");
        assembly {
            let slot := add(counters_slot, which)
            sstore(slot, add(sload(slot), 1))
        }
    }

    function counter(uint256 which) external view returns (uint256) {
        require(which < 8, "no such counter");
        return counters[which];
    }

    function entry(uint256 index) external view returns (address, uint64, bytes32) {
        require(index < entries.length, "no such entry");
        Entry storage e = entries[index];
        return (e.author, e.writtenAt, e.text);
    }

    function truncate(uint256 length) external onlyOwner {
        require(length < entries.length, "not shorter");
        for (uint256 i = length; i < entries.length; i++) {
            writtenBy[entries[i].author] -= 1;
        }
        entries.length = length;
    }

    function setOpen(bool value) external onlyOwner {
        open = value;
    }
}
