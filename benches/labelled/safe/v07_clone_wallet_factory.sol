// By design: a wallet lets its own owner call anything; clones are set up in the transaction that makes them.
// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract CloneWallet {
    address public owner;
    bool private initialized;

    event Executed(address indexed target, uint256 value, bool success);

    constructor() {
        initialized = true;
    }

    receive() external payable {}

    function initialize(address owner_) external {
        require(!initialized, "initialized");
        require(owner_ != address(0), "zero owner");
        initialized = true;
        owner = owner_;
    }

    function execute(address target, uint256 value, bytes calldata data) external returns (bool, bytes memory) {
        require(msg.sender == owner, "owner only");
        (bool success, bytes memory result) = target.call{value: value}(data);
        emit Executed(target, value, success);
        return (success, result);
    }
}

contract CloneWalletFactory {
    address public immutable implementation;
    mapping(address => address) public walletOf;

    event WalletCreated(address indexed owner, address wallet);

    constructor() {
        implementation = address(new CloneWallet());
    }

    function createWallet() external returns (address wallet) {
        require(walletOf[msg.sender] == address(0), "has one");
        bytes20 target = bytes20(implementation);
        bytes32 salt = keccak256(abi.encode(msg.sender));
        assembly {
            let p := mload(0x40)
            mstore(p, 0x3d602d80600a3d3981f3363d3d373d3d3d363d73000000000000000000000000)
            mstore(add(p, 0x14), target)
            mstore(add(p, 0x28), 0x5af43d82803e903d91602b57fd5bf30000000000000000000000000000000000)
            wallet := create2(0, p, 0x37, salt)
        }
        require(wallet != address(0), "create2 failed");
        walletOf[msg.sender] = wallet;
        CloneWallet(payable(wallet)).initialize(msg.sender);
        emit WalletCreated(msg.sender, wallet);
    }
}
