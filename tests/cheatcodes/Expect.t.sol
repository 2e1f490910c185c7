// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    struct PotentialRevert {
        address reverter;
        bool partialMatch;
        bytes revertData;
    }

    function expectRevert() external;
    function expectRevert(bytes4) external;
    function expectRevert(bytes calldata) external;
    function expectRevert(address) external;
    function expectRevert(bytes4, address) external;
    function expectRevert(bytes calldata, address) external;
    function expectRevert(uint64) external;
    function expectRevert(bytes4, uint64) external;
    function expectRevert(bytes calldata, uint64) external;
    function expectRevert(address, uint64) external;
    function expectRevert(bytes4, address, uint64) external;
    function expectRevert(bytes calldata, address, uint64) external;
    function expectPartialRevert(bytes4) external;
    function expectPartialRevert(bytes4, address) external;
    function _expectCheatcodeRevert() external;
    function _expectCheatcodeRevert(bytes4) external;
    function _expectCheatcodeRevert(bytes calldata) external;
    function assume(bool) external;
    function assumeNoRevert() external;
    function assumeNoRevert(PotentialRevert calldata) external;
    function assumeNoRevert(PotentialRevert[] calldata) external;
    function skip(bool) external;
    function skip(bool, string calldata) external;
    function prank(address) external;
    function expectEmit() external;
    function expectEmit(address) external;
    function expectEmit(bool, bool, bool, bool) external;
    function expectEmit(bool, bool, bool, bool, address) external;
    function expectEmit(uint64) external;
    function expectEmit(address, uint64) external;
    function expectEmit(bool, bool, bool, bool, uint64) external;
    function expectEmit(bool, bool, bool, bool, address, uint64) external;
    function expectEmitAnonymous() external;
    function expectEmitAnonymous(address) external;
    function expectEmitAnonymous(bool, bool, bool, bool, bool) external;
    function expectEmitAnonymous(bool, bool, bool, bool, bool, address) external;
    function expectCall(address, bytes calldata) external;
    function expectCall(address, bytes calldata, uint64) external;
    function expectCall(address, uint256, bytes calldata) external;
    function expectCall(address, uint256, bytes calldata, uint64) external;
    function expectCall(address, uint256, uint64, bytes calldata) external;
    function expectCall(address, uint256, uint64, bytes calldata, uint64) external;
    function expectCallMinGas(address, uint256, uint64, bytes calldata) external;
    function expectCallMinGas(address, uint256, uint64, bytes calldata, uint64) external;
    function expectCreate(bytes calldata, address) external;
    function expectCreate2(bytes calldata, address) external;
    function interceptInitcode() external;
    function deal(address, uint256) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

error Simple();
error Rich(uint256 a, string b);

contract Inner {
    function fail() external pure {
        revert("inner");
    }
}

contract Target {
    Inner public inner = new Inner();

    event Counted(uint256 indexed number, address indexed by, bytes32 indexed tag, uint256 data);
    event Plain(uint256 data);
    event Secret(uint256 indexed number, uint256 data) anonymous;

    constructor() payable {
        if (msg.value == 13) revert("unlucky");
    }

    function text() external pure {
        revert("a text");
    }

    function nothing() external pure {
        assembly {
            revert(0, 0)
        }
    }

    function simple() external pure {
        revert Simple();
    }

    function rich(uint256 a) external pure returns (uint256, string memory) {
        revert Rich(a, "b");
    }

    function panics(uint256 a) external pure returns (uint256) {
        return 1 / a;
    }

    function fine() external pure returns (uint256) {
        return 7;
    }

    function nested() external view {
        inner.fail();
    }

    function count(uint256 number, uint256 data) external {
        emit Counted(number, msg.sender, "tag", data);
    }

    function plain(uint256 data) external payable {
        emit Plain(data);
    }

    function twice(uint256 data) external {
        emit Plain(data);
        emit Plain(data);
    }

    function mixed() external {
        emit Plain(1);
        emit Counted(2, msg.sender, "tag", 3);
        emit Plain(4);
    }

    function secret(uint256 number, uint256 data) external {
        emit Secret(number, data);
    }
}

