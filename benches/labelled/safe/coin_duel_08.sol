// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Two players, one coin. The opener hides a side behind a hash, the other player guesses it.
contract CoinDuel {
    enum State {
        None,
        Open,
        Guessed,
        Done
    }

    struct Duel {
        address opener;
        address guesser;
        bytes32 hidden;
        uint256 guessBy;
        uint256 revealBy;
        bool guess;
        State state;
    }

    uint256 public constant STAKE = 10 gwei;
    uint256 public constant GUESS_TIME = 1 days;
    uint256 public constant REVEAL_TIME = 1 hours;

    mapping(uint256 => Duel) public duels;
    mapping(address => uint256) public winnings;
    uint256 public duelCount;

    event Opened(uint256 indexed id, address indexed opener);
    event Guessed(uint256 indexed id, address indexed guesser, bool guess);
    event Ended(uint256 indexed id, address indexed winner);
    event Withdrawn(uint256 indexed id);

    function hide(address opener, bool side, bytes32 salt) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), opener, side, salt));
    }

    function open(bytes32 hidden) external payable returns (uint256 id) {
        require(msg.value == STAKE, "wrong stake");
        id = duelCount++;
        Duel storage duel = duels[id];
        duel.opener = msg.sender;
        duel.hidden = hidden;
        duel.guessBy = block.timestamp + GUESS_TIME;
        duel.state = State.Open;
        emit Opened(id, msg.sender);
    }

    /// If nobody guessed in time, the opener may take the stake back.
    function withdraw(uint256 id) external {
        Duel storage duel = duels[id];
        require(duel.opener == msg.sender && duel.state == State.Open, "not now");
        require(block.timestamp > duel.guessBy, "may still be guessed");
        duel.state = State.Done;
        winnings[msg.sender] += STAKE;
        emit Withdrawn(id);
    }

    function guess(uint256 id, bool side) external payable {
        Duel storage duel = duels[id];
        require(msg.value == STAKE, "wrong stake");
        require(duel.state == State.Open && duel.opener != msg.sender, "not open for you");
        require(block.timestamp <= duel.guessBy, "too late");
        duel.guesser = msg.sender;
        duel.guess = side;
        duel.revealBy = block.timestamp + REVEAL_TIME;
        duel.state = State.Guessed;
        emit Guessed(id, msg.sender, side);
    }

    function reveal(uint256 id, bool side, bytes32 salt) external {
        Duel storage duel = duels[id];
        require(duel.opener == msg.sender && duel.state == State.Guessed, "not now");
        require(block.timestamp <= duel.revealBy, "too late");
        require(hide(msg.sender, side, salt) == duel.hidden, "not what was hidden");
        _end(id, side == duel.guess ? duel.guesser : duel.opener);
    }

    /// An opener who does not reveal the side in time has lost.
    function expire(uint256 id) external {
        Duel storage duel = duels[id];
        require(duel.state == State.Guessed, "not now");
        require(block.timestamp > duel.revealBy, "not expired");
        _end(id, duel.guesser);
    }

    function collect() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing to collect");
        winnings[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function _end(uint256 id, address winner) private {
        duels[id].state = State.Done;
        winnings[winner] += 2 * STAKE;
        emit Ended(id, winner);
    }
}
