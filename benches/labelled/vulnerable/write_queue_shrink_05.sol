pragma solidity ^0.5.0;

contract NoticeBoard {
    address public owner;
    bool public open;
    bytes32[] private notices;
    mapping(address => uint256) public pinnedBy;

    event Opened(bool value);
    event Pinned(address indexed by, uint256 index, bytes32 notice);
    event Rewritten(address indexed by, uint256 index, bytes32 notice);
    event TakenOff(address indexed by, uint256 count);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    modifier whenOpen() {
        require(open, "closed");
        _;
    }

    constructor(bytes32 firstNotice) public {
        owner = msg.sender;
        open = true;
        notices.push(firstNotice);
    }

    function pin(bytes32 notice) external whenOpen {
        notices.push(notice);
        pinnedBy[msg.sender] += 1;
        emit Pinned(msg.sender, notices.length - 1, notice);
    }

    // Takes the last ones off.
    function takeOff(uint8 count) external whenOpen {
        require(count > 0, "none");
        notices.length -= count; //~ ERROR overflow
        emit TakenOff(msg.sender, count);
    }

    function rewrite(uint256 index, bytes32 notice) external whenOpen {
        require(index < notices.length, "no such notice");
        notices[index] = notice; //~ ERROR arbitrary-write
        emit Rewritten(msg.sender, index, notice);
    }

    function noticeAt(uint256 index) external view returns (bytes32) {
        require(index < notices.length, "no such notice");
        return notices[index];
    }

    function noticeCount() external view returns (uint256) {
        return notices.length;
    }

    function setOpen(bool value) external onlyOwner {
        open = value;
        emit Opened(value);
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "no owner");
        owner = newOwner;
    }
}
