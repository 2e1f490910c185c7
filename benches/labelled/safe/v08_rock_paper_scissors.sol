// By design: one player wins the other's stake; who does not reveal in a day loses.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract RockPaperScissors {
    enum Move { None, Rock, Paper, Scissors }

    uint256 public constant REVEAL_WINDOW = 1 days;

    struct Game {
        address[2] players;
        bytes32[2] commits;
        Move[2] moves;
        uint256 stake;
        uint256 revealBy;
        bool over;
    }

    Game[] private _games;
    mapping(address => uint256) public winnings;

    event Created(uint256 indexed id, address indexed player, uint256 stake);
    event Joined(uint256 indexed id, address indexed player);
    event Revealed(uint256 indexed id, address indexed player, Move move);
    event Over(uint256 indexed id, address winner);

    function commitFor(address player, Move move, bytes32 salt) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), player, move, salt));
    }

    function create(bytes32 commit) external payable returns (uint256 id) {
        require(msg.value > 0, "stake");
        id = _games.length;
        Game storage g = _games.push();
        g.players[0] = msg.sender;
        g.commits[0] = commit;
        g.stake = msg.value;
        emit Created(id, msg.sender, msg.value);
    }

    function cancel(uint256 id) external {
        Game storage g = _games[id];
        require(msg.sender == g.players[0] && g.players[1] == address(0) && !g.over, "cannot cancel");
        g.over = true;
        winnings[msg.sender] += g.stake;
        emit Over(id, address(0));
    }

    function join(uint256 id, bytes32 commit) external payable {
        Game storage g = _games[id];
        require(g.players[1] == address(0) && !g.over, "full");
        require(msg.sender != g.players[0], "own game");
        require(msg.value == g.stake, "stake");
        g.players[1] = msg.sender;
        g.commits[1] = commit;
        g.revealBy = block.timestamp + REVEAL_WINDOW;
        emit Joined(id, msg.sender);
    }

    function reveal(uint256 id, Move move, bytes32 salt) external {
        Game storage g = _games[id];
        require(g.players[1] != address(0) && !g.over, "not running");
        require(block.timestamp <= g.revealBy, "too late");
        require(move != Move.None, "no move");
        uint256 me = msg.sender == g.players[0] ? 0 : 1;
        require(msg.sender == g.players[me], "not a player");
        require(g.moves[me] == Move.None, "revealed");
        require(commitFor(msg.sender, move, salt) == g.commits[me], "wrong opening");
        g.moves[me] = move;
        emit Revealed(id, msg.sender, move);
        if (g.moves[1 - me] != Move.None) _finish(id);
    }

    function timeout(uint256 id) external {
        Game storage g = _games[id];
        require(g.players[1] != address(0) && !g.over, "not running");
        require(block.timestamp > g.revealBy, "wait");
        _finish(id);
    }

    function withdraw() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing");
        winnings[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function _finish(uint256 id) private {
        Game storage g = _games[id];
        g.over = true;
        uint256 a = uint256(g.moves[0]);
        uint256 b = uint256(g.moves[1]);
        if (a == b) {
            winnings[g.players[0]] += g.stake;
            winnings[g.players[1]] += g.stake;
            emit Over(id, address(0));
            return;
        }
        // a silent player (0) loses against any move
        bool firstWins = b == 0 || (a != 0 && (a + 3 - b) % 3 == 1);
        address winner = g.players[firstWins ? 0 : 1];
        winnings[winner] += 2 * g.stake;
        emit Over(id, winner);
    }
}
