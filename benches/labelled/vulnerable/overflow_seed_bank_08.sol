// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

/// Old varieties are kept as lots of seed. Growers reserve some, and collect it in spring.
contract SeedBank {
    struct Lot {
        uint256 stock;
        uint256 reserved;
        address donor;
        bytes32 variety;
    }

    address public immutable curator;
    uint256 public allowance;
    Lot[] private lots;

    /// What a grower has reserved, of all lots together: that is what is limited.
    mapping(address => uint256) public reservedBy;
    mapping(address => uint256) public collectedBy;

    event Donated(uint256 indexed lot, address indexed donor, uint256 grams);
    event Reserved(uint256 indexed lot, address indexed grower, uint256 grams);
    event Released(uint256 indexed lot, address indexed grower, uint256 grams);
    event Collected(uint256 indexed lot, address indexed grower, uint256 grams);

    modifier known(uint256 lot) {
        require(lot < lots.length, "no such lot");
        _;
    }

    constructor(uint256 gramsPerGrower) {
        require(gramsPerGrower > 0, "no allowance");
        curator = msg.sender;
        allowance = gramsPerGrower;
    }

    function donate(bytes32 variety, uint32 grams) external returns (uint256 lot) {
        require(grams > 0, "an empty bag");
        lot = lots.length;
        lots.push(Lot(grams, 0, msg.sender, variety));
        emit Donated(lot, msg.sender, grams);
    }

    function reserve(uint256 lot, uint256 grams) external known(lot) {
        require(grams > 0 && grams <= available(lot), "not available");
        require(reservedBy[msg.sender] + grams <= allowance, "above the allowance");
        reservedBy[msg.sender] += grams;
        lots[lot].reserved += grams;
        emit Reserved(lot, msg.sender, grams);
    }

    function release(uint256 lot, uint256 grams) external known(lot) {
        require(grams <= reservedBy[msg.sender], "not reserved");
        // both were raised by as much in reserve()
        unchecked {
            reservedBy[msg.sender] -= grams;
            lots[lot].reserved -= grams; //~ ERROR overflow
        }
        emit Released(lot, msg.sender, grams);
    }

    function collect(uint256 lot, uint256 grams) external known(lot) {
        reservedBy[msg.sender] -= grams;
        lots[lot].reserved -= grams;
        lots[lot].stock -= grams;
        collectedBy[msg.sender] += grams;
        emit Collected(lot, msg.sender, grams);
    }

    function setAllowance(uint256 gramsPerGrower) external {
        require(msg.sender == curator, "curator only");
        allowance = gramsPerGrower;
    }

    function available(uint256 lot) public view known(lot) returns (uint256) {
        Lot storage l = lots[lot];
        return l.reserved >= l.stock ? 0 : l.stock - l.reserved;
    }

    function lotCount() external view returns (uint256) {
        return lots.length;
    }

    function varietyOf(uint256 lot) external view known(lot) returns (bytes32, address) {
        return (lots[lot].variety, lots[lot].donor);
    }
}
