// By design: anybody may trigger release(), the money always goes to the payee.
pragma solidity ^0.5.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "SafeMath: addition overflow");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "SafeMath: subtraction overflow");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b, "SafeMath: multiplication overflow");
        return c;
    }
}

contract PaymentSplitter {
    using SafeMath for uint256;

    address public admin;
    bool public sealed_;
    uint256 public totalShares;
    uint256 public totalReleased;
    mapping(address => uint256) public shares;
    mapping(address => uint256) public released;
    address payable[] public payees;

    event PayeeAdded(address account, uint256 shares);
    event PaymentReleased(address to, uint256 amount);
    event PaymentReceived(address from, uint256 amount);

    constructor() public {
        admin = msg.sender;
        _addPayee(msg.sender, 10);
    }

    /// shares can only change while no money may come in
    function addPayee(address payable account, uint256 amount) external {
        require(msg.sender == admin, "admin only");
        require(!sealed_, "sealed");
        _addPayee(account, amount);
    }

    function seal() external {
        require(msg.sender == admin, "admin only");
        sealed_ = true;
    }

    function () external payable {
        require(sealed_, "not sealed yet");
        emit PaymentReceived(msg.sender, msg.value);
    }

    function release(address payable account) external {
        require(sealed_, "not sealed yet");
        require(shares[account] > 0, "account has no shares");

        uint256 totalReceived = address(this).balance.add(totalReleased);
        uint256 payment = totalReceived.mul(shares[account]) / totalShares;
        payment = payment.sub(released[account]);
        require(payment != 0, "account is not due payment");

        released[account] = released[account].add(payment);
        totalReleased = totalReleased.add(payment);
        account.transfer(payment);
        emit PaymentReleased(account, payment);
    }

    function _addPayee(address payable account, uint256 amount) internal {
        require(account != address(0), "zero");
        require(amount > 0 && amount <= 10000, "shares");
        require(shares[account] == 0, "known");
        payees.push(account);
        shares[account] = amount;
        totalShares = totalShares.add(amount);
        emit PayeeAdded(account, amount);
    }
}
