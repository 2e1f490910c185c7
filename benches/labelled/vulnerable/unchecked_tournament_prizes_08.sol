// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Tournaments of two
/// @notice Both players pay the same stake, and play elsewhere. Who resigns has lost, and the other one takes the pot.
contract Tournament {
    uint256 public constant PLAYERS = 2;
    uint256 public constant STAKE = 0.01 ether;

    address public immutable referee;
    uint256 public number = 1;
    uint256 public fees;
    uint256 public crowned;
    address[] private _players;
    mapping(uint256 => mapping(address => bool)) public plays;
    mapping(uint256 => address) public winnerOf;

    event Joined(uint256 indexed number, address indexed player);
    event Gone(uint256 indexed number, address indexed player);
    event Won(uint256 indexed number, address indexed player, uint256 prize);

    constructor() {
        referee = msg.sender;
    }

    function join() external payable {
        require(msg.value == STAKE, "stake");
        require(_players.length < PLAYERS, "full");
        require(!plays[number][msg.sender], "plays already");
        plays[number][msg.sender] = true;
        _players.push(msg.sender);
        emit Joined(number, msg.sender);
    }

    /// @notice As long as nobody else has come, the first one may go again.
    function goAgain() external {
        require(_players.length == 1 && _players[0] == msg.sender, "begun");
        plays[number][msg.sender] = false;
        _players.pop();
        emit Gone(number, msg.sender);
        payable(msg.sender).transfer(STAKE);
    }

    function playersNow() external view returns (address[] memory) {
        return _players;
    }

    /// @notice A player gives up, and the other one has won.
    function resign() external {
        require(_players.length == PLAYERS, "not begun");
        require(plays[number][msg.sender], "does not play");
        address winner = _players[0] == msg.sender ? _players[1] : _players[0];
        uint256 pot = STAKE * PLAYERS;
        uint256 fee = pot / 50;
        fees += fee;
        winnerOf[number] = winner;
        emit Won(number, winner, pot - fee);
        number++;
        delete _players;
        crowned++;
        winner.call{value: pot - fee}(""); //~ ERROR unchecked-call
    }

    function collectFees() external {
        require(msg.sender == referee, "referee only");
        uint256 amount = fees;
        fees = 0;
        payable(referee).transfer(amount);
    }
}
