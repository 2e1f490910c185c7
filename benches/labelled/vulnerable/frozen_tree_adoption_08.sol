// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

abstract contract Forestry {
    address public forester;
    mapping(address => bool) public isRanger;

    event RangerSet(address indexed ranger, bool yes);

    constructor() {
        forester = msg.sender;
    }

    modifier onlyForester() {
        require(msg.sender == forester, "forester only");
        _;
    }

    modifier onlyRanger() {
        require(isRanger[msg.sender] || msg.sender == forester, "rangers only");
        _;
    }

    function setRanger(address ranger, bool yes) external onlyForester {
        isRanger[ranger] = yes;
        emit RangerSet(ranger, yes);
    }
}

/// @notice Trees along the river are adopted for a year. Rangers are paid for their care.
contract TreeAdoptions is Forestry { //~ ERROR frozen-ether
    struct Tree {
        bytes32 kind;
        address patron;
        uint64 until;
        uint32 visits;
    }

    uint256 public constant YEAR = 365 days;

    uint256 public fee;
    uint256 public purse;
    Tree[] public trees;
    mapping(address ranger => uint256) public wages;
    mapping(address patron => uint256) public adopted;

    event Planted(uint256 indexed tree, bytes32 kind);
    event Adopted(uint256 indexed tree, address indexed patron, uint256 paid);
    event CaredFor(uint256 indexed tree, address indexed ranger);
    event WagePaid(address indexed ranger, uint256 amount);

    constructor(uint256 fee_) {
        require(fee_ <= 1 ether, "fee");
        fee = fee_;
        _plant("willow");
        _plant("alder");
    }

    function plant(bytes32 kind) external onlyRanger {
        _plant(kind);
    }

    function adopt(uint256 tree) external payable {
        require(tree < trees.length, "no such tree");
        require(msg.value >= fee, "fee");
        Tree storage t = trees[tree];
        require(t.patron == address(0) || t.until < block.timestamp, "adopted");
        t.patron = msg.sender;
        t.until = uint64(block.timestamp + YEAR);
        adopted[msg.sender] += 1;
        purse += msg.value;
        emit Adopted(tree, msg.sender, msg.value);
    }

    function careFor(uint256 tree) external onlyRanger {
        require(tree < trees.length, "no such tree");
        uint256 wage = fee / 10;
        require(wage <= purse, "purse is empty");
        trees[tree].visits += 1;
        purse -= wage;
        wages[msg.sender] += wage;
        emit CaredFor(tree, msg.sender);
    }

    function payWage(address ranger) external {
        uint256 amount = wages[ranger];
        require(amount > 0, "nothing due");
        wages[ranger] = 0;
        emit WagePaid(ranger, amount);
    }

    function setFee(uint256 fee_) external onlyForester {
        require(fee_ <= 1 ether, "fee");
        fee = fee_;
    }

    function _plant(bytes32 kind) private {
        trees.push(Tree(kind, address(0), 0, 0));
        emit Planted(trees.length - 1, kind);
    }
}
