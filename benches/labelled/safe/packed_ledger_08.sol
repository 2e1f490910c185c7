// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Narrow {
    function to128(uint256 value) internal pure returns (uint128) {
        require(value <= type(uint128).max, "more than 128 bits");
        return uint128(value);
    }

    function to64(uint256 value) internal pure returns (uint64) {
        require(value <= type(uint64).max, "more than 64 bits");
        return uint64(value);
    }
}

/// Prepaid balances in packed slots: what is free, what is reserved, and since when.
contract PackedLedger {
    using Narrow for uint256;

    struct Account {
        uint128 free;
        uint128 reserved;
        uint64 reservedAt;
        uint32 payments;
    }

    uint256 public constant HOLD = 1 days;

    mapping(address => Account) private accounts;

    event Deposited(address indexed account, uint256 amount);
    event Reserved(address indexed account, uint256 amount);
    event Paid(address indexed from, address indexed to, uint256 amount);

    function accountOf(address who) external view returns (Account memory) {
        return accounts[who];
    }

    function deposit() external payable {
        Account storage account = accounts[msg.sender];
        account.free += msg.value.to128();
        emit Deposited(msg.sender, msg.value);
    }

    function reserve(uint256 amount) external {
        Account storage account = accounts[msg.sender];
        require(amount <= account.free, "not enough");
        unchecked {
            account.free -= uint128(amount);
        }
        account.reserved += uint128(amount);
        account.reservedAt = block.timestamp.to64();
        emit Reserved(msg.sender, amount);
    }

    function release() external {
        Account storage account = accounts[msg.sender];
        require(block.timestamp >= account.reservedAt + HOLD, "held");
        uint128 amount = account.reserved;
        account.reserved = 0;
        account.free += amount;
    }

    function pay(address to, uint256 amount) public {
        require(to != address(0), "no receiver");
        Account storage from = accounts[msg.sender];
        require(amount <= from.free, "not enough");
        unchecked {
            from.free -= uint128(amount);
        }
        accounts[to].free += uint128(amount);
        if (from.payments < type(uint32).max) {
            unchecked {
                from.payments++;
            }
        }
        emit Paid(msg.sender, to, amount);
    }

    function payAll(address[] calldata to, uint256 each) external {
        require(to.length <= 20, "too many");
        for (uint256 i = 0; i < to.length;) {
            pay(to[i], each);
            unchecked {
                ++i;
            }
        }
    }

    function withdraw(uint256 amount) external {
        Account storage account = accounts[msg.sender];
        uint256 free = account.free;
        require(amount <= free, "not enough");
        uint256 left;
        assembly {
            left := sub(free, amount)
        }
        account.free = left.to128();
        payable(msg.sender).transfer(amount);
    }
}
