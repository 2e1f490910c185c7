// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Duels of rock, paper and scissors
/// @notice Both write down the hash of their hand before either shows it. Who does not show in time has lost.
contract HandDuels {
    enum Hand { None, Rock, Paper, Scissors }
    enum Phase { None, Open, Sealed, Done }

    struct Duel {
        address first;
        address second;
        uint128 stake;
        uint64 showUntil;
        Phase phase;
        Hand firstHand;
        Hand secondHand;
        bytes32 firstSeal;
        bytes32 secondSeal;
    }

    uint256 public constant SHOW_TIME = 2 days;

    Duel[] public duels;
    mapping(address => uint256) public winningsOf;

    event Opened(uint256 indexed duel, address indexed first, uint256 stake);
    event Sealed(uint256 indexed duel, address indexed second);
    event Shown(uint256 indexed duel, address indexed player, Hand hand);
    event Settled(uint256 indexed duel, address indexed winner);
    event Collected(address indexed player, uint256 amount);

    function sealOf(address player, Hand hand, bytes32 salt) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), player, hand, salt));
    }

    function open(bytes32 seal) external payable returns (uint256 id) {
        require(msg.value > 0 && msg.value <= type(uint128).max, "stake");
        id = duels.length;
        Duel storage duel = duels.push();
        duel.first = msg.sender;
        duel.stake = uint128(msg.value);
        duel.phase = Phase.Open;
        duel.firstSeal = seal;
        emit Opened(id, msg.sender, msg.value);
    }

    function callOff(uint256 id) external {
        Duel storage duel = duels[id];
        require(duel.phase == Phase.Open && duel.first == msg.sender, "not yours to call off");
        duel.phase = Phase.Done;
        winningsOf[msg.sender] += duel.stake;
        emit Settled(id, msg.sender);
    }

    function accept(uint256 id, bytes32 seal) external payable {
        Duel storage duel = duels[id];
        require(duel.phase == Phase.Open, "not open");
        require(msg.sender != duel.first, "yourself");
        require(msg.value == duel.stake, "stake");
        duel.second = msg.sender;
        duel.secondSeal = seal;
        duel.showUntil = uint64(block.timestamp + SHOW_TIME);
        duel.phase = Phase.Sealed;
        emit Sealed(id, msg.sender);
    }

    function show(uint256 id, Hand hand, bytes32 salt) external {
        Duel storage duel = duels[id];
        require(duel.phase == Phase.Sealed && block.timestamp <= duel.showUntil, "not the time");
        require(hand != Hand.None, "no hand");
        bytes32 seal = sealOf(msg.sender, hand, salt);
        if (msg.sender == duel.first) {
            require(seal == duel.firstSeal, "another hand");
            duel.firstHand = hand;
        } else {
            require(msg.sender == duel.second && seal == duel.secondSeal, "another hand");
            duel.secondHand = hand;
        }
        emit Shown(id, msg.sender, hand);
        if (duel.firstHand != Hand.None && duel.secondHand != Hand.None) _settle(id, duel);
    }

    /// @notice After the time to show, who has shown wins; if nobody has, the stakes go back.
    function expire(uint256 id) external {
        Duel storage duel = duels[id];
        require(duel.phase == Phase.Sealed && block.timestamp > duel.showUntil, "not over");
        _settle(id, duel);
    }

    function collect() external {
        uint256 amount = winningsOf[msg.sender];
        require(amount > 0, "nothing");
        winningsOf[msg.sender] = 0;
        emit Collected(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _settle(uint256 id, Duel storage duel) private {
        duel.phase = Phase.Done;
        uint256 pot = 2 * uint256(duel.stake);
        address winner;
        if (duel.firstHand == duel.secondHand) {
            winningsOf[duel.first] += duel.stake;
            winningsOf[duel.second] += duel.stake;
        } else if (duel.secondHand == Hand.None || (duel.firstHand != Hand.None && _beats(duel.firstHand, duel.secondHand))) {
            winner = duel.first;
            winningsOf[winner] += pot;
        } else {
            winner = duel.second;
            winningsOf[winner] += pot;
        }
        emit Settled(id, winner);
    }

    function _beats(Hand a, Hand b) private pure returns (bool) {
        return (uint256(a) + 3 - uint256(b)) % 3 == 1;
    }
}