contract ExpectRevertTest {
    Target target;

    function setUp() public {
        target = new Target();
    }

    function test_any() public {
        vm.expectRevert();
        target.text();
        vm.expectRevert();
        target.nothing();
        vm.expectRevert();
        target.panics(0);
        require(target.fine() == 7, "once only");
    }

    function test_by_data() public {
        vm.expectRevert("a text");
        target.text();
        vm.expectRevert(bytes("a text"));
        target.text();
        vm.expectRevert(Simple.selector);
        target.simple();
        vm.expectRevert(abi.encodeWithSelector(Rich.selector, 7, "b"));
        target.rich(7);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x12));
        target.panics(0);
        vm.expectRevert(bytes(""));
        target.nothing();
    }

    function test_what_is_returned_is_zeros() public {
        vm.expectRevert();
        (uint256 number, string memory text) = target.rich(1);
        require(number == 0 && bytes(text).length == 0, "zeros");
    }

    function test_partial() public {
        vm.expectPartialRevert(Rich.selector);
        target.rich(9);
        vm.expectPartialRevert(Rich.selector, address(target));
        target.rich(9);
    }

    function test_by_reverter() public {
        Inner inner = target.inner();
        vm.expectRevert(address(inner));
        target.nested();
        vm.expectRevert("inner", address(inner));
        target.nested();
        vm.expectRevert(Simple.selector, address(target));
        target.simple();
    }

    function test_counts() public {
        vm.expectRevert(uint64(2));
        target.text();
        target.simple();
        vm.expectRevert("a text", uint64(2));
        target.text();
        target.text();
        vm.expectRevert(Simple.selector, uint64(1));
        target.simple();
        vm.expectRevert(address(target), uint64(2));
        target.text();
        target.simple();
        vm.expectRevert(Simple.selector, address(target), uint64(2));
        target.simple();
        target.simple();
        vm.expectRevert("a text", address(target), uint64(2));
        target.text();
        target.text();
        vm.expectRevert(uint64(0));
        target.fine();
        vm.expectRevert("other", uint64(0));
        target.fine();
    }

    function test_of_creations() public {
        vm.expectRevert("unlucky");
        new Target{value: 13}();
        vm.expectRevert();
        address made = address(new Target{value: 13}());
        require(made == address(1), "nowhere");
    }

    function test_with_prank() public {
        vm.prank(address(0xa11ce));
        vm.expectRevert("a text");
        target.text();
        vm.expectRevert("a text");
        vm.prank(address(0xa11ce));
        target.text();
    }

    function test_one_at_a_time() public {
        vm.expectRevert();
        (bool ok,) = address(vm).call(abi.encodeWithSignature("expectRevert()"));
        require(!ok, "second");
        target.text();
    }

    function outside() external {
        vm.expectRevert("a text");
        target.text();
    }

    function test_in_a_call_of_its_own() public {
        this.outside();
        require(target.fine() == 7);
    }

    function test_a_call_that_did_not_revert_fails() public {
        vm.expectRevert("a text");
        try target.fine() {
            require(false, "it did not revert");
        } catch (bytes memory why) {
            bytes memory expected = abi.encodeWithSignature("CheatcodeError(string)", "next call did not revert as expected");
            require(keccak256(why) == keccak256(expected), string(why));
        }
        vm.expectRevert("a text");
        try target.simple() {
            require(false, "another one");
        } catch {}
    }

    function test_of_cheatcodes() public {
        vm._expectCheatcodeRevert();
        vm.assume(false);
        vm._expectCheatcodeRevert("private key cannot be 0");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("addr(uint256)", 0));
        require(ok, "as expected");
    }
}

contract AssumeTest {
    Target target = new Target();

    function test_assume_that_holds() public {
        vm.assume(true);
        vm.skip(false);
        vm.skip(false, "why");
    }

    function test_assume_that_does_not_hold() public {
        (bool ok, bytes memory why) = address(vm).call(abi.encodeWithSignature("assume(bool)", false));
        require(!ok && keccak256(why) == keccak256("FOUNDRY::ASSUME"), "assume");
        (ok, why) = address(vm).call(abi.encodeWithSignature("skip(bool,string)", true, "later"));
        require(!ok && keccak256(why) == keccak256("FOUNDRY::SKIPlater"), "skip");
    }

    function test_assume_no_revert() public {
        vm.assumeNoRevert();
        require(target.fine() == 7, "fine");
        vm.assumeNoRevert();
        (bool ok, bytes memory why) = address(target).call(abi.encodeCall(Target.text, ()));
        require(!ok && keccak256(why) == keccak256("FOUNDRY::ASSUME"), "any");
    }

    function test_assume_no_revert_of_some_kind() public {
        Vm.PotentialRevert memory one = Vm.PotentialRevert(address(0), false, abi.encodeWithSelector(Simple.selector));
        vm.assumeNoRevert(one);
        (bool ok, bytes memory why) = address(target).call(abi.encodeCall(Target.simple, ()));
        require(!ok && keccak256(why) == keccak256("FOUNDRY::ASSUME"), "this one");
        vm.assumeNoRevert(one);
        (ok, why) = address(target).call(abi.encodeCall(Target.text, ()));
        require(!ok && keccak256(why) == keccak256(abi.encodeWithSignature("Error(string)", "a text")), "another one");
        Vm.PotentialRevert[] memory several = new Vm.PotentialRevert[](2);
        several[0] = one;
        several[1] = Vm.PotentialRevert(address(target), true, abi.encodeWithSelector(Rich.selector));
        vm.assumeNoRevert(several);
        (ok, why) = address(target).call(abi.encodeCall(Target.rich, (3)));
        require(!ok && keccak256(why) == keccak256("FOUNDRY::ASSUME"), "one of them");
    }
}

