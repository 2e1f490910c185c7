// By design: the books are written after the call, a lock in transient storage covers every entry.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract TransientLockBank {
    bool private transient _entered;
    mapping(address => uint256) private _balances;
    uint256 private _total;

    event Deposit(address indexed who, uint256 amount);
    event Withdrawal(address indexed who, uint256 amount);

    error Reentered();
    error Insufficient();
    error PaymentFailed();

    modifier guarded() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    // views are refused during a call too, so nobody reads stale books
    modifier notDuring() {
        if (_entered) revert Reentered();
        _;
    }

    receive() external payable guarded {
        _credit(msg.sender);
    }

    function deposit() external payable guarded {
        _credit(msg.sender);
    }

    function withdraw(uint256 amount) external guarded {
        if (_balances[msg.sender] < amount) revert Insufficient();
        (bool ok,) = msg.sender.call{value: amount}("");
        if (!ok) revert PaymentFailed();
        unchecked {
            _balances[msg.sender] -= amount;
            _total -= amount;
        }
        emit Withdrawal(msg.sender, amount);
    }

    function move(address to, uint256 amount) external guarded {
        if (to == address(0) || _balances[msg.sender] < amount) revert Insufficient();
        unchecked {
            _balances[msg.sender] -= amount;
            _balances[to] += amount;
        }
    }

    function balanceOf(address who) external view notDuring returns (uint256) {
        return _balances[who];
    }

    function total() external view notDuring returns (uint256) {
        return _total;
    }

    function _credit(address who) private {
        _balances[who] += msg.value;
        _total += msg.value;
        emit Deposit(who, msg.value);
    }
}
