// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

abstract contract Chaired {
    address public chair = msg.sender;

    modifier onlyChair() {
        require(msg.sender == chair, "chair only");
        _;
    }

    function handOver(address next) external onlyChair {
        require(next != address(0), "to nobody");
        chair = next;
    }
}

/// @notice Neighbours pay each other for help. Balances may go below zero as far as the chair allows.
contract BarterRing is Chaired {
    int256 public constant LARGEST = 1_000_000 ether;

    mapping(address member => int256) public balanceOf;
    mapping(address member => int256) public creditOf;
    mapping(address member => uint256) public deeds;

    event Funded(address indexed member, int256 amount);
    event Paid(address indexed from, address indexed to, int256 amount, string what);
    event CashedOut(address indexed member, int256 amount);
    event CreditGiven(address indexed member, int256 credit);

    function fund() external payable {
        int256 amount = int256(msg.value);
        balanceOf[msg.sender] += amount;
        emit Funded(msg.sender, amount);
    }

    function giveCredit(address member, int256 credit) external onlyChair {
        require(credit >= 0 && credit <= LARGEST, "credit");
        creditOf[member] = credit;
        emit CreditGiven(member, credit);
    }

    /// @notice Credit is for payments within the ring, it is never cashed.
    function pay(address to, int256 amount, string calldata what) external {
        require(to != address(0) && to != msg.sender, "to whom");
        require(amount <= LARGEST, "too much");
        require(balanceOf[msg.sender] - amount >= -creditOf[msg.sender], "beyond the credit");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        deeds[to] += 1;
        emit Paid(msg.sender, to, amount, what);
    }

    function cashOut(int256 amount) external {
        require(amount > 0, "nothing");
        require(balanceOf[msg.sender] >= amount, "not that much");
        balanceOf[msg.sender] -= amount;
        emit CashedOut(msg.sender, amount);
        payable(msg.sender).transfer(uint256(amount)); //~ ERROR ether-theft
    }

    function standing(address member) external view returns (int256 spendable, uint256 helped) {
        spendable = balanceOf[member] + creditOf[member];
        helped = deeds[member];
    }
}
