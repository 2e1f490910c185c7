// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Accounts in ether for people who let an agent act for them: a landlord and
/// the caretaker, an author and the publisher.
abstract contract Agency {
    mapping(address => mapping(address => bool)) private agents;

    event AgentSet(address indexed principal, address indexed agent, bool allowed);

    function setAgent(address agent, bool allowed) external {
        require(agent != address(0) && agent != msg.sender, "not an agent");
        agents[msg.sender][agent] = allowed;
        emit AgentSet(msg.sender, agent, allowed);
    }

    function mayAct(address actor, address principal) public view returns (bool) {
        return actor == principal || agents[actor][principal];
    }

    modifier actingFor(address principal) {
        require(mayAct(msg.sender, principal), "not authorised");
        _;
    }
}

contract AgencyAccounts is Agency {
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
        to.transfer(value); //~ ERROR ether-theft
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
