// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base, UsesVm} from "./Base.sol";

/// @notice Votes by balance. Defect: votes move with the tokens, and count again.
contract Governor {
    uint256 public constant SUPPLY = 100;

    mapping(address => uint256) public balanceOf;
    uint256 public proposal;
    uint256 public votes;
    uint256 public closesAt;
    uint256 public executedWith;
    mapping(uint256 => mapping(address => bool)) public hasVoted;

    constructor(address[5] memory holders) {
        balanceOf[holders[0]] = 30;
        balanceOf[holders[1]] = 25;
        balanceOf[holders[2]] = 20;
        balanceOf[holders[3]] = 15;
        balanceOf[holders[4]] = 10;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function propose() external {
        require(closesAt == 0, "Governor: one at a time");
        proposal += 1;
        votes = 0;
        closesAt = block.timestamp + 3 days;
    }

    function withdraw() external {
        closesAt = 0;
    }

    function vote() external {
        require(block.timestamp < closesAt && !hasVoted[proposal][msg.sender], "Governor: no vote");
        hasVoted[proposal][msg.sender] = true;
        votes += balanceOf[msg.sender];
    }

    function execute() external {
        require(closesAt > 0 && block.timestamp >= closesAt, "Governor: still open");
        closesAt = 0;
        if (votes > executedWith) executedWith = votes;
    }
}

contract GovernorHandler is UsesVm {
    Governor public immutable governor = new Governor([actor(0), actor(1), actor(2), actor(3), actor(4)]);

    function transfer(uint8 from, uint8 to, uint256 amount) external {
        address owner = actor(from);
        amount = bound(amount, 0, governor.balanceOf(owner));
        vm.prank(owner);
        governor.transfer(actor(to), amount);
    }

    function propose() external {
        governor.propose();
    }

    function withdraw() external {
        governor.withdraw();
    }

    function vote(uint8 account) external {
        vm.prank(actor(account));
        governor.vote();
    }

    function execute() external {
        governor.execute();
    }

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1 hours, 6 days));
    }

    function actor(uint256 number) public pure returns (address) {
        return address(uint160(0xA0 + (number % 5)));
    }
}

/// @notice Broken by a proposal, votes with transfers between them, days that pass, and the execution.
contract GovernorTest is Base {
    GovernorHandler internal handler;

    function setUp() public {
        handler = new GovernorHandler();
        targetContract(address(handler));
    }

    function invariant_noMoreVotesThanTokens() public view { //~ ERROR property
        assertLe(handler.governor().executedWith(), handler.governor().SUPPLY());
    }
}
