// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// The tariff of the line. Weights are in kilos and fit the old waybills (32 bits).
contract FreightTariff {
    address public immutable publisher;
    uint256 public handling;
    uint256 public perTonne;

    event TariffSet(uint256 handling, uint256 perTonne);

    constructor(uint256 _handling, uint256 _perTonne) {
        require(_handling < 1 ether && _perTonne > 0 && _perTonne < 1 ether, "tariff out of range");
        publisher = msg.sender;
        handling = _handling;
        perTonne = _perTonne;
    }

    function setTariff(uint256 _handling, uint256 _perTonne) external {
        require(msg.sender == publisher, "publisher only");
        require(_handling < 1 ether && _perTonne > 0 && _perTonne < 1 ether, "tariff out of range");
        handling = _handling;
        perTonne = _perTonne;
        emit TariffSet(_handling, _perTonne);
    }

    function quote(uint32 kilos) external view returns (uint256) {
        uint256 tonnes = (uint256(kilos) + 999) / 1000;
        return handling + tonnes * perTonne;
    }
}

contract FreightLine {
    struct Booking {
        address shipper;
        uint64 sailing;
        bool loaded;
        uint256 kilos;
        uint256 paid;
    }

    FreightTariff public immutable tariff;
    address payable public immutable line;

    Booking[] public bookings;
    mapping(uint64 => uint256) public bookedOn;
    uint256 public income;

    event Booked(uint256 indexed id, address indexed shipper, uint64 sailing, uint256 kilos);
    event Withdrawn(uint256 indexed id);
    event Loaded(uint256 indexed id);

    modifier onlyLine() {
        require(msg.sender == line, "line only");
        _;
    }

    constructor(FreightTariff _tariff) {
        tariff = _tariff;
        line = msg.sender;
    }

    function book(uint64 sailing, uint256 kilos) external payable returns (uint256 id) {
        require(kilos > 0, "nothing to ship");
        require(kilos < 2**128, "too heavy");
        uint256 price = tariff.quote(uint32(kilos)); //~ ERROR overflow
        require(msg.value == price, "wrong freight");
        id = bookings.length;
        bookings.push(Booking(msg.sender, sailing, false, kilos, price));
        bookedOn[sailing] += kilos;
        emit Booked(id, msg.sender, sailing, kilos);
    }

    /// Before it is loaded a shipper may withdraw the goods, and gets the freight back.
    function withdraw(uint256 id) external {
        require(id < bookings.length, "no such booking");
        Booking storage b = bookings[id];
        require(b.shipper == msg.sender, "not your goods");
        require(!b.loaded, "on board");
        uint256 paid = b.paid;
        bookedOn[b.sailing] -= b.kilos;
        delete bookings[id];
        msg.sender.transfer(paid);
        emit Withdrawn(id);
    }

    function load(uint256 id) external onlyLine {
        require(id < bookings.length, "no such booking");
        Booking storage b = bookings[id];
        require(b.shipper != address(0) && !b.loaded, "nothing to load");
        b.loaded = true;
        income += b.paid;
        emit Loaded(id);
    }

    function collect() external onlyLine {
        uint256 value = income;
        income = 0;
        line.transfer(value);
    }
}
