// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library MerkleProof {
    function verify(bytes32[] calldata proof, bytes32 root, bytes32 leaf) internal pure returns (bool) {
        bytes32 hash = leaf;
        for (uint256 i = 0; i < proof.length; ) {
            bytes32 other = proof[i];
            hash = hash < other ? _pair(hash, other) : _pair(other, hash);
            unchecked {
                ++i;
            }
        }
        return hash == root;
    }

    function _pair(bytes32 a, bytes32 b) private pure returns (bytes32 value) {
        assembly {
            mstore(0x00, a)
            mstore(0x20, b)
            value := keccak256(0x00, 0x40)
        }
    }
}

contract DropToken {
    string public constant symbol = "DROP";
    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(address holder, uint256 supply) {
        totalSupply = supply;
        balanceOf[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

contract TokenDrop {
    DropToken public immutable token;
    bytes32 public immutable root;
    address public immutable owner;
    uint256 public immutable endsAt;
    uint256 public claims;
    mapping(uint256 => uint256) private _claimed;

    event Claimed(uint256 indexed index, address indexed account, uint256 amount);

    error AlreadyClaimed(uint256 index);
    error InvalidProof();

    constructor(bytes32 root_, uint112 supply) {
        owner = msg.sender;
        root = root_;
        endsAt = block.timestamp + 90 days;
        token = new DropToken(address(this), supply);
    }

    function isClaimed(uint256 index) public view returns (bool) {
        uint256 bit = 1 << (index & 0xff);
        return _claimed[index >> 8] & bit != 0;
    }

    function claim(uint256 index, address account, uint256 amount, bytes32[] calldata proof) external {
        require(block.timestamp < endsAt, "over");
        if (isClaimed(index)) revert AlreadyClaimed(index);
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(index, account, amount))));
        if (!MerkleProof.verify(proof, root, leaf)) revert InvalidProof();
        _claimed[index >> 8] |= 1 << (index & 0xff);
        claims += 1;
        emit Claimed(index, account, amount);
        require(token.transfer(account, amount), "transfer");
    }

    function sweep() external {
        require(msg.sender == owner, "owner only");
        require(block.timestamp >= endsAt, "not over yet");
        require(token.transfer(owner, token.balanceOf(address(this))), "transfer");
    }
}
