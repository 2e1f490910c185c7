// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Bookings of a barge, each packed into one word:
/// shipper 160 | kilos 32 | trip 32 | hash of the goods 32.
contract CargoManifest {
    address payable public immutable skipper;
    uint256 public immutable perTonne;

    mapping(uint256 => uint256) private bookings;
    mapping(uint256 => uint256) private paid;
    uint256 public count;
    uint256 public income;

    event Booked(uint256 indexed id, address indexed shipper, uint256 kilos, uint256 trip);
    event Withdrawn(uint256 indexed id);
    event Loaded(uint256 indexed id);

    modifier onlySkipper() {
        require(msg.sender == skipper, "skipper only");
        _;
    }

    constructor(uint256 _perTonne) {
        require(_perTonne > 0 && _perTonne < 1 ether, "price out of range");
        skipper = msg.sender;
        perTonne = _perTonne;
    }

    function quote(uint32 kilos) public view returns (uint256) {
        return (uint256(kilos) + 999) / 1000 * perTonne;
    }

    function book(uint256 kilos, uint256 trip, string calldata goods) external payable returns (uint256 id) {
        require(kilos > 0 && kilos <= type(uint32).max, "too heavy");
        require(trip <= type(uint32).max, "no such trip");
        require(msg.value == quote(uint32(kilos)), "wrong freight");
        id = ++count;
        // the lowest 32 bits of the hash are enough to recognise the goods
        uint256 tag = uint256(keccak256(bytes(goods))) & 0xffffffff;
        bookings[id] = uint256(uint160(msg.sender)) << 96 | kilos << 64 | trip << 32 | tag;
        paid[id] = msg.value;
        emit Booked(id, msg.sender, kilos, trip);
    }

    function withdraw(uint256 id) external {
        require(bookings[id] >> 96 == uint256(uint160(msg.sender)), "not your goods");
        uint256 value = paid[id];
        delete bookings[id];
        delete paid[id];
        msg.sender.transfer(value);
        emit Withdrawn(id);
    }

    function load(uint256 id) external onlySkipper {
        require(bookings[id] != 0, "nothing to load");
        income += paid[id];
        delete bookings[id];
        delete paid[id];
        emit Loaded(id);
    }

    function collect() external onlySkipper {
        uint256 value = income;
        income = 0;
        skipper.transfer(value);
    }

    function bookingOf(uint256 id)
        external
        view
        returns (address shipper, uint32 kilos, uint32 trip, uint32 tag)
    {
        uint256 word = bookings[id];
        return (address(uint160(word >> 96)), uint32(word >> 64), uint32(word >> 32), uint32(word));
    }
}
