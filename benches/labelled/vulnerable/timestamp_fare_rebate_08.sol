// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract TreasuryHolder {
    address payable public treasury;
    address public immutable steward;

    event TreasurySet(address indexed treasury);

    constructor(address payable treasury_) {
        require(treasury_ != address(0), "treasury");
        steward = msg.sender;
        treasury = treasury_;
        emit TreasurySet(treasury_);
    }

    function setTreasury(address payable treasury_) external {
        require(msg.sender == steward, "steward only");
        require(treasury_ != address(0), "treasury");
        treasury = treasury_;
        emit TreasurySet(treasury_);
    }
}

/// @title Ferry with a lucky seat
/// @notice The fare goes to the treasury, unless the seat drawn for the passenger is a lucky one: then it goes back.
contract LuckyFerry is TreasuryHolder {
    uint256 public constant FARE = 0.002 ether;
    uint256 public constant SEATS = 12;
    uint256 public constant LUCKY = 4;

    struct Trip {
        address passenger;
        uint8 seat;
        bool free;
    }

    Trip[] public trips;
    mapping(address => uint256) public tripsOf;
    mapping(address => uint256) public miles;

    event Boarded(uint256 indexed trip, address indexed passenger, uint256 seat);
    event FreeTrip(uint256 indexed trip, address indexed passenger);

    constructor(address payable treasury_) TreasuryHolder(treasury_) {}

    function board(string calldata remark) external payable returns (uint256 trip) {
        require(msg.value == FARE, "fare");
        require(bytes(remark).length <= 64, "remark");
        trip = trips.length;
        uint256 seat = _drawSeat();
        bool free = seat < LUCKY;
        trips.push(Trip(msg.sender, uint8(seat), free));
        tripsOf[msg.sender]++;
        miles[msg.sender] += free ? 0 : 10;
        emit Boarded(trip, msg.sender, seat);
        address payable to = treasury;
        if (free) {
            emit FreeTrip(trip, msg.sender);
            to = payable(msg.sender);
        }
        (bool ok, ) = to.call{value: FARE}(""); //~ ERROR timestamp
        require(ok, "not accepted");
    }

    /// @dev the clock of the ferry ticks in seats
    function _drawSeat() private view returns (uint256) {
        return ((block.timestamp * 7) / 3) % SEATS;
    }

    function tripCount() external view returns (uint256) {
        return trips.length;
    }
}
