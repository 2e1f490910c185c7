// By design: the books are written after the call, every entry point that touches them holds the same lock.
pragma solidity ^0.4.24;

contract MutexBank {
    mapping(address => uint256) public balances;
    uint256 public totalDeposits;
    bool private locked;

    event Deposit(address indexed who, uint256 amount);
    event Withdrawal(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);

    modifier noReentry() {
        require(!locked, "locked");
        locked = true;
        _;
        locked = false;
    }

    function deposit() public payable noReentry {
        balances[msg.sender] += msg.value;
        totalDeposits += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) public noReentry {
        require(balances[msg.sender] >= amount, "balance");
        require(msg.sender.call.value(amount)(), "payment failed");
        balances[msg.sender] -= amount;
        totalDeposits -= amount;
        emit Withdrawal(msg.sender, amount);
    }

    function withdrawAll() public noReentry {
        uint256 amount = balances[msg.sender];
        require(amount > 0, "nothing");
        require(msg.sender.call.value(amount)(), "payment failed");
        balances[msg.sender] = 0;
        totalDeposits -= amount;
        emit Withdrawal(msg.sender, amount);
    }

    function move(address to, uint256 amount) public noReentry {
        require(to != address(0), "zero");
        require(balances[msg.sender] >= amount, "balance");
        balances[msg.sender] -= amount;
        balances[to] += amount;
        emit Moved(msg.sender, to, amount);
    }
}
