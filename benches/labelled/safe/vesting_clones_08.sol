// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Behind a minimal proxy for each beneficiary. What it begins with becomes free over time.
contract VestingWallet {
    address public beneficiary;
    uint64 public start;
    uint64 public duration;
    uint256 public released;
    bool private _initialized;

    event Released(address indexed beneficiary, uint256 amount);
    event BeneficiaryChanged(address indexed from, address indexed to);

    error AlreadyInitialized();
    error NothingToRelease();

    constructor() {
        _initialized = true;
    }

    function initialize(address beneficiary_, uint64 start_, uint64 duration_) external payable {
        if (_initialized) revert AlreadyInitialized();
        _initialized = true;
        beneficiary = beneficiary_;
        start = start_;
        duration = duration_;
    }

    function changeBeneficiary(address to) external {
        require(msg.sender == beneficiary, "beneficiary only");
        require(to != address(0), "no beneficiary");
        emit BeneficiaryChanged(msg.sender, to);
        beneficiary = to;
    }

    function releasable() public view returns (uint256) {
        uint256 total = address(this).balance + released;
        uint256 end = uint256(start) + duration;
        uint256 free;
        if (block.timestamp >= end) {
            free = total;
        } else if (block.timestamp > start) {
            free = (total * (block.timestamp - start)) / duration;
        }
        return free > released ? free - released : 0;
    }

    function release() external {
        uint256 amount = releasable();
        if (amount == 0) revert NothingToRelease();
        released += amount;
        emit Released(beneficiary, amount);
        (bool ok, ) = beneficiary.call{value: amount}("");
        require(ok, "ether not taken");
    }
}

contract VestingFactory {
    address public immutable implementation;
    uint256 public created;
    mapping(address => bool) public isWallet;

    event Created(address indexed wallet, address indexed beneficiary, uint256 amount);

    constructor() {
        implementation = address(new VestingWallet());
    }

    function create(address beneficiary, uint64 duration) external payable returns (address wallet) {
        require(beneficiary != address(0), "no beneficiary");
        require(duration >= 1 days && duration <= 3650 days, "duration");
        wallet = _clone(implementation);
        isWallet[wallet] = true;
        created += 1;
        VestingWallet(wallet).initialize{value: msg.value}(beneficiary, uint64(block.timestamp), duration);
        emit Created(wallet, beneficiary, msg.value);
    }

    function _clone(address target) private returns (address instance) {
        assembly {
            let ptr := mload(0x40)
            mstore(ptr, 0x3d602d80600a3d3981f3363d3d373d3d3d363d73000000000000000000000000)
            mstore(add(ptr, 0x14), shl(0x60, target))
            mstore(add(ptr, 0x28), 0x5af43d82803e903d91602b57fd5bf30000000000000000000000000000000000)
            instance := create(0, ptr, 0x37)
        }
        require(instance != address(0), "clone failed");
    }
}
