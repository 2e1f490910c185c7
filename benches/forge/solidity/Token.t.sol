// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Asserting, Handler, Stateful, Stateless} from "./Test.sol";
import {Token} from "src/token/Token.sol";
import {TokenFixed} from "src/token/TokenFixed.sol";

contract TokenStateless is Stateless {
    TokenFixed private _target;

    function setUp() external {
        vm.prank(OWNER);
        _target = new TokenFixed();
    }

    function testFuzz_approve(uint8 sender, address spender, uint256 amount) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.approve, (spender, amount)));
    }

    function testFuzz_transfer(uint8 sender, address to, uint256 amount) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.transfer, (to, amount)));
    }

    function testFuzz_transferFrom(uint8 sender, address from, address to, uint256 amount) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.transferFrom, (from, to, amount)));
    }

    function testFuzz_burn(uint8 sender, uint256 amount) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.burn, (amount)));
    }

    function testFuzz_burnFrom(uint8 sender, address from, uint256 amount) external {
        _call(address(_target), sender, 0, abi.encodeCall(_target.burnFrom, (from, amount)));
    }
}

contract TokenStateful is Stateful {
    function setUp() external {
        vm.prank(OWNER);
        _targets.push(address(new TokenFixed()));
    }

    function invariant_nothing() external view {}
}

contract TokenHandler is Handler {
    TokenFixed private immutable _target;

    constructor(TokenFixed target) {
        _target = target;
    }

    function approve(address spender, uint256 amount) external {
        _call(address(_target), 0, abi.encodeCall(_target.approve, (spender, amount)));
    }

    function transfer(address to, uint256 amount) external {
        _call(address(_target), 0, abi.encodeCall(_target.transfer, (to, amount)));
    }

    function transferFrom(address from, address to, uint256 amount) external {
        _call(address(_target), 0, abi.encodeCall(_target.transferFrom, (from, to, amount)));
    }

    function burn(uint256 amount) external {
        _call(address(_target), 0, abi.encodeCall(_target.burn, (amount)));
    }

    function burnFrom(address from, uint256 amount) external {
        _call(address(_target), 0, abi.encodeCall(_target.burnFrom, (from, amount)));
    }
}

contract TokenHandled is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new TokenHandler(new TokenFixed());
        _targets.push(address(_handler));
    }
}

contract TokenPlanted is Asserting {
    function setUp() external {
        vm.prank(OWNER);
        _handler = new TokenHandler(TokenFixed(address(new Token())));
        _targets.push(address(_handler));
    }
}
