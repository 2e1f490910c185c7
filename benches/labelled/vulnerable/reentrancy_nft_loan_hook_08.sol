// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

/// @notice Bars that are minted for ether and can be melted for it again.
contract GoldBar {
    uint256 public constant PRICE = 0.01 ether;

    uint256 public nextId = 1;
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => address) public approved;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    function mint() external payable returns (uint256 id) {
        require(msg.value == PRICE, "price");
        id = nextId++;
        ownerOf[id] = msg.sender;
        emit Transfer(address(0), msg.sender, id);
    }

    function melt(uint256 id) external {
        require(ownerOf[id] == msg.sender, "not the owner");
        delete ownerOf[id];
        delete approved[id];
        emit Transfer(msg.sender, address(0), id);
        payable(msg.sender).transfer(PRICE);
    }

    function approve(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not the owner");
        approved[id] = to;
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && to != address(0), "not the owner");
        require(msg.sender == from || msg.sender == approved[id], "not approved");
        delete approved[id];
        ownerOf[id] = to;
        emit Transfer(from, to, id);
        if (to.code.length > 0) {
            bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, from, id, ""); //~ ERROR reentrancy
            require(answer == IERC721Receiver.onERC721Received.selector, "refused");
        }
    }
}

/// @notice One loan at a time for whoever has a bar here.
contract BarLoans is IERC721Receiver {
    uint256 public constant LOAN = 0.005 ether;

    GoldBar public immutable gold;
    mapping(uint256 => address) public depositorOf;
    mapping(address => uint256) public barsOf;
    mapping(address => uint256) public debtOf;
    mapping(address => uint256) public lentBy;

    event Deposited(address indexed who, uint256 id);
    event Borrowed(address indexed who, uint256 amount);
    event Returned(address indexed who, uint256 id);

    constructor(GoldBar gold_) {
        gold = gold_;
    }

    function lend() external payable {
        lentBy[msg.sender] += msg.value;
    }

    function unlend(uint256 amount) external {
        lentBy[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function onERC721Received(address, address from, uint256 id, bytes calldata) external returns (bytes4) {
        require(msg.sender == address(gold), "bars only");
        depositorOf[id] = from;
        barsOf[from] += 1;
        emit Deposited(from, id);
        return IERC721Receiver.onERC721Received.selector;
    }

    function borrow() external {
        require(barsOf[msg.sender] > 0, "no collateral");
        require(debtOf[msg.sender] == 0, "one loan only");
        debtOf[msg.sender] = LOAN;
        emit Borrowed(msg.sender, LOAN);
        (bool ok, ) = msg.sender.call{value: LOAN}("");
        require(ok, "payment failed");
    }

    function repay() external payable {
        require(msg.value > 0 && msg.value == debtOf[msg.sender], "the whole debt");
        debtOf[msg.sender] = 0;
    }

    function takeBack(uint256 id) external {
        require(depositorOf[id] == msg.sender, "not yours");
        require(debtOf[msg.sender] == 0, "debt");
        delete depositorOf[id];
        gold.safeTransferFrom(address(this), msg.sender, id);
        barsOf[msg.sender] -= 1;
        emit Returned(msg.sender, id);
    }
}
