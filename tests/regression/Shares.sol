// SPDX-License-Identifier: MIT
pragma solidity ^0.6.12;

contract Shares {
    uint256[] public weights;

    constructor(uint256[] memory weights_, address holder) public payable {
        assert(holder != address(0));
        weights = weights_;
    }

    function weightOf(uint256 index) external view returns (uint256) {
        assert(index != 7);
        return weights[index];
    }
}

library Halves {
    function half(uint256 number) external pure returns (uint256) {
        assert(number % 2 == 0);
        return number / 2;
    }
}

contract Linked {
    uint256 public value;

    function set(uint256 number) external {
        value = Halves.half(number);
    }
}

contract Teller {
    Shares public shares;
    uint256 public failures;

    constructor() public {
        shares = new Shares(new uint256[](2), msg.sender);
    }

    /// Hides what fails.
    function ask(uint256 index) external {
        try shares.weightOf(index) returns (uint256) {} catch {
            failures += 1;
        }
    }
}
