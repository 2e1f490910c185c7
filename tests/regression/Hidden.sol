pragma solidity ^0.8.20;

library Checks {
    function check(uint256 number) external pure {
        assert(number != 7);
    }
}

contract Hidden {
    uint256 public refused;

    function run(uint256 number) external {
        (bool success,) = address(Checks).delegatecall(abi.encodeWithSelector(Checks.check.selector, number));
        if (!success) refused += 1;
    }
}
