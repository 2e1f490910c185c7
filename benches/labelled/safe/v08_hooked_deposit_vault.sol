// By design: the token calls the sender's own hook in the middle of a deposit; the vault measures by difference under a lock.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface ISenderHook {
    function beforeSend(address from, address to, uint256 amount) external;
}

contract HookCoin {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => ISenderHook) public hookOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    function setHook(ISenderHook hook) external {
        hookOf[msg.sender] = hook;
    }

    function mint() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function redeem(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        emit Transfer(msg.sender, address(0), amount);
        payable(msg.sender).transfer(amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
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
        if (address(hookOf[from]) != address(0)) hookOf[from].beforeSend(from, to, amount);
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

contract HookedDepositVault {
    HookCoin public immutable coin;
    mapping(address => uint256) public deposits;
    uint256 public total;
    uint256 private _status = 1;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    modifier nonReentrant() {
        require(_status == 1, "reentered");
        _status = 2;
        _;
        _status = 1;
    }

    constructor() {
        coin = new HookCoin();
    }

    function deposit(uint256 amount) external nonReentrant {
        uint256 before = coin.balanceOf(address(this));
        require(coin.transferFrom(msg.sender, address(this), amount), "coin");
        uint256 received = coin.balanceOf(address(this)) - before;
        deposits[msg.sender] += received;
        total += received;
        emit Deposited(msg.sender, received);
    }

    function withdraw(uint256 amount) external nonReentrant {
        require(coin.transfer(msg.sender, amount), "coin");
        deposits[msg.sender] -= amount;
        total -= amount;
        emit Withdrawn(msg.sender, amount);
    }

    function move(address to, uint256 amount) external nonReentrant {
        require(to != address(0), "zero");
        deposits[msg.sender] -= amount;
        deposits[to] += amount;
    }
}
