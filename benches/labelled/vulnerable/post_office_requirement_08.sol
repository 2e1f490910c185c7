// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The postage of a parcel
contract PostTariff {
    uint256 public constant HEAVIEST = 20_000;

    /// @param zone 1 for the own country, up to 5 for the other side of the world
    /// @param grams the weight
    function postage(uint8 zone, uint256 grams) external pure returns (uint256) {
        require(zone >= 1 && zone <= 5, "no such zone");
        require(grams > 0 && grams <= HEAVIEST, "weight");
        uint256 steps = (grams + 499) / 500;
        return steps * zone * 1 gwei;
    }

    function insurance(uint256 worth) external pure returns (uint256) {
        return worth / 200;
    }
}

/// @title Post office that takes parcels against prepaid credit
contract PostOffice { //~ ERROR frozen-ether
    enum State {
        None,
        Posted,
        Delivered
    }

    struct Parcel {
        address sender;
        address recipient;
        uint64 postedAt;
        uint128 paid;
        State state;
    }

    uint8 private constant DOMESTIC = 0;

    PostTariff public immutable tariff;
    address public immutable postmaster;
    mapping(address => bool) public registered;
    mapping(address => uint256) public credit;
    mapping(uint256 => Parcel) public parcels;
    uint256 public parcelCount;
    uint256 public takings;

    event Registered(address indexed who);
    event Posted(uint256 indexed id, address indexed sender, address indexed recipient, uint256 paid);
    event Delivered(uint256 indexed id);

    constructor() {
        tariff = new PostTariff();
        postmaster = msg.sender;
    }

    modifier onlyRegistered() {
        require(registered[msg.sender], "not registered");
        _;
    }

    function register() external {
        require(!registered[msg.sender], "registered");
        registered[msg.sender] = true;
        emit Registered(msg.sender);
    }

    function topUp() external payable onlyRegistered {
        credit[msg.sender] += msg.value;
    }

    function postAbroad(address recipient, uint8 zone, uint256 grams) external onlyRegistered returns (uint256) {
        require(zone != DOMESTIC, "use the domestic counter");
        return _post(recipient, tariff.postage(zone, grams));
    }

    function postDomestic(address recipient, uint256 grams) external onlyRegistered returns (uint256) {
        return _post(recipient, tariff.postage(DOMESTIC, grams)); //~ ERROR requirement
    }

    function confirm(uint256 id) external {
        Parcel storage p = parcels[id];
        require(p.state == State.Posted, "not on its way");
        require(msg.sender == p.recipient || msg.sender == postmaster, "not the recipient");
        p.state = State.Delivered;
        emit Delivered(id);
    }

    /// @notice A parcel that did not arrive within a month is credited to its sender.
    function compensate(uint256 id) external {
        Parcel storage p = parcels[id];
        require(p.state == State.Posted && msg.sender == p.sender, "not your parcel");
        require(block.timestamp > uint256(p.postedAt) + 30 days, "be patient");
        p.state = State.Delivered;
        takings -= p.paid;
        credit[msg.sender] += p.paid;
    }

    function _post(address recipient, uint256 price) private returns (uint256 id) {
        require(recipient != address(0), "recipient");
        credit[msg.sender] -= price;
        takings += price;
        id = ++parcelCount;
        parcels[id] = Parcel(msg.sender, recipient, uint64(block.timestamp), uint128(price), State.Posted);
        emit Posted(id, msg.sender, recipient, price);
    }
}
