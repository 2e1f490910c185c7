// SPDX-License-Identifier: MIT
pragma solidity >=0.8.13 <0.9.0;

interface Vm {
    function chainId(uint256) external;
    function deal(address, uint256) external;
    function prank(address) external;
    function roll(uint256) external;
    function warp(uint256) external;
}

abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
}
