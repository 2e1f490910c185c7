// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: call bump() through the proxy: the logic's count lives in slot 0, which is the proxy's target; the proxy now points at a dead address.
contract CounterLogic {
    uint256 public count;
    mapping(address => uint256) public bumps;

    event Bumped(address indexed by, uint256 count);

    function bump() external {
        count += 1;
        bumps[msg.sender] += 1;
        emit Bumped(msg.sender, count);
    }
}

contract CounterProxy {
    address public target; //~ ERROR layout-collision

    constructor(address logic) public {
        target = logic;
    }

    function () external {
        address code = target;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
                case 0 { revert(0, returndatasize()) }
                default { return(0, returndatasize()) }
        }
    }
}
