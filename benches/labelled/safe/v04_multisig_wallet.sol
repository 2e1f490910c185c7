// By design: owners who reach the quorum may call anything with any value and data.
pragma solidity ^0.4.24;

contract MultiSigWallet {
    uint256 public constant MAX_OWNER_COUNT = 20;

    struct Transaction {
        address destination;
        uint256 value;
        bytes data;
        bool executed;
    }

    Transaction[] public transactions;
    mapping(uint256 => mapping(address => bool)) public confirmations;
    mapping(address => bool) public isOwner;
    address[] public owners;
    uint256 public required;

    event Confirmation(address indexed sender, uint256 indexed id);
    event Revocation(address indexed sender, uint256 indexed id);
    event Submission(uint256 indexed id);
    event Execution(uint256 indexed id);
    event ExecutionFailure(uint256 indexed id);
    event Deposit(address indexed sender, uint256 value);

    modifier onlyWallet() {
        require(msg.sender == address(this));
        _;
    }

    modifier onlyOwners() {
        require(isOwner[msg.sender]);
        _;
    }

    modifier pending(uint256 id) {
        require(id < transactions.length && !transactions[id].executed);
        _;
    }

    constructor() public {
        isOwner[msg.sender] = true;
        owners.push(msg.sender);
        required = 1;
    }

    function () external payable {
        if (msg.value > 0) emit Deposit(msg.sender, msg.value);
    }

    function addOwner(address owner) public onlyWallet {
        require(owner != address(0) && !isOwner[owner]);
        require(owners.length < MAX_OWNER_COUNT);
        isOwner[owner] = true;
        owners.push(owner);
    }

    function changeRequirement(uint256 newRequired) public onlyWallet {
        require(newRequired > 0 && newRequired <= owners.length);
        required = newRequired;
    }

    function submit(address destination, uint256 value, bytes data) public onlyOwners returns (uint256 id) {
        require(destination != address(0));
        id = transactions.length;
        transactions.push(Transaction(destination, value, data, false));
        emit Submission(id);
        confirm(id);
    }

    function confirm(uint256 id) public onlyOwners pending(id) {
        require(!confirmations[id][msg.sender]);
        confirmations[id][msg.sender] = true;
        emit Confirmation(msg.sender, id);
    }

    function revoke(uint256 id) public onlyOwners pending(id) {
        require(confirmations[id][msg.sender]);
        confirmations[id][msg.sender] = false;
        emit Revocation(msg.sender, id);
    }

    function execute(uint256 id) public onlyOwners pending(id) {
        require(isConfirmed(id));
        Transaction storage t = transactions[id];
        t.executed = true;
        if (t.destination.call.value(t.value)(t.data)) {
            emit Execution(id);
        } else {
            // may be tried again by the owners
            t.executed = false;
            emit ExecutionFailure(id);
        }
    }

    function isConfirmed(uint256 id) public view returns (bool) {
        uint256 count = 0;
        for (uint256 i = 0; i < owners.length; i++) {
            if (confirmations[id][owners[i]]) count++;
            if (count >= required) return true;
        }
        return false;
    }
}
