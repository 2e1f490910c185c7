pragma solidity ^0.8.20;

contract Pot {
    function open() external pure {
        assert(false);
    }
}
