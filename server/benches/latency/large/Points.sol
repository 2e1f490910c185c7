// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OwnableRoles} from "solady/src/auth/OwnableRoles.sol";
import {ERC20} from "solady/src/tokens/ERC20.sol";
import {EnumerableSetLib} from "solady/src/utils/EnumerableSetLib.sol";
import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {LibString} from "solady/src/utils/LibString.sol";

/// @notice Points that wear off with time.
contract Points is ERC20, OwnableRoles {
    using EnumerableSetLib for EnumerableSetLib.AddressSet;
    using LibString for uint256;

    EnumerableSetLib.AddressSet private _holders;
    mapping(address account => uint256 moment) public earnedAt;

    constructor() {
        _initializeOwner(msg.sender);
    }

    function earn(uint256 amount) external {
        _mint(msg.sender, FixedPointMathLib.min(amount, 1e24));
        _holders.add(msg.sender);
        earnedAt[msg.sender] = block.timestamp;
    }

    function worth(address account) external view returns (uint256) {
        uint256 age = block.timestamp - earnedAt[account];
        return FixedPointMathLib.mulDiv(balanceOf(account), 365 days, 365 days + age);
    }

    function holders() external view returns (uint256) {
        return _holders.length();
    }

    function name() public pure override returns (string memory) {
        return "Points";
    }

    function symbol() public view override returns (string memory) {
        return string.concat("P", totalSupply().toString());
    }
}