contract ExpectEmitTest {
    Target target;

    event Counted(uint256 indexed number, address indexed by, bytes32 indexed tag, uint256 data);
    event Plain(uint256 data);
    event Secret(uint256 indexed number, uint256 data) anonymous;

    function setUp() public {
        target = new Target();
    }

    function test_all_of_it() public {
        vm.expectEmit();
        emit Plain(5);
        target.plain(5);
        vm.expectEmit(address(target));
        emit Counted(1, address(this), "tag", 2);
        target.count(1, 2);
    }

    function test_some_of_it() public {
        vm.expectEmit(true, false, false, false);
        emit Counted(1, address(0), "", 9);
        target.count(1, 2);
        vm.expectEmit(false, true, true, true, address(target));
        emit Counted(7, address(this), "tag", 2);
        target.count(1, 2);
    }

    function test_several_with_others_between() public {
        vm.expectEmit();
        emit Plain(1);
        vm.expectEmit();
        emit Plain(4);
        target.mixed();
    }

    function test_counts() public {
        vm.expectEmit(uint64(2));
        emit Plain(6);
        target.twice(6);
        vm.expectEmit(address(target), uint64(2));
        emit Plain(6);
        target.twice(6);
        vm.expectEmit(true, true, true, true, uint64(2));
        emit Plain(6);
        target.twice(6);
        vm.expectEmit(true, true, true, false, address(target), uint64(2));
        emit Plain(7);
        target.twice(6);
        vm.expectEmit(uint64(0));
        emit Plain(8);
        target.twice(6);
    }

    function test_anonymous() public {
        vm.expectEmitAnonymous();
        emit Secret(1, 2);
        target.secret(1, 2);
        vm.expectEmitAnonymous(address(target));
        emit Secret(1, 2);
        target.secret(1, 2);
        vm.expectEmitAnonymous(true, false, false, false, false);
        emit Secret(1, 3);
        target.secret(1, 2);
        vm.expectEmitAnonymous(false, false, false, false, true, address(target));
        emit Secret(3, 2);
        target.secret(1, 2);
    }
}

contract ExpectCallTest {
    Target target;

    function setUp() public {
        target = new Target();
    }

    function test_calls() public {
        vm.expectCall(address(target), abi.encodeCall(Target.plain, (1)));
        vm.expectCall(address(target), abi.encodeWithSelector(Target.fine.selector), 2);
        vm.expectCall(address(target), 5, abi.encodeCall(Target.plain, (2)));
        vm.expectCall(address(target), 6, abi.encodeCall(Target.plain, (3)), 1);
        target.plain(1);
        target.fine();
        target.fine();
        target.plain{value: 5}(2);
        target.plain{value: 6}(3);
    }

    function test_more_often_than_asked() public {
        vm.expectCall(address(target), abi.encodeWithSelector(Target.fine.selector));
        vm.expectCall(address(target), abi.encodeWithSelector(Target.fine.selector));
        target.fine();
        target.fine();
        target.fine();
    }

    function test_never() public {
        vm.expectCall(address(target), abi.encodeWithSelector(Target.text.selector), 0);
        target.fine();
    }

    function test_gas() public {
        vm.expectCall(address(target), 0, 50_000, abi.encodeWithSelector(Target.plain.selector, 1));
        vm.expectCall(address(target), 3, 60_000, abi.encodeWithSelector(Target.plain.selector, 2), 1);
        vm.expectCallMinGas(address(target), 0, 50_000, abi.encodeWithSelector(Target.plain.selector, 3));
        vm.expectCallMinGas(address(target), 0, 50_000, abi.encodeWithSelector(Target.plain.selector, 4), 1);
        target.plain{gas: 50_000}(1);
        target.plain{gas: 60_000, value: 3}(2);
        target.plain{gas: 70_000}(3);
        target.plain{gas: 50_000}(4);
    }

    function test_counted_ones_cannot_be_changed() public {
        vm.expectCall(address(target), abi.encodeWithSelector(Target.fine.selector), 1);
        bytes memory data = abi.encodeWithSelector(Target.fine.selector);
        (bool ok,) = address(vm).call(abi.encodeWithSignature("expectCall(address,bytes)", address(target), data));
        require(!ok, "counted");
        (ok,) = address(vm).call(abi.encodeWithSignature("expectCall(address,bytes,uint64)", address(target), data, 2));
        require(!ok, "counted twice");
        target.fine();
    }

    function test_delegated() public {
        vm.expectCall(address(target), abi.encodeWithSelector(Target.fine.selector));
        (bool ok,) = address(target).delegatecall(abi.encodeWithSelector(Target.fine.selector));
        require(ok);
    }

    function test_creations() public {
        vm.expectCreate(type(Inner).runtimeCode, address(this));
        new Inner();
        vm.expectCreate2(type(Inner).runtimeCode, address(this));
        new Inner{salt: 0}();
    }

    function test_intercept_initcode() public {
        vm.interceptInitcode();
        try new Inner() {
            require(false, "not created");
        } catch (bytes memory code) {
            require(keccak256(code) == keccak256(type(Inner).creationCode), "code");
        }
        require(address(new Inner()) != address(0), "once");
    }
}
