// By design: the admin may queue a call to anything, but it waits two days before it can run.
// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

contract Timelock {
    uint256 public constant GRACE_PERIOD = 14 days;
    uint256 public constant MINIMUM_DELAY = 2 days;
    uint256 public constant MAXIMUM_DELAY = 30 days;

    address public admin;
    address public pendingAdmin;
    uint256 public delay = MINIMUM_DELAY;
    mapping(bytes32 => bool) public queuedTransactions;

    event NewAdmin(address indexed newAdmin);
    event NewDelay(uint256 newDelay);
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, bytes data, uint256 eta);
    event CancelTransaction(bytes32 indexed txHash);
    event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, bytes data, uint256 eta);

    modifier onlyAdmin() {
        require(msg.sender == admin, "Timelock: admin only");
        _;
    }

    constructor() public {
        admin = msg.sender;
    }

    receive() external payable {}

    function setDelay(uint256 delay_) external {
        require(msg.sender == address(this), "Timelock: self only");
        require(delay_ >= MINIMUM_DELAY && delay_ <= MAXIMUM_DELAY, "Timelock: delay");
        delay = delay_;
        emit NewDelay(delay_);
    }

    function setPendingAdmin(address pendingAdmin_) external {
        require(msg.sender == address(this), "Timelock: self only");
        pendingAdmin = pendingAdmin_;
    }

    function acceptAdmin() external {
        require(msg.sender == pendingAdmin, "Timelock: not pending");
        admin = msg.sender;
        pendingAdmin = address(0);
        emit NewAdmin(msg.sender);
    }

    function queue(address target, uint256 value, bytes calldata data, uint256 eta)
        external
        onlyAdmin
        returns (bytes32 txHash)
    {
        require(eta >= block.timestamp + delay, "Timelock: eta too early");
        txHash = keccak256(abi.encode(target, value, data, eta));
        queuedTransactions[txHash] = true;
        emit QueueTransaction(txHash, target, value, data, eta);
    }

    function cancel(address target, uint256 value, bytes calldata data, uint256 eta) external onlyAdmin {
        bytes32 txHash = keccak256(abi.encode(target, value, data, eta));
        queuedTransactions[txHash] = false;
        emit CancelTransaction(txHash);
    }

    function execute(address target, uint256 value, bytes calldata data, uint256 eta)
        external
        payable
        onlyAdmin
        returns (bytes memory)
    {
        bytes32 txHash = keccak256(abi.encode(target, value, data, eta));
        require(queuedTransactions[txHash], "Timelock: not queued");
        require(block.timestamp >= eta, "Timelock: too early");
        require(block.timestamp - eta <= GRACE_PERIOD, "Timelock: stale");

        queuedTransactions[txHash] = false;
        (bool success, bytes memory result) = target.call{value: value}(data);
        require(success, "Timelock: reverted");
        emit ExecuteTransaction(txHash, target, value, data, eta);
        return result;
    }
}
