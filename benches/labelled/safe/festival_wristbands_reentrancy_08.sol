// Sound: the limit of an account and the ids are counted before any receiver hook runs, and the change goes out last, so a call back meets a quota that is used already.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// @title Wristbands of a festival, four for each account
contract FestivalWristbands {
    string public constant name = "Festival Wristband";
    string public constant symbol = "BAND";
    uint256 public constant PRICE = 10 gwei;
    uint256 public constant PER_ACCOUNT = 4;

    address public immutable organiser;
    uint256 public immutable capacity;
    uint256 public sold;
    uint256 public takings;

    mapping(uint256 => address) private owners;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public bought;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed approved, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor(uint16 places) {
        organiser = msg.sender;
        capacity = uint256(places) + 20;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function ownerOf(uint256 id) public view returns (address owner) {
        owner = owners[id];
        require(owner != address(0), "no such band");
    }

    function buy(uint256 count) external payable {
        require(count > 0 && bought[msg.sender] + count <= PER_ACCOUNT, "four at most");
        require(sold + count <= capacity, "sold out");
        uint256 price = count * PRICE;
        require(msg.value >= price, "too little");

        uint256 first = sold + 1;
        sold += count;
        bought[msg.sender] += count;
        takings += price;
        balanceOf[msg.sender] += count;
        for (uint256 i = 0; i < count; i++) {
            owners[first + i] = msg.sender;
            emit Transfer(address(0), msg.sender, first + i);
        }
        for (uint256 i = 0; i < count; i++) {
            _askReceiver(msg.sender, address(0), msg.sender, first + i, "");
        }
        if (msg.value > price) {
            (bool ok,) = msg.sender.call{value: msg.value - price}("");
            require(ok, "change not accepted");
        }
    }

    function approve(address to, uint256 id) external {
        address owner = ownerOf(id);
        require(msg.sender == owner || isApprovedForAll[owner][msg.sender], "not allowed");
        getApproved[id] = to;
        emit Approval(owner, to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf(id) == from, "not theirs");
        require(to != address(0), "recipient");
        require(
            msg.sender == from || getApproved[id] == msg.sender || isApprovedForAll[from][msg.sender],
            "not allowed"
        );
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        owners[id] = to;
        emit Transfer(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        safeTransferFrom(from, to, id, "");
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes memory data) public {
        transferFrom(from, to, id);
        _askReceiver(msg.sender, from, to, id, data);
    }

    function withdraw() external {
        require(msg.sender == organiser, "not the organiser");
        uint256 amount = takings;
        takings = 0;
        (bool ok,) = organiser.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _askReceiver(address operator, address from, address to, uint256 id, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IERC721Receiver(to).onERC721Received(operator, from, id, data);
        require(answer == IERC721Receiver.onERC721Received.selector, "not a receiver");
    }
}
