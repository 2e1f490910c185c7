// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Each of these tests fails.

interface Vm {
    function assertEq(uint256, uint256) external;
    function assertTrue(bool, string calldata) external;
    function expectRevert() external;
    function expectRevert(bytes calldata) external;
    function expectRevert(address) external;
    function expectRevert(uint64) external;
    function expectEmit() external;
    function expectEmit(address) external;
    function expectEmit(uint64) external;
    function expectCall(address, bytes calldata) external;
    function expectCall(address, uint256, bytes calldata, uint64) external;
    function expectCreate(bytes calldata, address) external;
    function store(address, bytes32, bytes32) external;
    function prank(address) external;
    function addr(uint256) external returns (address);
    function assume(bool) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Target {
    event Plain(uint256 data);
    event Indexed(uint256 indexed one, uint256 indexed two, uint256 data);

    function text() external pure {
        revert("a text");
    }

    function nothing() external pure {
        assembly {
            revert(0, 0)
        }
    }

    function fine() external pure returns (uint256) {
        return 7;
    }

    function plain(uint256 data) external {
        emit Plain(data);
    }

    function index(uint256 one, uint256 two, uint256 data) external {
        emit Indexed(one, two, data);
    }
}

contract FailsTest {
    Target target = new Target();

    event Plain(uint256 data);
    event Indexed(uint256 indexed one, uint256 indexed two, uint256 data);

    function test_assertion() public {
        vm.assertEq(1, 2);
    }

    function test_assertion_with_a_message() public {
        vm.assertTrue(false, "own words");
    }

    function test_flag() public {
        vm.store(address(vm), bytes32("failed"), bytes32(uint256(1)));
    }

    function test_no_revert() public {
        vm.expectRevert();
        target.fine();
    }

    function test_another_revert() public {
        vm.expectRevert("another text");
        target.text();
    }

    function test_revert_without_data() public {
        vm.expectRevert("another text");
        target.nothing();
    }

    function test_another_reverter() public {
        vm.expectRevert(address(7));
        target.text();
    }

    function test_revert_that_was_not_expected() public {
        vm.expectRevert(uint64(0));
        target.text();
    }

    function test_no_call_behind_expect_revert() public {
        vm.expectRevert();
    }

    function test_a_revert_of_the_test_itself() public {
        vm.expectRevert("not here");
        revert("not here");
    }

    function test_no_log() public {
        vm.expectEmit();
        emit Plain(1);
        target.fine();
    }

    function test_no_call_behind_expect_emit() public {
        vm.expectEmit();
        emit Plain(1);
    }

    function test_another_log() public {
        vm.expectEmit();
        emit Plain(1);
        target.plain(2);
    }

    function test_another_topic() public {
        vm.expectEmit();
        emit Indexed(1, 2, 3);
        target.index(1, 4, 5);
    }

    function test_another_emitter() public {
        vm.expectEmit(address(7));
        emit Plain(1);
        target.plain(1);
    }

    function test_a_log_too_few() public {
        vm.expectEmit(uint64(2));
        emit Plain(1);
        target.plain(1);
    }

    function test_a_log_too_many() public {
        vm.expectEmit(uint64(0));
        emit Plain(1);
        target.plain(1);
    }

    function test_no_call() public {
        vm.expectCall(address(target), abi.encodeWithSelector(Target.text.selector));
        target.fine();
    }

    function test_another_number_of_calls() public {
        vm.expectCall(address(target), 0, abi.encodeWithSelector(Target.fine.selector), 1);
        target.fine();
        target.fine();
    }

    function test_no_creation() public {
        vm.expectCreate(hex"00", address(this));
    }

    function test_overwritten_prank() public {
        vm.prank(address(1));
        vm.prank(address(2));
    }

    function test_private_key() public {
        vm.addr(0);
    }
}
