// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: proposeOwner(attacker) and acceptOwner() miss the owner check on the first step; then withdraw() and shutDown().
contract TwoStepFund {
    address payable public owner;
    address payable public nextOwner;

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() public {
        owner = msg.sender;
    }

    receive() external payable {}

    function proposeOwner(address payable who) external {
        nextOwner = who;
    }

    function acceptOwner() external {
        require(msg.sender == nextOwner, "not proposed");
        owner = nextOwner;
        nextOwner = address(0);
    }

    function withdraw(uint256 amount) external onlyOwner {
        owner.transfer(amount); //~ ERROR ether-theft
    }

    function shutDown() external onlyOwner {
        selfdestruct(owner); //~ ERROR self-destruct
    }
}
