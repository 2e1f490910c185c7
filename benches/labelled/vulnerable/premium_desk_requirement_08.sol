// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice The tariff of the insurer, as the supervisor approved it.
contract Tariff {
    uint256 private constant BASE = 120;

    /// @param age of the boat in years
    /// @param class 1 for harbours, 2 for coasts, 3 for the open sea
    function rate(uint256 age, uint8 class) external pure returns (uint256) {
        require(class >= 1 && class <= 3, "no such class");
        require(age <= 60, "too old to insure");
        return BASE * class + age * 7;
    }
}

/// @title Premiums of boat insurance
contract PremiumDesk {
    enum Waters {
        Harbour,
        Coast,
        Sea
    }

    Tariff public immutable tariff;
    mapping(address => uint256) public quoted;
    uint256 public quotes;

    event Quoted(address indexed owner, uint256 premium);

    constructor() {
        tariff = new Tariff();
    }

    /// @notice For boats that leave their harbour.
    function quoteVoyage(uint256 age, bool openSea) external returns (uint256 premium) {
        Waters waters = openSea ? Waters.Sea : Waters.Coast;
        premium = tariff.rate(age, uint8(waters) + 1);
        _note(premium);
    }

    /// @notice For houseboats, which pay half of the rate.
    function quoteHouseboat(uint256 age) external returns (uint256 premium) {
        premium = tariff.rate(age, uint8(Waters.Harbour)) / 2; //~ ERROR requirement
        _note(premium);
    }

    function forget() external {
        quoted[msg.sender] = 0;
    }

    function _note(uint256 premium) private {
        quoted[msg.sender] = premium;
        quotes += 1;
        emit Quoted(msg.sender, premium);
    }
}
