pragma solidity ^0.5.0;

contract TrusteeWallet {
    struct Transaction {
        address to;
        uint256 value;
        bytes data;
        uint256 confirmations;
        bool executed;
    }

    mapping(address => bool) public isTrustee;
    uint256 public trustees;
    uint256 public required;
    Transaction[] private transactions;
    mapping(uint256 => mapping(address => bool)) public confirmedBy;

    event Deposit(address indexed from, uint256 amount);
    event Submitted(uint256 indexed id, address indexed trustee, address to, uint256 value);
    event Confirmed(uint256 indexed id, address indexed trustee);
    event Revoked(uint256 indexed id, address indexed trustee);
    event Executed(uint256 indexed id);

    modifier onlyTrustee() {
        require(isTrustee[msg.sender], "trustees only");
        _;
    }

    modifier open(uint256 id) {
        require(id < transactions.length, "no such transaction");
        require(!transactions[id].executed, "executed");
        _;
    }

    constructor(address second, address third) public {
        _addTrustee(msg.sender);
        _addTrustee(second);
        _addTrustee(third);
        required = trustees / 2 + 1;
    }

    function() external payable {
        emit Deposit(msg.sender, msg.value);
    }

    function submit(address to, uint256 value, bytes calldata data) external onlyTrustee returns (uint256 id) {
        require(to != address(0), "no receiver");
        id = transactions.length;
        transactions.push(Transaction(to, value, data, 0, false));
        emit Submitted(id, msg.sender, to, value);
    }

    function confirm(uint256 id) external onlyTrustee open(id) {
        require(!confirmedBy[id][msg.sender], "confirmed");
        confirmedBy[id][msg.sender] = true;
        transactions[id].confirmations += 1;
        emit Confirmed(id, msg.sender);
    }

    function revoke(uint256 id) external onlyTrustee open(id) {
        require(confirmedBy[id][msg.sender], "not confirmed");
        confirmedBy[id][msg.sender] = false;
        transactions[id].confirmations -= 1;
        emit Revoked(id, msg.sender);
    }

    function execute(uint256 id) external onlyTrustee open(id) {
        Transaction storage t = transactions[id];
        require(t.confirmations >= required, "not enough confirmations");
        t.executed = true;
        (bool ok, ) = t.to.call.value(t.value)(t.data);
        require(ok, "transaction failed");
        emit Executed(id);
    }

    function transactionCount() external view returns (uint256) {
        return transactions.length;
    }

    function _addTrustee(address who) private {
        if (who != address(0) && !isTrustee[who]) {
            isTrustee[who] = true;
            trustees += 1;
        }
    }
}
