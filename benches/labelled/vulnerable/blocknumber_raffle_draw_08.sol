// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract PuppetRaffle {
    uint256 public constant ENTRANCE = 0.01 ether;
    uint256 public constant FEE_PERCENT = 10;

    address public immutable organiser;
    uint256 public immutable minEntrants;
    uint256 public fees;
    uint256 public rounds;
    address public previousWinner;
    address[] private _entrants;

    event Entered(address indexed who, uint256 tickets);
    event Drawn(address indexed winner, uint256 prize);

    error WrongAmount();
    error NotEnoughEntrants(uint256 have);

    constructor(uint8 extraEntrants) {
        organiser = msg.sender;
        minEntrants = 2 + (extraEntrants % 3);
    }

    function enter(uint256 tickets) external payable {
        require(tickets > 0 && tickets <= 10, "tickets");
        if (msg.value != ENTRANCE * tickets) revert WrongAmount();
        for (uint256 i = 0; i < tickets; ++i) {
            _entrants.push(msg.sender);
        }
        emit Entered(msg.sender, tickets);
    }

    function draw() external {
        uint256 count = _entrants.length;
        if (count < minEntrants) revert NotEnoughEntrants(count);
        uint256 index = uint256(keccak256(abi.encodePacked(blockhash(block.number - 1), block.prevrandao))) % count;
        address winner = _entrants[index];
        uint256 total = ENTRANCE * count;
        uint256 fee = (total * FEE_PERCENT) / 100;
        delete _entrants;
        fees += fee;
        rounds += 1;
        previousWinner = winner;
        emit Drawn(winner, total - fee);
        (bool ok, ) = winner.call{value: total - fee}(""); //~ ERROR block-number
        require(ok, "prize not taken");
    }

    function withdrawFees() external {
        require(msg.sender == organiser, "organiser only");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = organiser.call{value: amount}("");
        require(ok, "fees not taken");
    }

    function entrants() external view returns (uint256) {
        return _entrants.length;
    }
}
