// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Accounts that are moved by lists of actions, to save transactions.
contract ActionBank {
    enum Kind {
        Deposit,
        Move,
        Withdraw,
        Reserve,
        Free
    }

    struct Action {
        Kind kind;
        address account;
        uint256 amount;
    }

    uint256 public constant MAX_ACTIONS = 16;

    mapping(address => uint256) public balances;
    mapping(address => mapping(address => uint256)) public reserved;

    event Deposited(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Reserved(address indexed from, address indexed forWhom, uint256 amount);

    function execute(Action[] calldata actions) external payable {
        require(actions.length > 0 && actions.length <= MAX_ACTIONS, "wrong length");
        for (uint256 i = 0; i < actions.length; i++) {
            Action calldata action = actions[i];
            if (action.kind == Kind.Deposit) {
                require(action.amount == msg.value, "not what was paid");
                balances[msg.sender] += action.amount;
                emit Deposited(msg.sender, action.amount);
            } else if (action.kind == Kind.Move) {
                _move(action.account, action.amount);
            } else if (action.kind == Kind.Withdraw) {
                _withdraw(action.amount);
            } else if (action.kind == Kind.Reserve) {
                balances[msg.sender] -= action.amount;
                reserved[msg.sender][action.account] += action.amount;
                emit Reserved(msg.sender, action.account, action.amount);
            } else {
                reserved[msg.sender][action.account] -= action.amount;
                balances[msg.sender] += action.amount;
            }
        }
    }

    function takeReserved(address from, uint256 amount) external {
        reserved[from][msg.sender] -= amount;
        balances[msg.sender] += amount;
        emit Moved(from, msg.sender, amount);
    }

    function _move(address to, uint256 amount) private {
        require(to != address(0), "nobody");
        balances[msg.sender] -= amount;
        balances[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function _withdraw(uint256 amount) private {
        balances[msg.sender] -= amount;
        emit Withdrawn(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "not accepted");
    }
}
