// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: play(offset) adds the caller's offset to the function pointer, so the call lands on the jump destination inside jackpot(), behind the owner check of closeGame().
contract PointerGame {
    struct Step {
        function () internal next;
    }

    address public owner;
    uint256 public plays;

    constructor() public payable {
        owner = msg.sender;
    }

    function () public payable {}

    function play(uint256 offset) public {
        Step memory step;
        step.next = count;
        assembly {
            mstore(step, add(mload(step), offset))
        }
        step.next(); //~ ERROR arbitrary-jump
    }

    function closeGame() public {
        require(msg.sender == owner);
        jackpot();
    }

    function count() internal {
        plays += 1;
    }

    function jackpot() internal {
        msg.sender.transfer(address(this).balance);
    }
}
