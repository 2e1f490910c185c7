// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Ether locked by a hash and a deadline, for swaps across chains.
contract HashLockedSwap {
    struct Lock {
        address payable from;
        address payable to;
        uint128 value;
        uint64 deadline;
        bytes32 hash;
    }

    uint256 public constant SHORTEST = 1 hours;
    uint256 public constant LONGEST = 30 days;

    mapping(bytes32 => Lock) private locks;
    mapping(address => uint256) public nonces;

    event Locked(bytes32 indexed id, address indexed from, address indexed to, uint256 value, uint256 deadline);
    event Claimed(bytes32 indexed id, bytes32 secret);
    event Refunded(bytes32 indexed id);

    modifier exists(bytes32 id) {
        require(locks[id].from != address(0), "no such lock");
        _;
    }

    function lock(address payable to, bytes32 hash, uint256 duration) external payable returns (bytes32 id) {
        require(to != address(0), "to nobody");
        require(msg.value > 0 && msg.value <= 2**127, "value out of range");
        require(duration >= SHORTEST && duration <= LONGEST, "duration out of range");
        id = keccak256(abi.encode(msg.sender, nonces[msg.sender]));
        nonces[msg.sender] += 1;
        uint64 deadline = uint64(block.timestamp + duration);
        locks[id] = Lock(msg.sender, to, uint128(msg.value), deadline, hash);
        emit Locked(id, msg.sender, to, msg.value, deadline);
    }

    /// Anyone may bring the secret, the ether goes to the receiver.
    function claim(bytes32 id, bytes32 secret) external exists(id) {
        Lock memory l = locks[id];
        require(block.timestamp < l.deadline, "too late");
        require(sha256(abi.encodePacked(secret)) == l.hash, "wrong secret");
        delete locks[id];
        (bool ok, ) = l.to.call{value: l.value}("");
        require(ok, "not taken");
        emit Claimed(id, secret);
    }

    function refund(bytes32 id) external exists(id) {
        Lock memory l = locks[id];
        require(block.timestamp >= l.deadline, "too early");
        delete locks[id];
        (bool ok, ) = l.from.call{value: l.value}("");
        require(ok, "not taken");
        emit Refunded(id);
    }

    function lockOf(bytes32 id)
        external
        view
        returns (address from, address to, uint256 value, uint256 deadline, bytes32 hash)
    {
        Lock storage l = locks[id];
        return (l.from, l.to, l.value, l.deadline, l.hash);
    }
}
