// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Savings that an operator may draw on for some time.
contract DelegatedSavings {
    mapping(address => uint256) public savings;
    mapping(address => mapping(address => uint256)) public operatorUntil;
    uint256 public total;

    event Saved(address indexed holder, uint256 amount);
    event Drawn(address indexed holder, address indexed by, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event OperatorSet(address indexed holder, address indexed operator, uint256 until);

    modifier onlyHolderOr(address holder) {
        require(holder == msg.sender || mayDraw(holder, msg.sender), "not an operator");
        _;
    }

    function save() external payable {
        require(msg.value > 0, "nothing");
        savings[msg.sender] += msg.value;
        total += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function setOperator(address operator, uint256 duration) external {
        require(operator != address(0) && operator != msg.sender, "wrong operator");
        require(duration <= 90 days, "too long");
        operatorUntil[msg.sender][operator] = block.timestamp + duration;
        emit OperatorSet(msg.sender, operator, block.timestamp + duration);
    }

    function removeOperator(address operator) external {
        operatorUntil[msg.sender][operator] = 0;
        emit OperatorSet(msg.sender, operator, 0);
    }

    function mayDraw(address holder, address operator) public view returns (bool) {
        return operatorUntil[holder][operator] <= block.timestamp;
    }

    function draw(address holder, uint256 amount) external onlyHolderOr(holder) {
        require(amount > 0 && amount <= savings[holder], "not that much");
        savings[holder] -= amount;
        total -= amount;
        emit Drawn(holder, msg.sender, amount);
        payable(msg.sender).transfer(amount); //~ ERROR ether-theft
    }

    function move(address to, uint256 amount) external {
        require(to != address(0), "nobody");
        savings[msg.sender] -= amount;
        savings[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function solvent() external view returns (bool) {
        return address(this).balance >= total;
    }
}
