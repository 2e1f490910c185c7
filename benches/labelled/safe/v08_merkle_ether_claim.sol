// By design: anybody may hand in a proof, the ether goes to the account written in the leaf.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract MerkleEtherClaim {
    address public immutable sponsor;
    bytes32 public root;
    uint256 public closesAt;
    mapping(bytes32 => bool) public claimed;

    event Opened(bytes32 root, uint256 amount, uint256 closesAt);
    event Claimed(address indexed account, uint256 amount);

    error AlreadyOpen();
    error NotOpen();
    error AlreadyClaimed();
    error BadProof();

    constructor() {
        sponsor = msg.sender;
    }

    function open(bytes32 root_, uint256 period) external payable {
        require(msg.sender == sponsor, "sponsor only");
        if (root != bytes32(0)) revert AlreadyOpen();
        require(root_ != bytes32(0) && msg.value > 0, "empty");
        require(period >= 30 days && period <= 365 days, "period");
        root = root_;
        closesAt = block.timestamp + period;
        emit Opened(root_, msg.value, closesAt);
    }

    function leafOf(uint256 index, address account, uint256 amount) public pure returns (bytes32) {
        // hashed twice, no inner node can pass for a leaf
        return keccak256(bytes.concat(keccak256(abi.encode(index, account, amount))));
    }

    function claim(uint256 index, address account, uint256 amount, bytes32[] calldata proof) external {
        if (root == bytes32(0) || block.timestamp >= closesAt) revert NotOpen();
        bytes32 leaf = leafOf(index, account, amount);
        if (claimed[leaf]) revert AlreadyClaimed();
        if (_process(leaf, proof) != root) revert BadProof();
        claimed[leaf] = true;
        (bool ok,) = account.call{value: amount}("");
        require(ok, "payment failed");
        emit Claimed(account, amount);
    }

    function takeRest() external {
        require(msg.sender == sponsor, "sponsor only");
        require(root != bytes32(0) && block.timestamp >= closesAt, "running");
        (bool ok,) = sponsor.call{value: address(this).balance}("");
        require(ok, "payment failed");
    }

    function _process(bytes32 node, bytes32[] calldata proof) private pure returns (bytes32) {
        uint256 length = proof.length;
        for (uint256 i; i < length;) {
            bytes32 other = proof[i];
            assembly {
                // the smaller one first
                let swap := shl(5, gt(node, other))
                mstore(swap, node)
                mstore(xor(swap, 32), other)
                node := keccak256(0, 64)
            }
            unchecked {
                ++i;
            }
        }
        return node;
    }
}
