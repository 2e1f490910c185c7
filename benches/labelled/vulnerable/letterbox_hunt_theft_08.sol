// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Letterbox hunts
/// @notice Somebody hides a box with a word in it, and locks a prize with the hash of
///         the word. Others may add to the prize. Whoever names the word takes it.
contract LetterboxHunts {
    struct Hunt {
        address maker;
        bytes32 lock;
        uint128 prize;
        uint64 endsAt;
        bool found;
        address finder;
    }

    uint256 public constant SHORTEST = 1 days;
    uint256 public constant LONGEST = 365 days;

    mapping(uint256 => Hunt) public hunts;
    mapping(uint256 => mapping(address => uint256)) public addedBy;
    mapping(address => uint256) public findings;
    uint256 public huntCount;

    event Hidden(uint256 indexed id, address indexed maker, string clue, uint256 prize);
    event Added(uint256 indexed id, address indexed by, uint256 amount);
    event Found(uint256 indexed id, address indexed by, uint256 prize);
    event TakenBack(uint256 indexed id, address indexed by, uint256 amount);

    function hide(bytes32 lock, uint32 duration, string calldata clue) external payable returns (uint256 id) {
        require(lock != bytes32(0), "lock");
        require(msg.value > 0 && msg.value <= type(uint96).max, "prize");
        uint256 time = uint256(duration) < SHORTEST ? SHORTEST : duration;
        require(time <= LONGEST, "too long");
        id = ++huntCount;
        hunts[id] = Hunt({
            maker: msg.sender,
            lock: lock,
            prize: uint128(msg.value),
            endsAt: uint64(block.timestamp + time),
            found: false,
            finder: address(0)
        });
        addedBy[id][msg.sender] = msg.value;
        emit Hidden(id, msg.sender, clue, msg.value);
    }

    function add(uint256 id) external payable {
        Hunt storage h = hunts[id];
        require(h.maker != address(0) && !h.found, "no such hunt");
        require(block.timestamp < h.endsAt, "over");
        require(msg.value <= type(uint96).max, "amount");
        h.prize += uint128(msg.value);
        addedBy[id][msg.sender] += msg.value;
        emit Added(id, msg.sender, msg.value);
    }

    function open(uint256 id, bytes32 word) external {
        Hunt storage h = hunts[id];
        require(!h.found, "found already");
        require(block.timestamp < h.endsAt, "over");
        require(keccak256(abi.encodePacked(word)) == h.lock, "another word");
        uint256 prize = h.prize;
        h.found = true;
        h.finder = msg.sender;
        h.prize = 0;
        findings[msg.sender] += 1;
        (bool ok,) = msg.sender.call{value: prize}(""); //~ ERROR ether-theft
        require(ok, "not accepted");
        emit Found(id, msg.sender, prize);
    }

    /// @notice If nobody has found the box, everybody takes back what they put in.
    function takeBack(uint256 id) external {
        Hunt storage h = hunts[id];
        require(!h.found, "found");
        require(h.maker != address(0) && block.timestamp >= h.endsAt, "not over");
        uint256 amount = addedBy[id][msg.sender];
        require(amount > 0, "nothing");
        addedBy[id][msg.sender] = 0;
        h.prize -= uint128(amount);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit TakenBack(id, msg.sender, amount);
    }
}
