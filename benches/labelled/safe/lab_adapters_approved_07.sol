// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// A laboratory that several groups write to. Each instrument has an adapter: code that turns its
/// raw data into results. Anyone submits one; it runs only once the head has approved it.
contract LabBench {
    address payable public head;
    uint256 public results;

    mapping(address => bool) public approved;
    mapping(address => address) public authorOf;
    mapping(address => uint256) public runsOf;
    mapping(address => uint256) public fundedBy;

    event Submitted(address indexed adapter, address indexed author);
    event Withdrawn(address indexed adapter);
    event Approved(address indexed adapter, bool yes);
    event Ran(address indexed adapter, address indexed by, bytes result);

    modifier onlyHead() {
        require(msg.sender == head, "head only");
        _;
    }

    constructor() {
        head = msg.sender;
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

    function withdraw(address adapter) external {
        require(authorOf[adapter] == msg.sender, "not your adapter");
        require(!approved[adapter], "in use");
        authorOf[adapter] = address(0);
        emit Withdrawn(adapter);
    }

    function approve(address adapter, bool yes) external onlyHead {
        require(authorOf[adapter] != address(0), "never submitted");
        approved[adapter] = yes;
        emit Approved(adapter, yes);
    }

    function run(address adapter, bytes calldata raw) external returns (bytes memory) {
        require(approved[adapter], "not approved");
        require(authorOf[adapter] == msg.sender || msg.sender == head, "not your adapter");
        runsOf[adapter] += 1;
        results += 1;
        (bool ok, bytes memory result) = adapter.delegatecall(raw);
        require(ok, "the adapter failed");
        emit Ran(adapter, msg.sender, result);
        return result;
    }

    function spend(uint256 amount) external onlyHead {
        head.transfer(amount);
    }
}
