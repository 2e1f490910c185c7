// SPDX-License-Identifier: MIT
pragma solidity ^0.4.19;
// Exploit: deposit, cashOut, re-enter cashOut from the fallback; when the calls unwind the balance is lowered twice and wraps to a huge credit.
contract AuditLog {
    struct Entry {
        address who;
        string what;
        uint256 amount;
    }

    Entry[] public history;
    address public writer;

    constructor() public {
        writer = msg.sender;
    }

    function note(address who, uint256 amount, string what) public {
        require(msg.sender == writer);
        history.push(Entry(who, what, amount));
    }
}

contract CashBank {
    mapping(address => uint256) public balances;
    uint256 public minDeposit = 1 finney;
    AuditLog public log;

    constructor() public {
        log = new AuditLog();
    }

    function deposit() public payable {
        require(msg.value >= minDeposit);
        balances[msg.sender] += msg.value;
        log.note(msg.sender, msg.value, "deposit");
    }

    function cashOut(uint256 amount) public {
        if (amount <= balances[msg.sender]) {
            if (msg.sender.call.value(amount)()) { //~ ERROR reentrancy
                balances[msg.sender] -= amount; //~ ERROR overflow
                log.note(msg.sender, amount, "cashOut");
            }
        }
    }
}
