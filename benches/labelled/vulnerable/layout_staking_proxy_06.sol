// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

contract StakingProxy {
    address public admin;
    uint256 public upgradedAt; //~ ERROR layout-collision

    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    event Upgraded(address indexed implementation);

    constructor(address implementation) public {
        admin = msg.sender;
        _set(implementation);
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == admin, "admin only");
        _set(implementation);
    }

    function _set(address implementation) private {
        uint256 size;
        assembly {
            size := extcodesize(implementation)
        }
        require(size > 0, "no code");
        bytes32 slot = IMPLEMENTATION;
        assembly {
            sstore(slot, implementation)
        }
        upgradedAt = block.timestamp;
        emit Upgraded(implementation);
    }

    fallback() external payable {
        bytes32 slot = IMPLEMENTATION;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    receive() external payable {
        revert("use stake");
    }
}

contract StakingLogic {
    address public admin;
    uint256 public totalStaked;
    mapping(address => uint256) public stakeOf;
    mapping(address => uint256) public stakedAt;
    bool public paused;

    event Staked(address indexed who, uint256 amount);
    event Unstaked(address indexed who, uint256 amount);

    modifier whenActive() {
        require(!paused, "paused");
        _;
    }

    function stake() external payable whenActive {
        require(msg.value > 0, "no ether");
        stakeOf[msg.sender] += msg.value;
        stakedAt[msg.sender] = block.timestamp;
        totalStaked += msg.value;
        emit Staked(msg.sender, msg.value);
    }

    function unstake(uint256 amount) external {
        require(amount <= stakeOf[msg.sender], "stake");
        stakeOf[msg.sender] -= amount;
        totalStaked -= amount;
        emit Unstaked(msg.sender, amount);
        msg.sender.transfer(amount);
    }

    function setPaused(bool value) external {
        require(msg.sender == admin, "admin only");
        paused = value;
    }
}
