// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IPassReceiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// Passes of which each account mints two at most. A pass that is given back is paid back.
contract PassMint {
    string public constant name = "Season Pass";
    string public constant symbol = "SPASS";

    uint256 public constant PRICE = 50 gwei;
    uint256 public constant PER_ACCOUNT = 2;
    uint256 public constant SUPPLY = 1000;

    uint256 public lastId;
    mapping(uint256 => address) private owners;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public mintedBy;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed spender, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    function ownerOf(uint256 id) public view returns (address owner) {
        owner = owners[id];
        require(owner != address(0), "no such pass");
    }

    function mint() external payable returns (uint256 id) {
        require(msg.value == PRICE, "wrong price");
        require(mintedBy[msg.sender] < PER_ACCOUNT, "limit reached");
        require(lastId < SUPPLY, "sold out");
        mintedBy[msg.sender] += 1;
        lastId += 1;
        id = lastId;
        owners[id] = msg.sender;
        balanceOf[msg.sender] += 1;
        emit Transfer(address(0), msg.sender, id);
        _notify(address(0), msg.sender, id);
    }

    /// The pass is burned, and its price is paid back. It still counts for the limit.
    function giveBack(uint256 id) external {
        require(ownerOf(id) == msg.sender, "not yours");
        delete owners[id];
        delete getApproved[id];
        balanceOf[msg.sender] -= 1;
        emit Transfer(msg.sender, address(0), id);
        (bool success,) = msg.sender.call{value: PRICE}("");
        require(success, "payment refused");
    }

    function approve(address spender, uint256 id) external {
        address owner = ownerOf(id);
        require(msg.sender == owner || isApprovedForAll[owner][msg.sender], "not allowed");
        getApproved[id] = spender;
        emit Approval(owner, spender, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf(id) == from, "wrong owner");
        require(to != address(0), "no receiver");
        require(
            msg.sender == from || msg.sender == getApproved[id] || isApprovedForAll[from][msg.sender], "not allowed"
        );
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        owners[id] = to;
        emit Transfer(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        transferFrom(from, to, id);
        _notify(from, to, id);
    }

    function _notify(address from, address to, uint256 id) private {
        if (to.code.length == 0) return;
        bytes4 answer = IPassReceiver(to).onERC721Received(msg.sender, from, id, "");
        require(answer == IPassReceiver.onERC721Received.selector, "not a receiver");
    }
}
