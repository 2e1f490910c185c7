// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract DelayedAdmin {
    uint256 public constant GRACE = 14 days;
    uint256 public constant MINIMUM_DELAY = 1 days;
    uint256 public constant MAXIMUM_DELAY = 30 days;

    address public admin;
    address public pendingAdmin;
    uint256 public delay;
    mapping(bytes32 => bool) public queued;

    event AdminChanged(address indexed admin);
    event DelayChanged(uint256 delay);
    event Queued(bytes32 indexed id, address indexed target, uint256 value, bytes data, uint256 eta);
    event Cancelled(bytes32 indexed id);
    event Executed(bytes32 indexed id);

    modifier onlyAdmin() {
        require(msg.sender == admin, "admin only");
        _;
    }

    modifier onlySelf() {
        require(msg.sender == address(this), "through the timelock only");
        _;
    }

    constructor(uint8 extraHours) {
        admin = msg.sender;
        delay = MINIMUM_DELAY + uint256(extraHours) * 1 hours;
    }

    receive() external payable {}

    function setDelay(uint256 newDelay) external onlySelf {
        require(newDelay >= MINIMUM_DELAY && newDelay <= MAXIMUM_DELAY, "delay");
        delay = newDelay;
        emit DelayChanged(newDelay);
    }

    function setPendingAdmin(address newAdmin) external onlySelf {
        pendingAdmin = newAdmin;
    }

    function acceptAdmin() external {
        require(msg.sender == pendingAdmin, "not offered to you");
        admin = msg.sender;
        pendingAdmin = address(0);
        emit AdminChanged(msg.sender);
    }

    function idOf(address target, uint256 value, bytes memory data, uint256 eta) public pure returns (bytes32) {
        return keccak256(abi.encode(target, value, data, eta));
    }

    function queue(address target, uint256 value, bytes calldata data, uint256 eta) external onlyAdmin returns (bytes32 id) {
        require(eta >= block.timestamp + delay, "too early");
        require(eta <= block.timestamp + MAXIMUM_DELAY + GRACE, "too late");
        id = idOf(target, value, data, eta);
        queued[id] = true;
        emit Queued(id, target, value, data, eta);
    }

    function cancel(bytes32 id) external onlyAdmin {
        require(queued[id], "not queued");
        queued[id] = false;
        emit Cancelled(id);
    }

    function execute(address target, uint256 value, bytes calldata data, uint256 eta) external onlyAdmin returns (bytes memory) {
        bytes32 id = idOf(target, value, data, eta);
        require(queued[id], "not queued");
        require(block.timestamp >= eta, "too early");
        require(block.timestamp <= eta + GRACE, "stale");
        queued[id] = false;
        (bool ok, bytes memory result) = target.call{value: value}(data);
        require(ok, "call failed");
        emit Executed(id);
        return result;
    }
}
