// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: deposit, redeemAll; in receive() move the share tokens to an accomplice (other contract, no lock), who redeems them a second time.
contract ShareToken {
    address public immutable vault;
    mapping(address => uint256) public balanceOf;

    constructor() {
        vault = msg.sender;
    }

    modifier onlyVault() {
        require(msg.sender == vault, "vault only");
        _;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(to != address(0), "zero");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function mint(address to, uint256 amount) external onlyVault {
        balanceOf[to] += amount;
    }

    function burnAll(address from) external onlyVault {
        balanceOf[from] = 0;
    }
}

contract TokenizedVault {
    ShareToken public immutable shares;
    bool private entered;

    modifier nonReentrant() {
        require(!entered, "reentered");
        entered = true;
        _;
        entered = false;
    }

    constructor() {
        shares = new ShareToken();
    }

    function deposit() external payable nonReentrant {
        shares.mint(msg.sender, msg.value);
    }

    function redeemAll() external nonReentrant {
        uint256 amount = shares.balanceOf(msg.sender);
        require(amount > 0, "nothing");
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "send failed");
        shares.burnAll(msg.sender);
    }
}
