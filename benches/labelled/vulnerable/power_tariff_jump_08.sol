// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Prepaid electricity with a choice of tariffs
/// @notice A customer opens an account with a tariff, pays in advance, and the meter
///         readings are billed by the curve of the tariff.
contract PowerTariffs {
    enum Tariff {
        Flat,
        Stepped,
        Night
    }

    struct Account {
        address customer;
        uint64 openedAt;
        // one word: the standing charge below, the curve of the tariff above it
        uint64 standing;
        function(uint256) internal returns (uint256) curve;
    }

    uint256 public constant MIN_STANDING = 100;

    address public immutable utility;
    mapping(uint256 => Account) private accounts;
    mapping(uint256 => uint256) public prepaid;
    uint256 public accountCount;
    uint256 public billed;

    event Opened(uint256 indexed id, address indexed customer, Tariff tariff);
    event Billed(uint256 indexed id, uint256 units, uint256 due);
    event Closed(uint256 indexed id, uint256 refund);

    constructor() {
        utility = msg.sender;
    }

    modifier onlyCustomer(uint256 id) {
        require(accounts[id].customer == msg.sender, "not your account");
        _;
    }

    function open(Tariff tariff) external payable returns (uint256 id) {
        require(msg.value >= 1 gwei, "pay in advance");
        id = ++accountCount;
        Account storage a = accounts[id];
        a.customer = msg.sender;
        a.openedAt = uint64(block.timestamp);
        a.standing = uint64(MIN_STANDING);
        if (tariff == Tariff.Flat) a.curve = _flat;
        else if (tariff == Tariff.Stepped) a.curve = _stepped;
        else a.curve = _night;
        prepaid[id] = msg.value;
        emit Opened(id, msg.sender, tariff);
    }

    function payIn(uint256 id) external payable {
        require(accounts[id].customer != address(0), "no such account");
        prepaid[id] += msg.value;
    }

    /// @notice A higher standing charge lets the customer draw more at once.
    function setStanding(uint256 id, uint256 standing) external onlyCustomer(id) {
        require(standing >= MIN_STANDING, "too low");
        Account storage a = accounts[id];
        assembly {
            let slot := add(a.slot, 1)
            let word := sload(slot)
            sstore(slot, xor(word, xor(and(word, 0xffffffffffffffff), standing)))
        }
    }

    function readMeter(uint256 id, uint256 units) external onlyCustomer(id) {
        require(units > 0 && units <= 1e9, "units");
        Account storage a = accounts[id];
        uint256 due = a.curve(units); //~ ERROR arbitrary-jump
        due += a.standing;
        prepaid[id] -= due;
        billed += due;
        emit Billed(id, units, due);
    }

    function close(uint256 id) external onlyCustomer(id) {
        uint256 refund = prepaid[id];
        prepaid[id] = 0;
        delete accounts[id];
        _pay(msg.sender, refund);
        emit Closed(id, refund);
    }

    function collect() external {
        require(msg.sender == utility, "not the utility");
        _payBilled(billed);
    }

    function _payBilled(uint256 amount) internal returns (uint256 rest) {
        rest = billed > amount ? billed - amount : 0;
        billed = rest;
        _pay(msg.sender, amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok,) = to.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _flat(uint256 units) internal returns (uint256) {
        return units * 3;
    }

    function _stepped(uint256 units) internal returns (uint256) {
        return units <= 1000 ? units * 2 : 2000 + (units - 1000) * 5;
    }

    function _night(uint256 units) internal returns (uint256) {
        uint256 hour = block.timestamp / 1 hours % 24;
        return hour < 6 ? units : units * 4;
    }
}
