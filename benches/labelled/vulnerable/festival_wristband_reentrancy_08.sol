// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// A free collectible for the visitors of a festival, one for each of them.
contract FestivalWristband {
    string public constant name = "Festival Wristband";
    string public constant symbol = "WRIST";
    uint256 public constant MAX_SUPPLY = 5000;

    address public immutable organizer;
    bool public gatesOpen = true;
    uint256 public issued;

    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => bool) public hasClaimed;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed approved, uint256 indexed id);

    constructor() {
        organizer = msg.sender;
    }

    function setGates(bool open) external {
        require(msg.sender == organizer, "not the organizer");
        gatesOpen = open;
    }

    function claim() external returns (uint256 id) {
        require(gatesOpen, "gates are closed");
        require(!hasClaimed[msg.sender], "one per visitor");
        require(issued < MAX_SUPPLY, "sold out");
        id = ++issued;
        _safeMint(msg.sender, id);
        hasClaimed[msg.sender] = true;
    }

    function approve(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        getApproved[id] = to;
        emit Approval(msg.sender, to, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from, "wrong owner");
        require(msg.sender == from || msg.sender == getApproved[id], "not allowed");
        require(to != address(0), "no receiver");
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function _safeMint(address to, uint256 id) private {
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
        if (to.code.length > 0) {
            bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, address(0), id, ""); //~ ERROR reentrancy
            require(answer == IERC721Receiver.onERC721Received.selector, "refused by receiver");
        }
    }
}
