// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Forwards to the savings bank unless one of its guardians paused it.
contract SavingsProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant PAUSED_SLOT = keccak256("savings.proxy.paused");

    mapping(address => uint256) private guardianSince; //~ ERROR layout-collision

    event Paused(address indexed guardian, bool value);

    constructor(address implementation_) {
        require(implementation_ != address(0), "no implementation");
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            sstore(slot, implementation_)
        }
        guardianSince[msg.sender] = block.timestamp;
    }

    function setPaused(bool value) external {
        require(guardianSince[msg.sender] != 0, "not a guardian");
        bytes32 slot = PAUSED_SLOT;
        assembly {
            sstore(slot, value)
        }
        emit Paused(msg.sender, value);
    }

    function isPaused() public view returns (bool value) {
        bytes32 slot = PAUSED_SLOT;
        assembly {
            value := sload(slot)
        }
    }

    function isGuardian(address who) external view returns (bool) {
        return guardianSince[who] != 0;
    }

    fallback() external payable {
        require(!isPaused(), "paused");
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

contract SavingsLogic {
    mapping(address => uint256) public balanceOf;
    uint256 public totalSaved;

    event Saved(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);

    function save() external payable {
        require(msg.value > 0, "nothing");
        balanceOf[msg.sender] += msg.value;
        totalSaved += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSaved -= amount;
        emit Withdrawn(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function move(address to, uint256 amount) external {
        require(to != address(0), "nobody");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Moved(msg.sender, to, amount);
    }
}
