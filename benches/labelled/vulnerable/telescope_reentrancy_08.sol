// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Observing time at a public telescope
/// @notice Observers buy hours and reserve nights with them. In each season
///         every observer may buy one block of hours at a subsidised price.
contract TelescopeHours {
    uint256 public constant FULL_PRICE = 10 gwei;
    uint256 public constant SUBSIDISED_PRICE = 1 gwei;
    uint256 public constant BLOCK_OF_HOURS = 4;
    uint256 public constant NIGHT_HOURS = 8;

    address public immutable observatory;
    uint256 public season = 1;
    uint256 public takings;
    uint256 public grantsLeft;

    mapping(address => uint256) public hoursOf;
    mapping(uint256 => mapping(address => bool)) public subsidised;
    mapping(uint256 => address) public observerOf;
    mapping(uint256 => uint256) public reservedHours;

    event Bought(address indexed observer, uint256 hoursBought, uint256 paid);
    event Reserved(uint256 indexed night, address indexed observer);
    event NewSeason(uint256 season, uint256 grants);

    constructor(uint64 grants) {
        observatory = msg.sender;
        grantsLeft = uint256(grants) + 10;
    }

    modifier onlyObservatory() {
        require(msg.sender == observatory, "not the observatory");
        _;
    }

    function buy(uint256 count) external payable {
        require(count > 0 && count <= 1000, "count");
        uint256 price = count * FULL_PRICE;
        require(msg.value >= price, "too little");
        takings += price;
        hoursOf[msg.sender] += count;
        emit Bought(msg.sender, count, price);
        _giveChange(msg.value - price);
    }

    function buySubsidised() external payable {
        require(!subsidised[season][msg.sender], "one block a season");
        require(grantsLeft > 0, "no grants left");
        uint256 price = BLOCK_OF_HOURS * SUBSIDISED_PRICE;
        require(msg.value >= price, "too little");

        if (msg.value > price) {
            (bool ok,) = msg.sender.call{value: msg.value - price}(""); //~ ERROR reentrancy
            require(ok, "change not accepted");
        }

        subsidised[season][msg.sender] = true;
        grantsLeft -= 1;
        takings += price;
        hoursOf[msg.sender] += BLOCK_OF_HOURS;
        emit Bought(msg.sender, BLOCK_OF_HOURS, price);
    }

    function reserve(uint256 night) external {
        require(observerOf[night] == address(0), "taken");
        hoursOf[msg.sender] -= NIGHT_HOURS;
        observerOf[night] = msg.sender;
        reservedHours[season] += NIGHT_HOURS;
        emit Reserved(night, msg.sender);
    }

    function passOn(address to, uint256 count) external {
        require(to != address(0), "recipient");
        hoursOf[msg.sender] -= count;
        hoursOf[to] += count;
    }

    function startSeason(uint64 grants) external onlyObservatory {
        season += 1;
        grantsLeft = grants;
        emit NewSeason(season, grants);
    }

    function withdraw() external onlyObservatory {
        uint256 amount = takings;
        takings = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _giveChange(uint256 amount) private {
        if (amount == 0) return;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "change not accepted");
    }
}
