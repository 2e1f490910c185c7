pragma solidity ^0.5.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        require(c >= a, "addition overflow");
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "subtraction overflow");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256 c) {
        if (a == 0) return 0;
        c = a * b;
        require(c / a == b, "multiplication overflow");
    }
}

/// Accounts with payments to many receivers. It asserts that the books are right.
contract SafeLedger {
    using SafeMath for uint256;

    mapping(address => uint256) public balances;
    uint256 public total;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Paid(address indexed from, address indexed to, uint256 amount);

    function deposit() external payable {
        balances[msg.sender] = balances[msg.sender].add(msg.value);
        total = total.add(msg.value);
        emit Deposited(msg.sender, msg.value);
        audit(msg.sender);
    }

    function withdraw(uint256 amount) external {
        balances[msg.sender] = balances[msg.sender].sub(amount);
        total = total.sub(amount);
        emit Withdrawn(msg.sender, amount);
        msg.sender.transfer(amount);
        audit(msg.sender);
    }

    function pay(address to, uint256 amount) public {
        require(to != address(0), "nobody");
        balances[msg.sender] = balances[msg.sender].sub(amount);
        balances[to] = balances[to].add(amount);
        emit Paid(msg.sender, to, amount);
        audit(to);
    }

    function payAll(address[] calldata receivers, uint256 amount) external {
        require(receivers.length > 0 && receivers.length <= 20, "wrong number");
        uint256 sum = amount.mul(receivers.length);
        require(balances[msg.sender].sub(sum) >= 0, "not enough");
        balances[msg.sender] = balances[msg.sender].sub(sum);
        for (uint256 i = 0; i < receivers.length; i++) {
            balances[receivers[i]] = balances[receivers[i]].add(amount);
            emit Paid(msg.sender, receivers[i], amount);
        }
        audit(msg.sender);
    }

    function audit(address who) public view {
        assert(balances[who] <= total);
        assert(address(this).balance >= total);
    }
}
