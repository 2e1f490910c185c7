// SPDX-License-Identifier: MIT
pragma solidity ^0.4.21;
// Exploit: mallory names a relayer of her own (even herself); relayTransfer(mallory, bob, 2**255, 2**255): value + fee wraps to 0, bob and the relayer are credited.
contract MeshCoin {
    mapping(address => uint256) public balances;
    mapping(address => mapping(address => bool)) public relayer;
    uint256 public supply;

    event Moved(address from, address to, uint256 value, uint256 fee);

    constructor(uint256 initial) public {
        require(initial < 2 ** 128);
        supply = initial;
        balances[msg.sender] = initial;
    }

    function setRelayer(address who, bool yes) public {
        relayer[msg.sender][who] = yes;
    }

    function transfer(address to, uint256 value) public {
        require(balances[msg.sender] >= value);
        require(balances[to] + value >= balances[to]);
        balances[msg.sender] -= value;
        balances[to] += value;
        emit Moved(msg.sender, to, value, 0);
    }

    function relayTransfer(address from, address to, uint256 value, uint256 fee) public {
        require(relayer[from][msg.sender]);
        uint256 total = value + fee; //~ ERROR overflow
        require(balances[from] >= total);
        balances[from] -= total;

        require(balances[to] + value >= balances[to]);
        balances[to] += value;

        require(balances[msg.sender] + fee >= balances[msg.sender]);
        balances[msg.sender] += fee;
        emit Moved(from, to, value, fee);
    }
}
