// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IRules {
    /// @return winner 1 for the host, 2 for the guest, anything else for a draw
    function judge(bytes32[] memory moves) external returns (uint256 winner);
}

/// @title Matches for stakes, judged by a set of rules
/// @notice The host picks the rules, the guest accepts them by joining. The players
///         move in turns, and when one of them asks for it, the rules say who has won.
contract Matches {
    enum Status {
        None,
        Open,
        Playing,
        Judged
    }

    struct Match {
        address host;
        address guest;
        address rules;
        uint96 stake;
        Status status;
        bytes32[] moves;
    }

    address public immutable house;
    uint256 public matchCount;
    uint256 public houseFees;
    mapping(uint256 => Match) private matches;
    mapping(address => uint256) public credit;
    mapping(address => uint256) public rating;

    event Opened(uint256 indexed id, address indexed host, address rules, uint256 stake);
    event Joined(uint256 indexed id, address indexed guest);
    event Moved(uint256 indexed id, bytes32 move);
    event Judged(uint256 indexed id, uint256 winner);

    constructor() {
        house = msg.sender;
    }

    function open(address rules) external payable returns (uint256 id) {
        require(rules != address(0), "no rules");
        require(msg.value > 0 && msg.value <= type(uint96).max, "stake");
        id = ++matchCount;
        Match storage m = matches[id];
        m.host = msg.sender;
        m.rules = rules;
        m.stake = uint96(msg.value);
        m.status = Status.Open;
        emit Opened(id, msg.sender, rules, msg.value);
    }

    function withdrawOffer(uint256 id) external {
        Match storage m = matches[id];
        require(m.status == Status.Open && msg.sender == m.host, "not your offer");
        m.status = Status.Judged;
        credit[msg.sender] += m.stake;
    }

    function join(uint256 id) external payable {
        Match storage m = matches[id];
        require(m.status == Status.Open, "not open");
        require(msg.value == m.stake, "stake");
        m.guest = msg.sender;
        m.status = Status.Playing;
        emit Joined(id, msg.sender);
    }

    function move(uint256 id, bytes32 what) external {
        Match storage m = matches[id];
        require(m.status == Status.Playing, "not playing");
        require(m.moves.length < 400, "too long");
        require(msg.sender == (m.moves.length % 2 == 0 ? m.host : m.guest), "not your turn");
        m.moves.push(what);
        emit Moved(id, what);
    }

    function judge(uint256 id) external {
        Match storage m = matches[id];
        require(m.status == Status.Playing, "not playing");
        require(msg.sender == m.host || msg.sender == m.guest, "not a player");
        m.status = Status.Judged;

        (bool ok, bytes memory answer) = m.rules.delegatecall(abi.encodeCall(IRules.judge, (m.moves))); //~ ERROR delegatecall
        require(ok, "no verdict");
        uint256 winner = answer.length >= 32 ? abi.decode(answer, (uint256)) : 0;

        uint256 pot = uint256(m.stake) * 2;
        uint256 fee = pot / 50;
        houseFees += fee;
        if (winner == 1 || winner == 2) {
            address to = winner == 1 ? m.host : m.guest;
            credit[to] += pot - fee;
            rating[to] += 1;
        } else {
            credit[m.host] += (pot - fee) / 2;
            credit[m.guest] += (pot - fee) / 2;
        }
        emit Judged(id, winner);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function withdrawFees() external {
        require(msg.sender == house, "not the house");
        uint256 amount = houseFees;
        houseFees = 0;
        (bool ok,) = house.call{value: amount}("");
        require(ok, "not accepted");
    }
}
