// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Raffle for a swarm
/// @notice Three beekeepers buy a ticket each; one of them gets the pot, with
/// which the swarm is paid.
contract SwarmRaffle {
    uint256 public constant TICKET = 5 gwei;
    uint256 public constant SEATS = 3;

    address[] private entrants;
    mapping(uint256 round => mapping(address keeper => bool)) public entered;
    mapping(uint256 round => address) public winnerOf;
    uint256 public round;

    event Entered(uint256 indexed round, address indexed keeper);
    event Drawn(uint256 indexed round, address indexed keeper, uint256 pot);

    error WrongPrice();
    error AlreadyIn();
    error Full();
    error NotFull();

    function enter() external payable {
        if (msg.value != TICKET) revert WrongPrice();
        if (entrants.length >= SEATS) revert Full();
        if (entered[round][msg.sender]) revert AlreadyIn();
        entered[round][msg.sender] = true;
        entrants.push(msg.sender);
        emit Entered(round, msg.sender);
    }

    function draw() external {
        if (entrants.length < SEATS) revert NotFull();
        bytes32 seed = keccak256(abi.encodePacked(blockhash(block.number - 1), block.number, round));
        address keeper = entrants[uint256(seed) % SEATS];
        uint256 pot = TICKET * SEATS;
        uint256 drawn = round;
        winnerOf[drawn] = keeper;
        delete entrants;
        round = drawn + 1;
        (bool ok, ) = payable(keeper).call{value: pot}(""); //~ ERROR block-number
        require(ok, "pot not accepted");
        emit Drawn(drawn, keeper, pot);
    }

    function entrantCount() external view returns (uint256) {
        return entrants.length;
    }
}
