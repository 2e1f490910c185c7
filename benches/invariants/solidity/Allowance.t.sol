// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";

/// @notice Allowances that may be passed on, once each. Defect: who passes one on keeps it.
contract Allowance {
    address public immutable owner;
    uint256 public allowed;
    uint256 public spent;
    mapping(address => uint256) public allowanceOf;
    mapping(address => bool) public hasPassed;
    address[] private _accounts;

    constructor(address[] memory accounts) {
        owner = accounts[0];
        _accounts = accounts;
    }

    function accountOf(uint256 number) public view returns (address) {
        return _accounts[number % _accounts.length];
    }

    function allow(uint8 number, uint256 amount) external {
        address account = accountOf(number);
        require(msg.sender == owner && amount > 0 && amount < 1e30, "Allowance: not allowed");
        allowanceOf[account] += amount;
        allowed += amount;
    }

    function pass(uint8 number) external {
        address account = accountOf(number);
        require(account != msg.sender && !hasPassed[msg.sender], "Allowance: not passed on");
        hasPassed[msg.sender] = true;
        allowanceOf[account] += allowanceOf[msg.sender];
    }

    function revoke(uint8 number) external {
        address account = accountOf(number);
        require(msg.sender == owner, "Allowance: only the owner");
        allowed -= allowanceOf[account];
        allowanceOf[account] = 0;
    }

    function spend(uint256 amount) external {
        allowanceOf[msg.sender] -= amount;
        spent += amount;
    }

    function spendAll() external {
        spent += allowanceOf[msg.sender];
        allowanceOf[msg.sender] = 0;
    }
}

/// @notice Broken by four calls of three accounts: allow(P), P passes on to Q, P spends, Q spends.
contract AllowanceTest is Base {
    Allowance internal allowance;

    function setUp() public {
        address[] memory accounts = new address[](16);
        for (uint160 i = 0; i < 16; i++) {
            accounts[i] = address(0xA0 + i);
            targetSender(accounts[i]);
        }
        allowance = new Allowance(accounts);
    }

    function invariant_spendsWhatWasAllowed() public view { //~ ERROR property
        assertLe(allowance.spent(), allowance.allowed());
    }
}
