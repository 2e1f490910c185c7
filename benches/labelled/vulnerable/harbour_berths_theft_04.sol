pragma solidity ^0.4.24;

/// Berths for visiting yachts, paid by the night.
contract HarbourBerths {
    uint256 public constant NIGHT_PRICE = 5 finney;
    uint256 public constant BERTHS = 60;

    struct Stay {
        address skipper;
        uint256 until;
        bytes32 yacht;
    }

    address public harbourMaster;
    mapping(uint256 => Stay) public stays;
    mapping(address => bool) public banned;

    event Reserved(uint256 indexed berth, address indexed skipper, uint256 until);
    event Left(uint256 indexed berth);

    modifier onlyMaster() {
        require(msg.sender == harbourMaster, "not the harbour master");
        _;
    }

    function HarborBerths() public {
        harbourMaster = msg.sender;
    }

    function reserve(uint256 berth, uint256 nights, bytes32 yacht) public payable {
        require(berth < BERTHS, "no such berth");
        require(nights > 0 && nights <= 30, "1 to 30 nights");
        require(!banned[msg.sender], "not welcome");
        require(msg.value == nights * NIGHT_PRICE, "wrong price");
        require(stays[berth].until < now, "occupied");
        stays[berth] = Stay(msg.sender, now + nights * 1 days, yacht);
        emit Reserved(berth, msg.sender, stays[berth].until);
    }

    function leave(uint256 berth) public {
        require(stays[berth].skipper == msg.sender, "not your berth");
        delete stays[berth];
        emit Left(berth);
    }

    function isFree(uint256 berth) public view returns (bool) {
        return berth < BERTHS && stays[berth].until < now;
    }

    function ban(address skipper, bool value) public onlyMaster {
        banned[skipper] = value;
    }

    function collectFees() public onlyMaster {
        harbourMaster.transfer(address(this).balance); //~ ERROR ether-theft
    }
}
