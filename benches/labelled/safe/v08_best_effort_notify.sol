// By design: listeners are told of transfers as a courtesy, a listener that fails is ignored and nothing depends on it.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.11;

interface ITransferListener {
    function onMoved(address from, address to, uint256 amount) external;
}

contract NotifyingToken {
    uint256 private constant NOTIFY_GAS = 40_000;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => address) public listenerOf;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event ListenerSet(address indexed who, address listener);

    constructor() {
        totalSupply = 1_000_000e18;
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function setListener(address listener) external {
        require(listener != address(this), "self");
        listenerOf[msg.sender] = listener;
        emit ListenerSet(msg.sender, listener);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        require(to != address(0), "zero");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        _notify(listenerOf[from], from, to, amount);
        _notify(listenerOf[to], from, to, amount);
    }

    function _notify(address listener, address from, address to, uint256 amount) private {
        if (listener.code.length == 0) return;
        bytes memory data = abi.encodeCall(ITransferListener.onMoved, (from, to, amount));
        // no return data is copied: a listener cannot make the transfer costly
        assembly {
            pop(call(NOTIFY_GAS, listener, 0, add(data, 32), mload(data), 0, 0))
        }
    }
}
