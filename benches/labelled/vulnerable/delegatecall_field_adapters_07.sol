// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// A weather station that several institutes write to. Each instrument has an adapter: code
/// that turns its raw data into readings. The steward approves adapters; authors can try theirs out.
contract FieldStation {
    address payable public steward;
    uint256 public readings;
    int256 public lastValue;

    mapping(address => bool) public approved;
    mapping(address => address) public authorOf;
    mapping(address => uint256) public runsOf;
    mapping(address => uint256) public fundedBy;

    event Submitted(address indexed adapter, address indexed author);
    event Approved(address indexed adapter, bool yes);
    event Ran(address indexed adapter, address indexed by, bytes result);

    modifier onlySteward() {
        require(msg.sender == steward, "steward only");
        _;
    }

    constructor() {
        steward = msg.sender;
    }

    function fund() external payable {
        require(msg.value > 0, "nothing");
        fundedBy[msg.sender] += msg.value;
    }

    function submit(address adapter) external {
        require(adapter != address(0), "no adapter");
        require(authorOf[adapter] == address(0), "submitted before");
        authorOf[adapter] = msg.sender;
        emit Submitted(adapter, msg.sender);
    }

    function approve(address adapter, bool yes) external onlySteward {
        require(authorOf[adapter] != address(0), "never submitted");
        approved[adapter] = yes;
        emit Approved(adapter, yes);
    }

    function record(int256 value) external onlySteward {
        readings += 1;
        lastValue = value;
    }

    function run(address adapter, bytes calldata raw) external returns (bytes memory) {
        require(approved[adapter] || authorOf[adapter] == msg.sender, "not approved");
        runsOf[adapter] += 1;
        (bool ok, bytes memory result) = adapter.delegatecall(raw); //~ ERROR delegatecall
        require(ok, "the adapter failed");
        emit Ran(adapter, msg.sender, result);
        return result;
    }

    function pass(address payable next) external onlySteward {
        require(next != address(0), "nobody");
        steward = next;
    }

    function spend(uint256 amount) external onlySteward {
        steward.transfer(amount);
    }
}
