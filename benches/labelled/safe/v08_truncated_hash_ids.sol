// By design: ids are the first 128 bits of a hash, and a taken id is refused.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract ParkedDeposits {
    struct Parked {
        address owner;
        uint96 amount;
        uint32 madeAt;
        bytes4 tag;
    }

    mapping(uint128 => Parked) public parked;

    event Made(uint128 indexed id, address indexed owner, uint256 amount, bytes4 tag);
    event Released(uint128 indexed id, address indexed owner, uint256 amount);

    error IdTaken(uint128 id);
    error TooMuch();
    error NotOwner();
    error PaymentFailed();

    function idOf(address owner, bytes32 salt) public view returns (uint128) {
        return uint128(uint256(keccak256(abi.encode(block.chainid, address(this), owner, salt))));
    }

    function park(bytes32 salt, string calldata label) external payable returns (uint128 id) {
        if (msg.value > type(uint96).max) revert TooMuch();
        require(msg.value > 0, "empty");
        require(block.timestamp <= type(uint32).max, "end of time");
        id = idOf(msg.sender, salt);
        if (parked[id].owner != address(0)) revert IdTaken(id);
        bytes4 tag = bytes4(keccak256(bytes(label)));
        parked[id] = Parked(msg.sender, uint96(msg.value), uint32(block.timestamp), tag);
        emit Made(id, msg.sender, msg.value, tag);
    }

    function release(uint128 id) external {
        Parked memory p = parked[id];
        if (p.owner != msg.sender) revert NotOwner();
        delete parked[id];
        (bool ok,) = payable(p.owner).call{value: p.amount}("");
        if (!ok) revert PaymentFailed();
        emit Released(id, p.owner, p.amount);
    }

    /// a short code to show to people, nothing is looked up by it
    function shortCode(uint128 id) external pure returns (uint16) {
        return uint16(id ^ (id >> 64));
    }
}
