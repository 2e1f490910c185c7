// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Stored-value cards of a ski area
/// @notice Guests load a card, ride the lifts, pass credit on to their family,
///         and cash out what is left over. Lift companies collect what was ridden.
contract SkiLiftCards {
    struct Card {
        uint128 credit;
        uint64 rides;
        uint64 loadedAt;
    }

    struct Lift {
        address company;
        uint96 fare;
    }

    address public immutable resort;
    Lift[] public lifts;
    mapping(address => Card) public cards;
    mapping(address => uint256) public earned;

    uint256 private entered = 1;

    event Loaded(address indexed guest, uint256 amount);
    event Ridden(address indexed guest, uint256 indexed lift);
    event PassedOn(address indexed from, address indexed to, uint256 amount);
    event CashedOut(address indexed guest, uint256 amount);

    constructor() {
        resort = msg.sender;
    }

    modifier nonReentrant() {
        require(entered == 1, "reentrant call");
        entered = 2;
        _;
        entered = 1;
    }

    function addLift(address company, uint96 fare) external {
        require(msg.sender == resort, "not the resort");
        require(company != address(0) && fare > 0, "lift");
        lifts.push(Lift(company, fare));
    }

    function load() external payable {
        require(msg.value > 0 && msg.value <= type(uint96).max, "amount");
        Card storage card = cards[msg.sender];
        card.credit += uint128(msg.value);
        card.loadedAt = uint64(block.timestamp);
        emit Loaded(msg.sender, msg.value);
    }

    function ride(uint256 liftId) external nonReentrant {
        require(liftId < lifts.length, "no such lift");
        Lift memory lift = lifts[liftId];
        Card storage card = cards[msg.sender];
        card.credit -= lift.fare;
        card.rides += 1;
        earned[lift.company] += lift.fare;
        emit Ridden(msg.sender, liftId);
    }

    /// @notice Credit can be passed on to anybody; nothing leaves the contract here.
    function passOn(address to, uint128 amount) external {
        require(to != address(0) && to != msg.sender, "recipient");
        cards[msg.sender].credit -= amount;
        cards[to].credit += amount;
        emit PassedOn(msg.sender, to, amount);
    }

    function cashOut() external nonReentrant {
        Card storage card = cards[msg.sender];
        uint256 amount = card.credit;
        require(amount > 0, "empty card");
        (bool ok,) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        card.credit = 0;
        card.loadedAt = 0;
        emit CashedOut(msg.sender, amount);
    }

    function collect() external nonReentrant {
        uint256 amount = earned[msg.sender];
        earned[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function liftCount() external view returns (uint256) {
        return lifts.length;
    }
}
