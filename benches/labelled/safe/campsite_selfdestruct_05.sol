// Sound: anyone may have a meter destroyed, but only the own one, and the ether in it goes to the guest who paid it in.
pragma solidity 0.5.17;

/// The power meter of one pitch. It holds what its guest paid ahead.
contract PowerMeter {
    Campsite public campsite;
    address payable public guest;
    uint256 public used;

    constructor(address payable who) public payable {
        campsite = Campsite(msg.sender);
        guest = who;
    }

    modifier onlyCampsite() {
        require(msg.sender == address(campsite), "not the campsite");
        _;
    }

    function topUp() external payable onlyCampsite {}

    function charge(uint256 amount) external onlyCampsite {
        require(amount <= address(this).balance, "not paid ahead");
        used += amount;
        campsite.receiveCharge.value(amount)();
    }

    function remove() external onlyCampsite {
        selfdestruct(guest);
    }
}

/// Guests of a campsite get a meter of their own when they check in, and what is left in it
/// when they check out.
contract Campsite {
    address payable public warden;
    mapping(address => PowerMeter) public meterOf;

    event CheckedIn(address indexed guest, PowerMeter meter);
    event Charged(address indexed guest, uint256 amount);
    event CheckedOut(address indexed guest, uint256 left);

    constructor() public {
        warden = msg.sender;
    }

    modifier onlyWarden() {
        require(msg.sender == warden, "not the warden");
        _;
    }

    function checkIn() external payable {
        require(msg.value > 0, "nothing paid ahead");
        require(address(meterOf[msg.sender]) == address(0), "one pitch each");
        PowerMeter meter = (new PowerMeter).value(msg.value)(msg.sender);
        meterOf[msg.sender] = meter;
        emit CheckedIn(msg.sender, meter);
    }

    function topUp() external payable {
        PowerMeter meter = meterOf[msg.sender];
        require(address(meter) != address(0), "no pitch");
        meter.topUp.value(msg.value)();
    }

    function read(address guest, uint256 amount) external onlyWarden {
        PowerMeter meter = meterOf[guest];
        require(address(meter) != address(0), "no pitch");
        require(amount > 0, "nothing used");
        meter.charge(amount);
        emit Charged(guest, amount);
    }

    function receiveCharge() external payable {}

    function checkOut() external {
        PowerMeter meter = meterOf[msg.sender];
        require(address(meter) != address(0), "no pitch");
        delete meterOf[msg.sender];
        emit CheckedOut(msg.sender, address(meter).balance);
        meter.remove();
    }

    function collect() external onlyWarden {
        warden.transfer(address(this).balance);
    }
}
