// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: post collateral, market A borrow; in receive() (debt not booked yet) borrow the full limit at market B or take the collateral back.
contract Market {
    Comptroller public immutable comptroller;
    mapping(address => uint256) public supplied;
    mapping(address => uint256) public debtOf;
    bool private entered;

    modifier nonReentrant() {
        require(!entered, "reentered");
        entered = true;
        _;
        entered = false;
    }

    constructor() {
        comptroller = Comptroller(msg.sender);
    }

    function supply() external payable nonReentrant {
        supplied[msg.sender] += msg.value;
    }

    function unsupply(uint256 amount) external nonReentrant {
        supplied[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function borrow(uint256 amount) external nonReentrant {
        require(comptroller.mayBorrow(msg.sender, amount), "not enough collateral");
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "send failed");
        debtOf[msg.sender] += amount;
    }

    function repay() external payable nonReentrant {
        debtOf[msg.sender] -= msg.value;
    }
}

contract Comptroller {
    Market public immutable marketA;
    Market public immutable marketB;
    mapping(address => uint256) public collateral;

    constructor() {
        marketA = new Market();
        marketB = new Market();
    }

    function post() external payable {
        collateral[msg.sender] += msg.value;
    }

    function takeBack(uint256 amount) external {
        collateral[msg.sender] -= amount;
        require(totalDebt(msg.sender) * 4 <= collateral[msg.sender] * 3, "still owed");
        payable(msg.sender).transfer(amount);
    }

    function totalDebt(address user) public view returns (uint256) {
        return marketA.debtOf(user) + marketB.debtOf(user);
    }

    function mayBorrow(address user, uint256 amount) external view returns (bool) {
        return (totalDebt(user) + amount) * 4 <= collateral[user] * 3;
    }
}
