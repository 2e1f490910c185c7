// By design: safeMint and safeTransferFrom call the receiver after the books are complete.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

contract Drop721 {
    string public constant name = "Drop";
    string public constant symbol = "DROP";
    uint256 public constant PRICE = 0.05 ether;
    uint256 public constant SUPPLY = 1000;
    uint256 public constant PER_WALLET = 4;

    address public immutable owner;
    uint256 public totalSupply;
    mapping(uint256 => address) private _ownerOf;
    mapping(address => uint256) private _balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(address => uint256) public mintedBy;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed spender, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor() {
        owner = msg.sender;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function ownerOf(uint256 id) public view returns (address o) {
        require((o = _ownerOf[id]) != address(0), "not minted");
    }

    function balanceOf(address who) external view returns (uint256) {
        require(who != address(0), "zero");
        return _balanceOf[who];
    }

    function mint(uint256 count) external payable {
        require(count > 0 && mintedBy[msg.sender] + count <= PER_WALLET, "wallet limit");
        require(totalSupply + count <= SUPPLY, "sold out");
        require(msg.value == PRICE * count, "price");
        mintedBy[msg.sender] += count;
        uint256 first = totalSupply + 1;
        totalSupply += count;
        unchecked {
            _balanceOf[msg.sender] += count;
        }
        for (uint256 i; i < count; ++i) {
            _ownerOf[first + i] = msg.sender;
            emit Transfer(address(0), msg.sender, first + i);
        }
        for (uint256 i; i < count; ++i) {
            _check(address(0), msg.sender, first + i, "");
        }
    }

    function approve(address spender, uint256 id) external {
        address o = ownerOf(id);
        require(msg.sender == o || isApprovedForAll[o][msg.sender], "not authorized");
        getApproved[id] = spender;
        emit Approval(o, spender, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(from == ownerOf(id), "wrong from");
        require(to != address(0), "zero");
        require(
            msg.sender == from || isApprovedForAll[from][msg.sender] || msg.sender == getApproved[id],
            "not authorized"
        );
        delete getApproved[id];
        unchecked {
            // from has at least this one; there are never more than SUPPLY
            _balanceOf[from]--;
            _balanceOf[to]++;
        }
        _ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        transferFrom(from, to, id);
        _check(from, to, id, "");
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes calldata data) external {
        transferFrom(from, to, id);
        _check(from, to, id, data);
    }

    function withdraw() external {
        require(msg.sender == owner, "owner only");
        (bool ok,) = owner.call{value: address(this).balance}("");
        require(ok, "payment failed");
    }

    function _check(address from, address to, uint256 id, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, from, id, data);
        require(answer == IERC721Receiver.onERC721Received.selector, "unsafe recipient");
    }
}
