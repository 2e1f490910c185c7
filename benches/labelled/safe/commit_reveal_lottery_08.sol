// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Who does not reveal loses the stake. The winner comes of the secrets of all who did.
contract SecretLottery {
    uint256 public constant STAKE = 0.01 ether;
    uint256 public constant PHASE = 1 days;

    uint256 public immutable commitEnd;
    uint256 public immutable revealEnd;
    bytes32 public immutable title;

    uint256 public committed;
    bytes32 public seed;
    address public winner;
    address[] private _revealed;
    mapping(address => bytes32) public commitmentOf;
    mapping(address => bool) public hasRevealed;
    mapping(address => bool) public reclaimed;

    event Committed(address indexed player, bytes32 commitment);
    event Revealed(address indexed player, bytes32 secret);
    event Drawn(address indexed winner, uint256 players);
    event Claimed(address indexed winner, uint256 prize);

    constructor(bytes32 title_) {
        title = title_;
        commitEnd = block.timestamp + PHASE;
        revealEnd = block.timestamp + 2 * PHASE;
    }

    function commitmentFor(address player, bytes32 secret) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), player, secret));
    }

    function commit(bytes32 commitment) external payable {
        require(block.timestamp < commitEnd, "too late");
        require(msg.value == STAKE, "stake");
        require(commitment != 0 && commitmentOf[msg.sender] == 0, "committed");
        commitmentOf[msg.sender] = commitment;
        committed += 1;
        emit Committed(msg.sender, commitment);
    }

    function reveal(bytes32 secret) external {
        require(block.timestamp >= commitEnd && block.timestamp < revealEnd, "not the time");
        require(!hasRevealed[msg.sender], "revealed");
        require(commitmentOf[msg.sender] == commitmentFor(msg.sender, secret), "another secret");
        hasRevealed[msg.sender] = true;
        _revealed.push(msg.sender);
        seed = keccak256(abi.encode(seed, secret));
        emit Revealed(msg.sender, secret);
    }

    function draw() external {
        require(block.timestamp >= revealEnd, "too early");
        require(winner == address(0), "drawn");
        uint256 count = _revealed.length;
        require(count > 0, "nobody revealed");
        winner = _revealed[uint256(seed) % count];
        emit Drawn(winner, count);
    }

    function claim() external {
        require(msg.sender == winner, "not the winner");
        uint256 prize = address(this).balance;
        require(prize > 0, "claimed");
        emit Claimed(msg.sender, prize);
        (bool ok, ) = msg.sender.call{value: prize}("");
        require(ok, "prize not taken");
    }

    /// @notice If nobody revealed, everybody gets the stake back.
    function reclaim() external {
        require(block.timestamp >= revealEnd && _revealed.length == 0, "somebody revealed");
        require(commitmentOf[msg.sender] != 0 && !reclaimed[msg.sender], "nothing to reclaim");
        reclaimed[msg.sender] = true;
        (bool ok, ) = msg.sender.call{value: STAKE}("");
        require(ok, "stake not taken");
    }
}
