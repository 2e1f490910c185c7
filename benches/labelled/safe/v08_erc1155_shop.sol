// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC1155Receiver {
    function onERC1155Received(address op, address from, uint256 id, uint256 amount, bytes calldata data)
        external
        returns (bytes4);
    function onERC1155BatchReceived(
        address op,
        address from,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external returns (bytes4);
}

contract Shop1155 {
    address public immutable owner;
    mapping(uint256 => mapping(address => uint256)) private _balances;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(uint256 => uint256) public priceOf;
    mapping(uint256 => uint256) public stockOf;

    event TransferSingle(address indexed op, address indexed from, address indexed to, uint256 id, uint256 amount);
    event TransferBatch(address indexed op, address indexed from, address indexed to, uint256[] ids, uint256[] amounts);
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() {
        owner = msg.sender;
        priceOf[1] = 0.01 ether;
        stockOf[1] = 1000;
    }

    function offer(uint256 id, uint256 price, uint256 stock) external onlyOwner {
        require(price > 0 && price <= 1000 ether && stock <= 1e9, "offer");
        priceOf[id] = price;
        stockOf[id] = stock;
    }

    function buy(uint256 id, uint256 amount) external payable {
        require(amount > 0 && amount <= stockOf[id], "stock");
        require(msg.value == priceOf[id] * amount, "price");
        stockOf[id] -= amount;
        _balances[id][msg.sender] += amount;
        emit TransferSingle(msg.sender, address(0), msg.sender, id, amount);
        _checkOne(msg.sender, address(0), msg.sender, id, amount, "");
    }

    function balanceOf(address who, uint256 id) external view returns (uint256) {
        return _balances[id][who];
    }

    function balanceOfBatch(address[] calldata who, uint256[] calldata ids) external view returns (uint256[] memory out) {
        require(who.length == ids.length, "length");
        out = new uint256[](who.length);
        for (uint256 i; i < who.length; ++i) {
            out[i] = _balances[ids[i]][who[i]];
        }
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data) external {
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "not authorized");
        require(to != address(0), "zero");
        _balances[id][from] -= amount;
        _balances[id][to] += amount;
        emit TransferSingle(msg.sender, from, to, id, amount);
        _checkOne(msg.sender, from, to, id, amount, data);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external {
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "not authorized");
        require(to != address(0), "zero");
        require(ids.length == amounts.length, "length");
        for (uint256 i; i < ids.length; ++i) {
            _balances[ids[i]][from] -= amounts[i];
            _balances[ids[i]][to] += amounts[i];
        }
        emit TransferBatch(msg.sender, from, to, ids, amounts);
        if (to.code.length > 0) {
            bytes4 answer = IERC1155Receiver(to).onERC1155BatchReceived(msg.sender, from, ids, amounts, data);
            require(answer == IERC1155Receiver.onERC1155BatchReceived.selector, "unsafe recipient");
        }
    }

    function collect() external onlyOwner {
        (bool ok,) = owner.call{value: address(this).balance}("");
        require(ok, "payment failed");
    }

    function _checkOne(address op, address from, address to, uint256 id, uint256 amount, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IERC1155Receiver(to).onERC1155Received(op, from, id, amount, data);
        require(answer == IERC1155Receiver.onERC1155Received.selector, "unsafe recipient");
    }
}
