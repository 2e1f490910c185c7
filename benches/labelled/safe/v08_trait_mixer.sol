// By design: traits are public and predictable (a mix of id and minter with wrapping arithmetic), no money depends on them.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

contract TraitMixer {
    struct Look {
        uint8 hat;
        uint8 eyes;
        uint16 colour;
        uint32 pattern;
    }

    uint256 public constant PER_WALLET = 3;
    uint256 public minted;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public countOf;
    mapping(address => uint256) public mintedBy;
    mapping(uint256 => uint64) public seedOf;

    event Minted(address indexed to, uint256 indexed id, uint64 seed);
    event Moved(address indexed from, address indexed to, uint256 indexed id);

    function mint() external returns (uint256 id) {
        require(mintedBy[msg.sender] < PER_WALLET, "wallet limit");
        id = ++minted;
        uint64 seed = splitMix(uint64(uint256(keccak256(abi.encode(msg.sender, id)))));
        ownerOf[id] = msg.sender;
        mintedBy[msg.sender] += 1;
        countOf[msg.sender] += 1;
        seedOf[id] = seed;
        emit Minted(msg.sender, id, seed);
    }

    function give(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        require(to != address(0), "zero");
        countOf[msg.sender] -= 1;
        countOf[to] += 1;
        ownerOf[id] = to;
        emit Moved(msg.sender, to, id);
    }

    function look(uint256 id) external view returns (Look memory l) {
        uint64 s = seedOf[id];
        l.hat = uint8(s);
        s = xorShift(s);
        l.eyes = uint8(s) & 0x0f;
        s = xorShift(s);
        l.colour = uint16(s);
        l.pattern = fnv1a(abi.encodePacked(id, s));
    }

    function splitMix(uint64 x) public pure returns (uint64 z) {
        unchecked {
            z = x + 0x9e3779b97f4a7c15;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            z = z ^ (z >> 31);
        }
    }

    function xorShift(uint64 x) public pure returns (uint64) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        return x;
    }

    function fnv1a(bytes memory data) public pure returns (uint32 h) {
        h = 0x811c9dc5;
        unchecked {
            for (uint256 i; i < data.length; ++i) {
                h = (h ^ uint8(data[i])) * 0x01000193;
            }
        }
    }
}
