// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @notice The asset that treasuries hold: everyone may mint it.
contract Coin is ERC20("Coin", "COIN") {
    function mint(uint256 amount) external {
        _mint(msg.sender, amount);
    }
}

/// @notice Keeps a coin for its depositors, and lends some of it to whom its owner trusts.
contract Treasury is ERC4626, AccessControl, Pausable, ReentrancyGuard {
    bytes32 public constant GUARDIAN = keccak256("GUARDIAN");

    uint256 public immutable limit = 1_000;
    uint256 public lent;

    error LimitReached(uint256 limit);

    constructor() ERC20("Treasury share", "TSH") ERC4626(new Coin()) {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _grantRole(GUARDIAN, msg.sender);
    }

    /// @notice Notes that assets were lent. In all, never more than the limit, and nothing while paused.
    function lend(uint256 assets) external nonReentrant {
        _requireNotPaused();
        assert(!paused());
        if (assets > limit - lent) revert LimitReached(limit);
        lent += assets;
    }

    function repay(uint256 assets) external nonReentrant {
        lent -= assets > lent ? lent : assets;
    }

    function pause() external onlyRole(GUARDIAN) {
        _pause();
    }

    function unpause() external onlyRole(GUARDIAN) {
        _unpause();
    }

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() + lent;
    }
}
