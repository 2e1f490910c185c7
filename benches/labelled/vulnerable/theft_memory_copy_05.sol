pragma solidity ^0.5.0;

contract HolidayHomes {
    struct Booking {
        address payable guest;
        uint256 deposit;
        uint64 firstNight;
        uint64 nights;
        bool active;
    }

    address payable public host;
    uint256 public pricePerNight;
    uint256 public earned;
    Booking[] private bookings;

    event Booked(uint256 indexed id, address indexed guest, uint64 firstNight, uint64 nights);
    event Cancelled(uint256 indexed id, uint256 refund);
    event CheckedIn(uint256 indexed id);

    modifier onlyHost() {
        require(msg.sender == host, "host only");
        _;
    }

    modifier exists(uint256 id) {
        require(id < bookings.length, "no such booking");
        _;
    }

    constructor(uint32 priceInGwei) public {
        host = msg.sender;
        pricePerNight = uint256(priceInGwei) * 1e9;
    }

    function book(uint64 firstNight, uint8 nights) external payable returns (uint256 id) {
        require(nights > 0, "no nights");
        require(msg.value > 0 && msg.value >= pricePerNight * nights, "deposit");
        id = bookings.length;
        bookings.push(Booking(msg.sender, msg.value, firstNight, nights, true));
        emit Booked(id, msg.sender, firstNight, nights);
    }

    function cancel(uint256 id) external exists(id) {
        Booking memory b = bookings[id];
        require(b.guest == msg.sender, "not your booking");
        require(b.active, "not active");
        b.active = false;
        emit Cancelled(id, b.deposit);
        msg.sender.transfer(b.deposit); //~ ERROR ether-theft
    }

    function checkIn(uint256 id) external onlyHost exists(id) {
        Booking storage b = bookings[id];
        require(b.active, "not active");
        b.active = false;
        earned += b.deposit;
        emit CheckedIn(id);
    }

    function takeEarnings() external onlyHost {
        uint256 amount = earned;
        earned = 0;
        host.transfer(amount);
    }

    function bookingCount() external view returns (uint256) {
        return bookings.length;
    }

    function guestOf(uint256 id) external view exists(id) returns (address) {
        return bookings[id].guest;
    }
}
