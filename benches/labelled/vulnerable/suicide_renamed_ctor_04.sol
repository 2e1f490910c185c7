// SPDX-License-Identifier: MIT
pragma solidity ^0.4.0;
// Exploit: the contract was renamed, the old constructor OpenWill() is a public function: call it to become owner, then retire().
contract OpenTestament {
    address public owner;
    address public heir;
    uint256 public lastSign;

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function OpenWill() public {
        owner = msg.sender;
        lastSign = block.number;
    }

    function () public payable {}

    function setHeir(address who) public onlyOwner {
        heir = who;
    }

    function sign() public onlyOwner {
        lastSign = block.number;
    }

    function retire() public onlyOwner {
        selfdestruct(owner); //~ ERROR self-destruct
    }
}
