// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Test, console2, stdStorage, StdStorage, stdError, stdMath} from "forge-std/Test.sol";

contract Token {
    string public constant name = "Token";
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    address internal owner = address(1);

    struct Config {
        uint128 low;
        uint128 high;
    }

    Config public config = Config(1, 2);

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function getOwner() external view returns (address) {
        return owner;
    }

    function take() external payable {}
}

contract StdTest is Test {
    using stdStorage for StdStorage;

    Token token;

    event Told(uint256 number);

    function setUp() public {
        token = new Token();
    }

    function test_accounts() public {
        (address alice, uint256 key) = makeAddrAndKey("alice");
        assertEq(alice, vm.addr(key));
        assertEq(makeAddr("alice"), alice);
        assertEq(vm.getLabel(alice), "alice");
        assertTrue(alice != address(0), "an account");
    }

    function test_hoax() public {
        address alice = makeAddr("alice");
        hoax(alice, 5 ether);
        token.take{value: 2 ether}();
        assertEq(alice.balance, 3 ether);
        startHoax(alice);
        token.take{value: 1 ether}();
        vm.stopPrank();
        assertEq(address(token).balance, 3 ether);
    }

    function test_deal_of_a_token() public {
        address bob = makeAddr("bob");
        deal(address(token), bob, 100, true);
        assertEq(token.balanceOf(bob), 100);
        assertEq(token.totalSupply(), 100);
        vm.prank(bob);
        token.transfer(address(this), 40);
        assertEq(token.balanceOf(address(this)), 40);
        deal(bob, 7);
        assertEq(bob.balance, 7);
    }

    function test_storage() public {
        address alice = makeAddr("alice");
        stdstore.target(address(token)).sig("balanceOf(address)").with_key(alice).checked_write(55);
        assertEq(token.balanceOf(alice), 55);
        stdstore.target(address(token)).sig(token.allowance.selector).with_key(alice).with_key(address(this)).checked_write(
            66
        );
        assertEq(token.allowance(alice, address(this)), 66);
        stdstore.target(address(token)).sig(token.getOwner.selector).checked_write(alice);
        assertEq(token.getOwner(), alice);
        uint256 slot = stdstore.target(address(token)).sig("totalSupply()").find();
        assertEq(slot, 2);
    }

    function test_bound_and_math() public pure {
        assertEq(bound(uint256(15), 10, 20), 15);
        uint256 number = bound(uint256(1234567), 10, 20);
        assertGe(number, 10);
        assertLe(number, 20);
        assertEq(stdMath.delta(uint256(3), uint256(8)), 5);
    }

    function test_time() public {
        skip(100);
        assertEq(block.timestamp, 101);
        rewind(50);
        assertEq(block.timestamp, 51);
    }

    function test_errors_and_logs() public {
        vm.expectRevert(stdError.arithmeticError);
        token.transfer(address(1), 1);
        vm.expectEmit();
        emit Told(7);
        this.tell();
        console2.log("told %d times", uint256(1));
    }

    function tell() external {
        emit Told(7);
    }

    function test_code() public {
        address at = deployCode("Std.sol:Token");
        assertEq(Token(at).name(), "Token");
        address where = makeAddr("where");
        deployCodeTo("Std.sol:Token", where);
        assertEq(Token(where).getOwner(), address(1));
        assertEq(where.code, address(token).code);
    }

    function test_prank_of_change() public {
        changePrank(makeAddr("carol"));
        vm.stopPrank();
        assertApproxEqAbs(uint256(10), uint256(11), 1);
        assertApproxEqRel(uint256(100), uint256(101), 0.02e18);
        assertEq(new uint256[](2), new uint256[](2));
        assertEq(vm.envOr("BELLWETHER_NO_SUCH_VARIABLE", uint256(5)), 5);
    }
}
