pragma solidity ^0.5.0;

library SafeMath {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) {
            return 0;
        }
        uint256 c = a * b;
        require(c / a == b, "SafeMath: multiplication overflow");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "SafeMath: subtraction overflow");
        return a - b;
    }

    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "SafeMath: addition overflow");
        return c;
    }
}

/// Trees of an orchard, sold in any number and taken back at a discount.
contract OrchardShares {
    using SafeMath for uint256;

    address payable public grower;
    uint256 public pricePerTree;
    uint256 public treesSold;
    uint256 public reserve;
    mapping(address => uint256) public treesOf;

    event Sold(address indexed patron, uint256 trees);
    event TakenBack(address indexed patron, uint256 trees, uint256 value);
    event Harvest(uint256 value);

    modifier onlyGrower() {
        require(msg.sender == grower, "grower only");
        _;
    }

    constructor(uint256 price) public {
        require(price >= 1 finney, "too cheap");
        grower = msg.sender;
        pricePerTree = price;
    }

    function buy(uint256 trees) external payable {
        require(trees > 0, "no trees");
        require(msg.value == trees.mul(pricePerTree), "wrong price");
        treesOf[msg.sender] = treesOf[msg.sender].add(trees);
        treesSold = treesSold.add(trees);
        reserve = reserve.add(msg.value);
        emit Sold(msg.sender, trees);
    }

    function give(address to, uint256 trees) external {
        require(to != address(0), "to nobody");
        treesOf[msg.sender] = treesOf[msg.sender].sub(trees);
        treesOf[to] = treesOf[to].add(trees);
    }

    function takeBack(uint256 trees) external {
        require(trees > 0, "no trees");
        uint256 value = trees.mul(pricePerTree).mul(80) / 100;
        treesOf[msg.sender] = treesOf[msg.sender].sub(trees);
        treesSold = treesSold.sub(trees);
        reserve = reserve.sub(value);
        msg.sender.transfer(value);
        emit TakenBack(msg.sender, trees, value);
    }

    // What is not needed to take all the trees back.
    function harvest() external onlyGrower {
        uint256 needed = treesSold.mul(pricePerTree).mul(80) / 100;
        uint256 value = reserve.sub(needed);
        reserve = needed;
        grower.transfer(value);
        emit Harvest(value);
    }
}
