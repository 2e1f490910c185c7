// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: buyChips, cashOut; from the fallback giveChips to an accomplice (not locked), then the accomplice cashes out the same chips.
contract ChipDesk {
    mapping(address => uint256) public chips;
    bool private busy;

    modifier once() {
        require(!busy);
        busy = true;
        _;
        busy = false;
    }

    function buyChips() public payable once {
        require(msg.value > 0);
        chips[msg.sender] += msg.value;
    }

    function giveChips(address to, uint256 amount) public {
        require(to != address(0) && to != msg.sender);
        require(amount <= chips[msg.sender]);
        chips[msg.sender] -= amount;
        chips[to] += amount;
    }

    function cashOut() public once {
        uint256 amount = chips[msg.sender];
        require(amount > 0);
        require(msg.sender.call.value(amount)()); //~ ERROR reentrancy
        chips[msg.sender] = 0;
    }
}
