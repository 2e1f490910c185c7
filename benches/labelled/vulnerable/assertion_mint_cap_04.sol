// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: three calls of mint(400): each is within the limit of one call but together they exceed the cap and the assert fails.
contract CappedMinter {
    uint256 public constant CAP = 1000;
    uint256 public constant PER_CALL = 400;

    uint256 public supply;
    mapping(address => uint256) public held;

    event Minted(address indexed who, uint256 count);

    function mint(uint256 count) public {
        require(count > 0 && count <= PER_CALL);
        supply += count;
        held[msg.sender] += count;
        assert(supply <= CAP); //~ ERROR assertion
        emit Minted(msg.sender, count);
    }

    function burn(uint256 count) public {
        require(held[msg.sender] >= count);
        held[msg.sender] -= count;
        supply -= count;
    }
}
