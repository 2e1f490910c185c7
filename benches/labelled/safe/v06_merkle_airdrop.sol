// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

contract AirToken {
    string public constant name = "Air";
    string public constant symbol = "AIR";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1e27;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() public {
        balanceOf[msg.sender] = totalSupply;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(to != address(0), "zero");
        require(balanceOf[msg.sender] >= value, "balance");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

contract MerkleDistributor {
    AirToken public immutable token;
    address public immutable owner;
    uint256 public immutable closesAt;
    bytes32 public merkleRoot;
    mapping(uint256 => uint256) private claimedBitMap;

    event RootSet(bytes32 root);
    event Claimed(uint256 index, address account, uint256 amount);

    constructor() public {
        token = new AirToken();
        owner = msg.sender;
        closesAt = block.timestamp + 90 days;
    }

    function setRoot(bytes32 root) external {
        require(msg.sender == owner, "owner only");
        require(merkleRoot == bytes32(0) && root != bytes32(0), "root is final");
        merkleRoot = root;
        emit RootSet(root);
    }

    function isClaimed(uint256 index) public view returns (bool) {
        return claimedBitMap[index / 256] & (uint256(1) << (index % 256)) != 0;
    }

    function claim(uint256 index, address account, uint256 amount, bytes32[] calldata proof) external {
        require(merkleRoot != bytes32(0), "no root yet");
        require(!isClaimed(index), "already claimed");

        // 84 bytes of leaf cannot be taken for a pair of 64
        bytes32 node = keccak256(abi.encodePacked(index, account, amount));
        for (uint256 i = 0; i < proof.length; i++) {
            bytes32 other = proof[i];
            node = node <= other
                ? keccak256(abi.encodePacked(node, other))
                : keccak256(abi.encodePacked(other, node));
        }
        require(node == merkleRoot, "invalid proof");

        claimedBitMap[index / 256] |= uint256(1) << (index % 256);
        require(token.transfer(account, amount), "transfer failed");
        emit Claimed(index, account, amount);
    }

    function sweep() external {
        require(msg.sender == owner, "owner only");
        require(block.timestamp >= closesAt, "still open");
        require(token.transfer(owner, token.balanceOf(address(this))), "transfer failed");
    }
}
