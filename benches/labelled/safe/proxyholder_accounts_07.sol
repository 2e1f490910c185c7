// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Accounts in ether for people who let a holder act for them: a shipowner and
/// the broker, a player and the manager.
abstract contract Proxyholder {
    mapping(address => mapping(address => bool)) private holders;

    event HolderSet(address indexed principal, address indexed holder, bool allowed);

    function setHolder(address holder, bool allowed) external {
        require(holder != address(0) && holder != msg.sender, "not a holder");
        holders[msg.sender][holder] = allowed;
        emit HolderSet(msg.sender, holder, allowed);
    }

    function mayAct(address actor, address principal) public view returns (bool) {
        return actor == principal || holders[principal][actor];
    }

    modifier actingFor(address principal) {
        require(mayAct(msg.sender, principal), "not authorised");
        _;
    }
}

contract ProxyholderAccounts is Proxyholder {
    struct Account {
        uint128 balance;
        uint64 lastMove;
        bool frozen;
    }

    address public immutable bank;
    mapping(address => Account) private accounts;

    event Credited(address indexed account, address indexed by, uint256 value);
    event PaidOut(address indexed account, address indexed by, address indexed to, uint256 value);
    event Frozen(address indexed account, bool frozen);

    constructor() {
        bank = msg.sender;
    }

    receive() external payable {
        _credit(msg.sender, msg.value);
    }

    function credit(address account) external payable {
        _credit(account, msg.value);
    }

    function payOut(address account, address payable to, uint256 value) external actingFor(account) {
        require(to != address(0), "to nobody");
        Account storage a = accounts[account];
        require(!a.frozen, "account is frozen");
        require(value <= a.balance, "balance too low");
        a.balance -= uint128(value);
        a.lastMove = uint64(block.timestamp);
        to.transfer(value);
        emit PaidOut(account, msg.sender, to, value);
    }

    function freeze(address account, bool frozen) external {
        require(msg.sender == bank, "bank only");
        accounts[account].frozen = frozen;
        emit Frozen(account, frozen);
    }

    function balanceOf(address account) external view returns (uint256) {
        return accounts[account].balance;
    }

    function lastMoveOf(address account) external view returns (uint256) {
        return accounts[account].lastMove;
    }

    function _credit(address account, uint256 value) private {
        require(account != address(0), "nobody");
        require(value > 0 && value < 2**96, "value out of range");
        Account storage a = accounts[account];
        a.balance += uint128(value);
        a.lastMove = uint64(block.timestamp);
        emit Credited(account, msg.sender, value);
    }
}
