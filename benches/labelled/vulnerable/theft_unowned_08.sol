// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: the constructor forgets to set owner, so claimOwnership() works for the first stranger, who then calls withdraw().
contract DonationBox {
    address public owner;
    uint256 public donors;
    uint256 public immutable createdAt;
    mapping(address => uint256) public given;

    event Donation(address indexed from, uint256 amount);

    constructor() {
        createdAt = block.number;
    }

    function claimOwnership() external {
        require(owner == address(0), "already owned");
        owner = msg.sender;
    }

    function donate() external payable {
        require(msg.value > 0, "empty");
        if (given[msg.sender] == 0) donors += 1;
        given[msg.sender] += msg.value;
        emit Donation(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(msg.sender == owner, "owner only");
        (bool ok, ) = payable(owner).call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "failed");
    }
}
