// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// Three tickets, one pie, and what is in the tin.
contract VillageTombola {
    uint256 public constant TICKETS = 3;
    uint256 public constant PRICE = 0.01 ether;

    address public immutable committee;
    uint256 public round = 1;
    uint256 public forTheRoof;
    address payable[] private holders;

    mapping(uint256 => address) public winnerOf;
    mapping(address => uint256) public pies;
    mapping(uint256 => mapping(address => uint256)) public ticketsOf;

    event TicketSold(uint256 indexed round, address indexed holder, uint256 ticket);
    event Drawn(uint256 indexed round, address indexed winner, uint256 prize);

    error SoldOut();
    error StillSelling(uint256 left);

    constructor() {
        committee = msg.sender;
    }

    function buyTicket() external payable {
        require(msg.value == PRICE, "a ticket is 0.01");
        if (holders.length == TICKETS) revert SoldOut();
        require(ticketsOf[round][msg.sender] < 2, "leave some for others");
        ticketsOf[round][msg.sender] += 1;
        holders.push(payable(msg.sender));
        emit TicketSold(round, msg.sender, holders.length);
    }

    function draw() external {
        if (holders.length < TICKETS) revert StillSelling(TICKETS - holders.length);
        uint256 drum = uint256(keccak256(abi.encodePacked(round, block.timestamp, committee)));
        address payable winner = holders[drum % TICKETS];
        uint256 prize = (TICKETS * PRICE * 4) / 5;
        forTheRoof += TICKETS * PRICE - prize;
        winnerOf[round] = winner;
        pies[winner] += 1;
        delete holders;
        emit Drawn(round, winner, prize);
        round += 1;
        winner.transfer(prize); //~ ERROR timestamp
    }

    function eatPie() external {
        require(pies[msg.sender] > 0, "no pie");
        pies[msg.sender] -= 1;
    }

    function mendRoof(address payable roofer) external {
        require(msg.sender == committee, "committee only");
        uint256 amount = forTheRoof;
        forTheRoof = 0;
        roofer.transfer(amount);
    }

    function sold() external view returns (uint256) {
        return holders.length;
    }
}
