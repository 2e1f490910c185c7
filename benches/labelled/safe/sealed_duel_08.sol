// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Duel with sealed numbers
/// @notice Both players seal a number before either is known; its parity with
/// the other one decides. Who does not open the seal in a day gives up.
contract SealedDuel {
    uint256 public constant STAKE = 3 gwei;

    struct Seat {
        address player;
        bytes32 seal;
        bool opened;
        uint256 number;
    }

    mapping(uint256 => Seat) private seats;
    uint256 public seated;
    uint256 public deadline;
    mapping(address => uint256) public winnings;

    event Sat(address indexed player);
    event Opened(address indexed player, uint256 number);
    event Settled(address indexed first, address indexed second);

    function sealOf(address player, uint256 number, bytes32 salt) public pure returns (bytes32) {
        return keccak256(abi.encode(player, number, salt));
    }

    function sit(bytes32 seal) external payable {
        require(msg.value == STAKE, "wrong stake");
        require(seated < 2, "the table is taken");
        require(seated == 0 || seats[0].player != msg.sender, "you sit there");
        seats[seated] = Seat(msg.sender, seal, false, 0);
        seated += 1;
        if (seated == 2) deadline = block.timestamp + 1 days;
        emit Sat(msg.sender);
    }

    function leave() external {
        require(seated == 1 && seats[0].player == msg.sender, "not now");
        seated = 0;
        winnings[msg.sender] += STAKE;
    }

    function open(uint256 number, bytes32 salt) external {
        require(seated == 2, "wait for the other player");
        require(block.timestamp < deadline, "too late");
        Seat storage seat = seats[seats[0].player == msg.sender ? 0 : 1];
        require(seat.player == msg.sender, "not a player");
        require(!seat.opened, "opened");
        require(sealOf(msg.sender, number, salt) == seat.seal, "not what was sealed");
        seat.opened = true;
        seat.number = number;
        emit Opened(msg.sender, number);
    }

    function settle() external {
        require(seated == 2, "nobody plays");
        Seat memory a = seats[0];
        Seat memory b = seats[1];
        bool both = a.opened && b.opened;
        require(both || block.timestamp >= deadline, "not opened yet");
        seated = 0;
        if (a.opened == b.opened && !both) {
            winnings[a.player] += STAKE;
            winnings[b.player] += STAKE;
        } else {
            bool firstWins = both ? (a.number ^ b.number) & 1 == 0 : a.opened;
            winnings[firstWins ? a.player : b.player] += 2 * STAKE;
        }
        emit Settled(a.player, b.player);
    }

    function collect() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing won");
        winnings[msg.sender] = 0;
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok, "not accepted");
    }
}
