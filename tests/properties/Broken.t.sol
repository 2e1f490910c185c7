// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";
import {Token} from "../src/Token.sol";

/// @notice `setUp` fails, so that nothing can be said about the rest.
contract SetUpReverts is Base {
    Token internal token;

    function setUp() public {
        token = new Token();
        token.mint(address(this), 100);
        require(token.totalSupply() <= 99, "SetUpReverts: the cap is below the supply");
    }

    function test_neverRun() public pure {
        assertTrue(true);
    }

    function invariant_neverRun() public pure {
        assertTrue(true);
    }
}

/// @notice `setUp` does not end.
contract SetUpNeverEnds is Base {
    uint256 internal turns;

    function setUp() public {
        while (true) {
            unchecked {
                turns++;
            }
        }
    }

    function test_neverRun() public pure {
        assertTrue(true);
    }
}

/// @notice A property that has an argument.
contract PropertyWithArgument is Base {
    Token internal token;

    function setUp() public {
        token = new Token();
        // Calls may come from any address that is known, this one included, and this one may mint.
        excludeSender(address(this));
    }

    function invariant_withArgument(uint256 amount) public view {
        assertTrue(token.totalSupply() <= amount);
    }

    function invariant_supply() public view {
        assertEq(token.totalSupply(), 0);
    }
}

/// @notice A property where nothing can be called: no contract was made.
contract NothingToCall is Base {
    function invariant_nothingToCall() public pure {
        assertTrue(true);
    }
}

/// @notice There is another contract of this name in `BrokenTwin.t.sol`.
contract SameName is Base {
    function test_here() public pure { //~ ERROR property
        assertTrue(false, "in Broken.t.sol");
    }

    function test_inBoth() public pure {
        assertTrue(true);
    }
}

contract Pranks is Base {
    Token internal token;

    function setUp() public {
        token = new Token();
    }

    function test_withoutCall() public {
        vm.prank(address(1));
    }

    function test_twice() public { //~ ERROR property
        vm.prank(address(1));
        vm.prank(address(2));
        token.approve(address(this), 1);
    }

    function test_stoppedWithoutStart() public {
        vm.stopPrank();
        token.mint(address(this), 1);
    }
}

/// @notice All of its calls revert: nothing was approved.
contract SpenderHandler {
    Token public immutable token;

    constructor(Token token_) {
        token = token_;
    }

    function spend(uint256 amount) external {
        token.transferFrom(address(0xA11CE), address(this), 1 + (amount % 100));
    }
}

contract EveryCallReverts is Base {
    Token internal token;
    SpenderHandler internal handler;

    function setUp() public {
        token = new Token();
        handler = new SpenderHandler(token);
        token.mint(address(0xA11CE), 100);
        targetContract(address(handler));
    }

    /// @notice Holds because nothing ever happens.
    function invariant_nothingSpent() public view {
        assertEq(token.balanceOf(address(handler)), 0);
    }
}

/// @notice Every value is turned down.
contract NothingIsGoodEnough is Base {
    /// forge-config: default.fuzz.max-test-rejects = 1000
    function testFuzz_impossible(uint256 amount) public pure {
        vm.assume(amount < 1 && amount > 1);
        assertTrue(false);
    }
}
