// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: tune(x) overwrites the slot of the stored function pointer; run() then jumps to the destination chosen by the caller (the body of _sweep).
contract HandlerBox {
    uint256 public runs;
    uint256 public lastRun;
    uint256[10] private reserved;
    function () internal handler;
    uint256[10] private reserved2;
    address public owner;

    constructor() payable {
        owner = msg.sender;
        handler = _tick;
    }

    receive() external payable {}

    function tune(uint64 raw) external {
        assembly {
            sstore(handler.slot, raw)
        }
    }

    function run() external {
        lastRun = block.number;
        handler(); //~ ERROR arbitrary-jump
    }

    function sweep() external {
        require(msg.sender == owner, "owner only");
        _sweep();
    }

    function _tick() internal {
        runs += 1;
    }

    function _sweep() internal {
        payable(msg.sender).transfer(address(this).balance);
    }
}
