// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Owned} from "solmate/src/auth/Owned.sol";
import {ERC20} from "solmate/src/tokens/ERC20.sol";
import {ERC4626} from "solmate/src/tokens/ERC4626.sol";
import {WETH} from "solmate/src/tokens/WETH.sol";
import {FixedPointMathLib} from "solmate/src/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solmate/src/utils/SafeTransferLib.sol";

/// @notice Shares in ether, with a fee for the owner.
contract Shares is ERC4626, Owned {
    using FixedPointMathLib for uint256;
    using SafeTransferLib for ERC20;

    uint256 public fees;

    constructor() ERC4626(ERC20(address(new WETH())), "Shares", "SHR") Owned(msg.sender) {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this)) - fees;
    }

    function takeFees() external onlyOwner {
        uint256 amount = fees;
        fees = 0;
        asset.safeTransfer(owner, amount);
    }

    function afterDeposit(uint256 assets, uint256) internal override {
        fees += assets.mulWadDown(1e15);
    }
}
