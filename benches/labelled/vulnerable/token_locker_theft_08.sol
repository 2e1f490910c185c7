// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract CommunityToken {
    string public constant name = "Community Token";
    string public constant symbol = "CMT";
    uint8 public constant decimals = 18;
    uint256 public constant RATE = 100;

    address public immutable treasury = msg.sender;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function buy() external payable {
        uint256 value = msg.value * RATE;
        totalSupply += value;
        balanceOf[msg.sender] += value;
        emit Transfer(address(0), msg.sender, value);
    }

    function collect() external {
        require(msg.sender == treasury, "not the treasury");
        payable(treasury).transfer(address(this).balance);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Locks tokens of their holders until a time that they choose.
contract TokenLocker {
    struct Lock {
        address holder;
        uint256 amount;
        uint256 unlockAt;
    }

    CommunityToken public immutable token;
    Lock[] public locks;
    mapping(address => uint256) public lockedOf;

    event Locked(uint256 indexed id, address indexed holder, uint256 amount, uint256 unlockAt);
    event Unlocked(uint256 indexed id, uint256 amount);

    constructor(CommunityToken token_) {
        token = token_;
    }

    function lock(uint256 amount, uint256 duration) external returns (uint256 id) {
        require(amount > 0 && duration <= 4 * 365 days, "wrong lock");
        id = locks.length;
        locks.push(Lock(msg.sender, amount, block.timestamp + duration));
        lockedOf[msg.sender] += amount;
        require(token.transferFrom(msg.sender, address(this), amount), "not paid");
        emit Locked(id, msg.sender, amount, block.timestamp + duration);
    }

    function extend(uint256 id, uint256 extra) external {
        Lock storage item = locks[id];
        require(item.holder == msg.sender, "not the holder");
        require(extra <= 365 days, "too long");
        item.unlockAt += extra;
    }

    function handOver(uint256 id, address to) external {
        Lock storage item = locks[id];
        require(item.holder == msg.sender && to != address(0), "not the holder");
        lockedOf[msg.sender] -= item.amount;
        lockedOf[to] += item.amount;
        item.holder = to;
    }

    function unlock(uint256 id, uint256 amount) external {
        Lock storage item = locks[id];
        require(block.timestamp >= item.unlockAt, "still locked");
        require(amount > 0 && amount <= item.amount, "not that much");
        item.amount -= amount;
        lockedOf[item.holder] -= amount;
        emit Unlocked(id, amount);
        require(token.transfer(msg.sender, amount), "not paid"); //~ ERROR ether-theft
    }

    function count() external view returns (uint256) {
        return locks.length;
    }
}
