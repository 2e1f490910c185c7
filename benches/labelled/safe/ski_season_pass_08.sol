// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IPassHolder {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// One season pass for each skier, as a token that can be handed on.
contract SkiSeasonPass {
    string public constant name = "Season Pass";
    string public constant symbol = "SKI";
    uint256 public constant MAX_PASSES = 2000;
    uint256 public constant PRICE = 0.03 ether;

    address payable public immutable lifts;
    uint256 public issued;

    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => bool) public hasBought;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed approved, uint256 indexed id);

    constructor() {
        lifts = payable(msg.sender);
    }

    function buy() external payable returns (uint256 id) {
        require(msg.value == PRICE, "wrong price");
        require(!hasBought[msg.sender], "one pass each");
        require(issued < MAX_PASSES, "sold out");
        hasBought[msg.sender] = true;
        id = ++issued;
        balanceOf[msg.sender] += 1;
        ownerOf[id] = msg.sender;
        emit Transfer(address(0), msg.sender, id);
        _tell(address(0), msg.sender, id);
    }

    function approve(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not your pass");
        getApproved[id] = to;
        emit Approval(msg.sender, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from, "wrong owner");
        require(msg.sender == from || msg.sender == getApproved[id], "not allowed");
        require(to != address(0), "no receiver");
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
        _tell(from, to, id);
    }

    function takings() external {
        require(msg.sender == lifts, "not the lift company");
        lifts.transfer(address(this).balance);
    }

    function _tell(address from, address to, uint256 id) private {
        if (to.code.length > 0) {
            bytes4 answer = IPassHolder(to).onERC721Received(msg.sender, from, id, "");
            require(answer == IPassHolder.onERC721Received.selector, "refused");
        }
    }
}
