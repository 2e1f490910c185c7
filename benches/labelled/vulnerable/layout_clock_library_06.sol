// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: setTime(uint256(attackerContract)): the library stores to slot 0, the clock's zone variable; the second setTime delegates to the attacker.
contract ZoneLogic {
    uint256 public storedTime;

    function store(uint256 time) public {
        storedTime = time;
    }
}

contract SharedClock {
    address public zone; //~ ERROR layout-collision
    address public owner;
    uint256 public storedTime;
    uint256 public sets;

    bytes4 private constant STORE = bytes4(keccak256("store(uint256)"));

    constructor(address zoneLogic) public {
        zone = zoneLogic;
        owner = msg.sender;
    }

    function setTime(uint256 time) external {
        sets += 1;
        (bool ok, ) = zone.delegatecall(abi.encodeWithSelector(STORE, time)); //~ ERROR delegatecall
        require(ok, "store failed");
    }

    function resetCounter() external {
        require(msg.sender == owner, "owner only");
        sets = 0;
    }
}
