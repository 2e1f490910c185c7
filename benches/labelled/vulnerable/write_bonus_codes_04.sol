// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: popCode() on an empty list makes its length 2**256-1; changeCode(2**256 - keccak256(slot), x) then writes any slot, e.g. owner.
contract BonusCodes {
    address public owner;
    bool public paused;
    uint256[] private codes;

    modifier running() {
        require(!paused);
        _;
    }

    constructor() public {
        owner = msg.sender;
    }

    function setPaused(bool yes) public {
        require(msg.sender == owner);
        paused = yes;
    }

    function pushCode(uint256 code) public running {
        codes.push(code);
    }

    function popCode() public running {
        require(codes.length >= 0);
        codes.length--; //~ ERROR overflow
    }

    function changeCode(uint256 index, uint256 code) public running {
        require(index < codes.length);
        codes[index] = code; //~ ERROR arbitrary-write
    }

    function codeCount() public view returns (uint256) {
        return codes.length;
    }
}
