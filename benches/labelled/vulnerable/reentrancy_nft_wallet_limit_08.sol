// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: a contract calls mint(2); in onERC721Received it calls mint(2) again before mintedBy is raised and so owns more than MAX_PER_WALLET.
interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

contract LimitedDrop {
    uint256 public constant MAX_PER_WALLET = 2;
    uint256 public constant MAX_SUPPLY = 50;
    uint256 public constant PRICE = 0.01 ether;

    address public immutable artist;
    uint256 public nextId;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public mintedBy;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    constructor() {
        artist = msg.sender;
    }

    function mint(uint256 quantity) external payable {
        require(quantity > 0 && mintedBy[msg.sender] + quantity <= MAX_PER_WALLET, "wallet limit");
        require(nextId + quantity <= MAX_SUPPLY, "sold out");
        require(msg.value == quantity * PRICE, "wrong price");
        for (uint256 i = 0; i < quantity; i++) {
            _safeMint(msg.sender);
        }
        mintedBy[msg.sender] += quantity;
    }

    function transfer(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not owner");
        require(to != address(0), "zero");
        ownerOf[id] = to;
        balanceOf[msg.sender] -= 1;
        balanceOf[to] += 1;
        emit Transfer(msg.sender, to, id);
    }

    function collect() external {
        require(msg.sender == artist, "artist only");
        payable(artist).transfer(address(this).balance);
    }

    function _safeMint(address to) internal {
        uint256 id = nextId++;
        ownerOf[id] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, id);
        if (to.code.length > 0) {
            bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, address(0), id, ""); //~ ERROR reentrancy
            require(answer == IERC721Receiver.onERC721Received.selector, "bad receiver");
        }
    }
}
