// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";
import {EnumerableMap} from "@openzeppelin/contracts/utils/structs/EnumerableMap.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice Holds coins back until time has passed, and remembers how much there was when.
contract Reserve is TimelockController {
    using Checkpoints for Checkpoints.Trace208;
    using ECDSA for bytes32;
    using EnumerableMap for EnumerableMap.AddressToUintMap;
    using SafeERC20 for IERC20;

    Checkpoints.Trace208 private _history;
    EnumerableMap.AddressToUintMap private _held;

    constructor() TimelockController(1 days, new address[](0), new address[](0), msg.sender) {}

    function hold(IERC20 coin, uint208 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        (, uint256 before) = _held.tryGet(address(coin));
        _held.set(address(coin), before + amount);
        _history.push(uint48(block.timestamp), amount);
    }

    function heldAt(uint48 moment) external view returns (uint208) {
        return _history.upperLookup(moment);
    }

    function signer(bytes32 hash, bytes calldata signature) external pure returns (address) {
        return hash.recover(signature);
    }
}
