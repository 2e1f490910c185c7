// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Ledger {
    uint256 public totalDeposits;
    mapping(address => uint256) public balanceOf;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
}

contract PiggyVault is Ledger {
    uint256 public constant VERSION = 1;

    error Insufficient(uint256 have, uint256 want);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        totalDeposits += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        uint256 have = balanceOf[msg.sender];
        if (have < amount) revert Insufficient(have, amount);
        balanceOf[msg.sender] = have - amount;
        totalDeposits -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }
}

contract PiggyVaultProxy {
    address public guardian; //~ ERROR layout-collision
    bool public halted;
    address private immutable _implementation;
    address private immutable _factory;

    event Halted(bool value);

    error IsHalted();
    error NotGuardian();

    constructor(address implementation_, address guardian_) {
        require(implementation_.code.length > 0, "no code");
        _implementation = implementation_;
        _factory = msg.sender;
        guardian = guardian_;
    }

    function setHalted(bool value) external {
        if (msg.sender != guardian) revert NotGuardian();
        halted = value;
        emit Halted(value);
    }

    function implementation() external view returns (address) {
        return _implementation;
    }

    receive() external payable {
        _delegate();
    }

    fallback() external payable {
        _delegate();
    }

    function _delegate() private {
        if (halted) revert IsHalted();
        address target = _implementation;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
