// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base, UsesVm} from "./Base.sol";

/// @notice A vault of shares. Defect: a deposit may be rounded down to no share at all.
contract Shares {
    uint256 public assets;
    uint256 public supply;
    mapping(address => uint256) public sharesOf;

    function deposit(address account, uint256 amount) external returns (uint256 shares) {
        shares = supply == 0 ? amount : (amount * supply) / assets;
        sharesOf[account] += shares;
        supply += shares;
        assets += amount;
    }

    function withdraw(address account, uint256 shares) external returns (uint256 amount) {
        sharesOf[account] -= shares;
        amount = (shares * assets) / supply;
        supply -= shares;
        assets -= amount;
    }

    function donate(uint256 amount) external {
        require(supply > 0, "Shares: nobody is there");
        assets += amount;
    }
}

contract SharesHandler is UsesVm {
    Shares public immutable vault = new Shares();
    uint256 public ghostWithoutShares;

    function deposit(uint8 account, uint256 amount) external {
        if (vault.deposit(actor(account), bound(amount, 1e18, 1_000_000e18)) == 0) ghostWithoutShares += 1;
    }

    function withdraw(uint8 account, uint256 shares) external {
        address owner = actor(account);
        uint256 held = vault.sharesOf(owner);
        require(held > 0, "nothing held");
        vault.withdraw(owner, bound(shares, 1, held));
    }

    function withdrawAllButOne(uint8 account) external {
        address owner = actor(account);
        vault.withdraw(owner, vault.sharesOf(owner) - 1);
    }

    function donate(uint256 amount) external {
        vault.donate(bound(amount, 0, 3e17));
    }

    function actor(uint256 number) public pure returns (address) {
        return address(uint160(0xA0 + (number % 4)));
    }
}

/// @notice Broken by a deposit, withdrawing all of it but one share, four donations or more, and a smaller deposit.
contract InflationTest is Base {
    SharesHandler internal handler;

    function setUp() public {
        handler = new SharesHandler();
        targetContract(address(handler));
    }

    function invariant_everyDepositGetsShares() public view { //~ ERROR property
        assertEq(handler.ghostWithoutShares(), 0);
    }
}
