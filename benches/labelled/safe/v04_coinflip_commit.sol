// By design: one of the two players loses his stake to the other.
pragma solidity ^0.4.24;

contract CommitCoinFlip {
    uint256 public constant REVEAL_TIME = 2 days;

    struct Game {
        address maker;
        address taker;
        bytes32 commitment;
        uint256 stake;
        uint256 revealBy;
        bool guess;
        bool closed;
    }

    Game[] public games;
    mapping(address => uint256) public winnings;

    event Opened(uint256 indexed id, address indexed maker, uint256 stake);
    event Taken(uint256 indexed id, address indexed taker, bool guess);
    event Closed(uint256 indexed id, address indexed winner);

    function commitmentFor(address maker, bool side, bytes32 salt) public pure returns (bytes32) {
        return keccak256(abi.encodePacked(maker, side, salt));
    }

    function open(bytes32 commitment) public payable returns (uint256 id) {
        require(msg.value >= 1 finney, "stake");
        id = games.length;
        games.push(Game(msg.sender, address(0), commitment, msg.value, 0, false, false));
        emit Opened(id, msg.sender, msg.value);
    }

    function cancel(uint256 id) public {
        Game storage g = games[id];
        require(msg.sender == g.maker && g.taker == address(0) && !g.closed, "cannot cancel");
        g.closed = true;
        winnings[g.maker] += g.stake;
        emit Closed(id, g.maker);
    }

    function take(uint256 id, bool guess) public payable {
        Game storage g = games[id];
        require(g.taker == address(0) && !g.closed, "taken");
        require(msg.value == g.stake, "stake");
        g.taker = msg.sender;
        g.guess = guess;
        g.revealBy = now + REVEAL_TIME;
        emit Taken(id, msg.sender, guess);
    }

    function reveal(uint256 id, bool side, bytes32 salt) public {
        Game storage g = games[id];
        require(g.taker != address(0) && !g.closed, "not running");
        require(now <= g.revealBy, "too late");
        require(commitmentFor(g.maker, side, salt) == g.commitment, "wrong opening");
        _close(id, side == g.guess ? g.taker : g.maker);
    }

    /// a maker who keeps silent has lost
    function claimTimeout(uint256 id) public {
        Game storage g = games[id];
        require(g.taker != address(0) && !g.closed, "not running");
        require(now > g.revealBy, "wait");
        _close(id, g.taker);
    }

    function withdraw() public {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing");
        winnings[msg.sender] = 0;
        msg.sender.transfer(amount);
    }

    function _close(uint256 id, address winner) internal {
        Game storage g = games[id];
        g.closed = true;
        winnings[winner] += g.stake * 2;
        emit Closed(id, winner);
    }
}
