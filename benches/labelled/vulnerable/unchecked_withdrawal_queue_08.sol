// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract WithdrawalQueue {
    struct Request {
        address owner;
        address receiver;
        uint128 amount;
        bool processed;
    }

    address public immutable operator;
    uint256 public immutable minimum;
    uint256 public pendingTotal;
    uint256 public processedCount;
    mapping(address => uint256) public balanceOf;
    Request[] private _requests;

    event Deposit(address indexed who, uint256 amount);
    event Requested(uint256 indexed id, address indexed owner, uint256 amount);
    event Processed(uint256 indexed id);
    event Cancelled(uint256 indexed id);

    constructor(uint16 minimum_) {
        operator = msg.sender;
        minimum = minimum_;
    }

    receive() external payable {
        _deposit();
    }

    function deposit() external payable {
        _deposit();
    }

    function request(address receiver, uint128 amount) external returns (uint256 id) {
        require(receiver != address(0), "no receiver");
        require(amount > minimum, "too little");
        balanceOf[msg.sender] -= amount;
        pendingTotal += amount;
        id = _requests.length;
        _requests.push(Request(msg.sender, receiver, amount, false));
        emit Requested(id, msg.sender, amount);
    }

    function cancel(uint256 id) external {
        require(id < _requests.length, "no such request");
        Request storage r = _requests[id];
        require(r.owner == msg.sender && !r.processed, "not open");
        r.processed = true;
        pendingTotal -= r.amount;
        balanceOf[msg.sender] += r.amount;
        emit Cancelled(id);
    }

    /// @notice Anybody may process what others have requested.
    function process(uint256 id) external {
        require(id < _requests.length, "no such request");
        Request storage r = _requests[id];
        require(!r.processed, "processed");
        r.processed = true;
        pendingTotal -= r.amount;
        processedCount += 1;
        r.receiver.call{value: r.amount}(""); //~ ERROR unchecked-call
        emit Processed(id);
    }

    function requestCount() external view returns (uint256) {
        return _requests.length;
    }

    function _deposit() private {
        require(msg.value > 0, "no ether");
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }
}
