// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

library Coins {
    /// @dev Cheaper than what the compiler makes of it.
    function push(address to, uint256 amount) internal {
        assembly {
            pop(call(30000, to, amount, 0, 0, 0, 0)) //~ ERROR unchecked-call
        }
    }
}

/// @notice Pitches of a flea market, for days to come.
contract MarketPitches {
    using Coins for address;

    struct Pitch {
        address seller;
        uint256 paid;
    }

    uint256 public constant PITCHES = 40;

    address public immutable warden;
    uint256 public rent;
    uint256 public earned;
    mapping(uint256 => mapping(uint256 => Pitch)) public pitches;
    mapping(uint256 => bool) public heldOn;
    mapping(address => uint256) public bookings;

    event Booked(uint256 indexed day, uint256 indexed pitch, address indexed seller);
    event GivenUp(uint256 indexed day, uint256 indexed pitch, address indexed seller);
    event Held(uint256 indexed day, uint256 income);

    modifier onlyWarden() {
        require(msg.sender == warden, "warden only");
        _;
    }

    constructor(uint256 rent_) {
        require(rent_ <= 1 ether, "rent");
        warden = msg.sender;
        rent = rent_;
    }

    function book(uint256 day, uint256 pitch) external payable {
        require(pitch < PITCHES, "no such pitch");
        require(!heldOn[day], "over");
        require(msg.value >= rent && msg.value > 0, "rent");
        Pitch storage p = pitches[day][pitch];
        require(p.seller == address(0), "taken");
        p.seller = msg.sender;
        p.paid = msg.value;
        bookings[msg.sender] += 1;
        emit Booked(day, pitch, msg.sender);
    }

    /// @notice Before the day, a seller who cannot come gets the rent back.
    function giveUp(uint256 day, uint256 pitch) external {
        require(!heldOn[day], "over");
        Pitch memory p = pitches[day][pitch];
        require(p.seller == msg.sender, "not your pitch");
        delete pitches[day][pitch];
        bookings[msg.sender] -= 1;
        emit GivenUp(day, pitch, msg.sender);
        p.seller.push(p.paid);
    }

    function hold(uint256 day) external onlyWarden {
        require(!heldOn[day], "over");
        heldOn[day] = true;
        uint256 income;
        for (uint256 i = 0; i < PITCHES; i++) {
            income += pitches[day][i].paid;
        }
        earned += income;
        emit Held(day, income);
    }

    function setRent(uint256 rent_) external onlyWarden {
        require(rent_ <= 1 ether, "rent");
        rent = rent_;
    }

    function collect() external onlyWarden {
        uint256 amount = earned;
        earned = 0;
        payable(warden).transfer(amount);
    }
}
