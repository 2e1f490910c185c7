// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Asserting, Handler, Stateful, Stateless} from "./Test.sol";
import {Vault} from "src/vault/src/Vault.sol";
import {VaultFixed} from "src/vault/src/VaultFixed.sol";

contract VaultStateless is Stateless {
    VaultFixed private _target;

    function setUp() external {
        vm.prank(OWNER);
        _target = new VaultFixed(address(0xbeef));
    }

    function testFuzz_deposit(uint8 sender, uint256 value) external {
        _call(address(_target), sender, value, abi.encodeCall(_target.deposit, ()));
    }

    function testFuzz_requestWithdrawal(uint8 sender, uint256 shares) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.requestWithdrawal, (shares)));
    }

    function testFuzz_withdraw(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.withdraw, ()));
    }

    function testFuzz_skim(uint8 sender) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.skim, ()));
    }
}

contract VaultStateful is Stateful {
    function setUp() external {
        vm.prank(OWNER);
        _targets.push(address(new VaultFixed(address(0xbeef))));
    }

    function invariant_nothing() external view {}
}

contract VaultHandler is Handler {
    VaultFixed private immutable _target;

    constructor(VaultFixed target) {
        _target = target;
    }

    function deposit(uint256 value) external {
        _call(address(_target), value, abi.encodeCall(_target.deposit, ()));
    }

    function requestWithdrawal(uint256 shares) external {
        _call(address(_target), 0, abi.encodeCall(_target.requestWithdrawal, (shares)));
    }

    function withdraw() external {
        _call(address(_target), 0, abi.encodeCall(_target.withdraw, ()));
    }

    function skim() external {
        _call(address(_target), 0, abi.encodeCall(_target.skim, ()));
    }
}

contract VaultHandled is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new VaultHandler(new VaultFixed(address(0xbeef)));
        _targets.push(address(_handler));
    }
}

contract VaultPlanted is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new VaultHandler(VaultFixed(address(new Vault(address(0xbeef)))));
        _targets.push(address(_handler));
    }
}
