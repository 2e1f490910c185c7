// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: setLow(x) and setHigh(y) are each sensible, but setLow can be raised above high afterwards; sample() then finds low > high.
contract Thermostat {
    uint16 public low = 10;
    uint16 public high = 30;
    uint256 public samples;

    event Sampled(address indexed by, uint16 middle);

    function setHigh(uint16 value) external {
        require(value > low && value <= 100, "high");
        high = value;
    }

    function setLow(uint16 value) external {
        require(value >= 5 && value <= 60, "low");
        low = value;
    }

    function sample() external returns (uint16 middle) {
        assert(low <= high); //~ ERROR assertion
        samples += 1;
        middle = low + (high - low) / 2;
        emit Sampled(msg.sender, middle);
    }
}
