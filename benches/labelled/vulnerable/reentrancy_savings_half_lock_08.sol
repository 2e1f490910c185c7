// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract SavingsClub {
    address public immutable treasurer;
    uint256 public immutable membershipFee;
    uint256 public members;
    bool private entered;

    mapping(address => bool) public isMember;
    mapping(address => uint256) public savings;

    event Joined(address indexed who);
    event Saved(address indexed who, uint256 amount);
    event Paid(address indexed who, uint256 amount);

    modifier nonReentrant() {
        require(!entered, "reentrant call");
        entered = true;
        _;
        entered = false;
    }

    constructor(uint256 fee) {
        treasurer = msg.sender;
        membershipFee = fee % 1 gwei;
    }

    function save() external payable {
        require(msg.value > membershipFee, "less than the fee");
        if (!isMember[msg.sender]) {
            isMember[msg.sender] = true;
            members += 1;
            emit Joined(msg.sender);
        }
        savings[treasurer] += membershipFee;
        savings[msg.sender] += msg.value - membershipFee;
        emit Saved(msg.sender, msg.value);
    }

    /// @notice Pays a part of the savings.
    function withdraw(uint256 amount) external nonReentrant {
        uint256 balance = savings[msg.sender];
        require(amount > 0 && amount <= balance, "more than saved");
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        savings[msg.sender] = balance - amount;
        emit Paid(msg.sender, amount);
    }

    /// @notice Pays everything and ends the membership.
    function resign() external {
        require(isMember[msg.sender], "no member");
        uint256 amount = savings[msg.sender];
        savings[msg.sender] = 0;
        isMember[msg.sender] = false;
        members -= 1;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit Paid(msg.sender, amount);
    }

    function reserves() external view returns (uint256) {
        return address(this).balance;
    }
}
