// By design: the result of send() is kept in the books, a holder that cannot be paid fetches it later.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Dividends {
    uint256 public constant MAX_HOLDERS = 50;

    address public immutable issuer;
    address payable[] public holders;
    mapping(address => uint256) public units;
    mapping(address => uint256) public unpaid;
    uint256 public totalUnits;
    uint256 public totalUnpaid;

    event HolderAdded(address indexed holder, uint256 units);
    event Dividend(address indexed holder, uint256 amount, bool sent);
    event Collected(address indexed holder, uint256 amount);

    constructor() {
        issuer = msg.sender;
    }

    function addHolder(address payable holder, uint256 amount) external {
        require(msg.sender == issuer, "issuer only");
        require(holder != address(0) && units[holder] == 0, "holder");
        require(amount > 0 && amount <= 1_000_000, "units");
        require(holders.length < MAX_HOLDERS, "full");
        holders.push(holder);
        units[holder] = amount;
        totalUnits += amount;
        emit HolderAdded(holder, amount);
    }

    function distribute() external payable {
        require(msg.sender == issuer, "issuer only");
        require(totalUnits > 0 && msg.value >= totalUnits, "nothing to share");
        uint256 spent;
        uint256 count = holders.length;
        for (uint256 i; i < count; ++i) {
            address payable holder = holders[i];
            uint256 amount = msg.value * units[holder] / totalUnits;
            spent += amount;
            bool sent = holder.send(amount);
            if (!sent) {
                unpaid[holder] += amount;
                totalUnpaid += amount;
            }
            emit Dividend(holder, amount, sent);
        }
        // the crumbs of the division stay with the issuer
        uint256 rest = msg.value - spent;
        unpaid[issuer] += rest;
        totalUnpaid += rest;
    }

    function collect() external {
        uint256 amount = unpaid[msg.sender];
        require(amount > 0, "nothing");
        unpaid[msg.sender] = 0;
        totalUnpaid -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Collected(msg.sender, amount);
    }
}
