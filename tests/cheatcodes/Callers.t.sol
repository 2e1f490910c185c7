// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function prank(address) external;
    function prank(address, address) external;
    function prank(address, bool) external;
    function prank(address, address, bool) external;
    function startPrank(address) external;
    function startPrank(address, address) external;
    function startPrank(address, bool) external;
    function startPrank(address, address, bool) external;
    function stopPrank() external;
    function readCallers() external returns (uint8, address, address);
    function broadcast() external;
    function broadcast(address) external;
    function broadcast(uint256) external;
    function startBroadcast() external;
    function startBroadcast(address) external;
    function startBroadcast(uint256) external;
    function stopBroadcast() external;
    function addr(uint256) external returns (address);
    function warp(uint256) external;
    function etch(address, bytes calldata) external;
    function deal(address, uint256) external;
    function store(address, bytes32, bytes32) external;
    function load(address, bytes32) external returns (bytes32);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Who {
    address public sender;
    address public origin;
    uint256 public paid;

    constructor() payable {
        (sender, origin) = (msg.sender, tx.origin);
    }

    function ask() external view returns (address, address) {
        return (msg.sender, tx.origin);
    }

    function pay() external payable {
        (sender, paid) = (msg.sender, msg.value);
    }

    function askSelf() external view returns (address, address) {
        return this.ask();
    }

    function fail() external pure {
        revert("no");
    }
}

contract Written {
    uint256 word;

    function write(uint256 to) external {
        word = to;
    }
}

contract CallersTest {
    Who who;
    address constant ALICE = address(0xa11ce);
    address constant BOB = address(0xb0b);
    address constant DEFAULT = 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38;

    function setUp() public {
        who = new Who();
    }

    function check(address sender, address origin) internal view {
        (address actualSender, address actualOrigin) = who.ask();
        require(actualSender == sender, "sender");
        require(actualOrigin == origin, "origin");
    }

    function test_prank_is_for_one_call() public {
        vm.prank(ALICE);
        check(ALICE, tx.origin);
        check(address(this), tx.origin);
    }

    function test_prank_with_origin() public {
        address before = tx.origin;
        vm.prank(ALICE, BOB);
        check(ALICE, BOB);
        check(address(this), before);
        require(tx.origin == before, "restored");
    }

    function test_prank_is_not_for_cheatcodes() public {
        vm.prank(ALICE);
        vm.warp(7);
        check(ALICE, tx.origin);
    }

    function test_prank_is_not_for_calls_further_in() public {
        vm.prank(ALICE);
        (address sender,) = who.askSelf();
        require(sender == address(who), "inner");
        check(address(this), tx.origin);
    }

    function test_prank_ends_with_a_call_that_fails() public {
        vm.prank(ALICE);
        try who.fail() {} catch {}
        check(address(this), tx.origin);
    }

    function test_prank_pays_from_the_account() public {
        vm.deal(ALICE, 10);
        vm.prank(ALICE);
        who.pay{value: 3}();
        require(who.sender() == ALICE && who.paid() == 3 && ALICE.balance == 7, "paid");
    }

    function test_prank_of_a_creation() public {
        vm.deal(ALICE, 10);
        vm.prank(ALICE, BOB);
        Who made = new Who{value: 4}();
        require(made.sender() == ALICE && made.origin() == BOB && ALICE.balance == 6, "made");
        Who other = new Who();
        require(other.sender() == address(this), "one only");
    }

    function test_prank_of_a_plain_transfer() public {
        vm.deal(ALICE, 10);
        vm.prank(ALICE);
        (bool sent,) = BOB.call{value: 4}("");
        require(sent && ALICE.balance == 6 && BOB.balance == 4, "sent");
        check(address(this), tx.origin);
    }

    function test_prank_waits_for_a_call() public {
        vm.prank(ALICE);
        (bool ok,) = address(vm).call(abi.encodeWithSignature("prank(address)", BOB));
        require(!ok, "overwritten");
        check(ALICE, tx.origin);
    }

    function test_start_prank() public {
        vm.startPrank(ALICE);
        check(ALICE, tx.origin);
        check(ALICE, tx.origin);
        require(new Who().sender() == ALICE, "created");
        vm.stopPrank();
        check(address(this), tx.origin);
    }

    function test_start_prank_with_origin() public {
        address before = tx.origin;
        vm.startPrank(ALICE, BOB);
        check(ALICE, BOB);
        check(ALICE, BOB);
        vm.stopPrank();
        check(address(this), before);
    }

    function test_start_prank_can_be_replaced_once_it_was_used() public {
        vm.startPrank(ALICE);
        (bool ok,) = address(vm).call(abi.encodeWithSignature("startPrank(address)", BOB));
        require(!ok, "unused");
        check(ALICE, tx.origin);
        vm.startPrank(BOB);
        check(BOB, tx.origin);
        (ok,) = address(vm).call(abi.encodeWithSignature("prank(address)", ALICE));
        require(!ok, "single");
        vm.stopPrank();
        vm.stopPrank();
        check(address(this), tx.origin);
    }

    function pranked() external {
        vm.startPrank(BOB);
        check(BOB, tx.origin);
        vm.stopPrank();
        check(address(this), tx.origin);
    }

    function test_pranks_have_a_depth() public {
        vm.startPrank(address(this));
        this.pranked();
        check(address(this), tx.origin);
        vm.stopPrank();
    }

    function test_delegate_prank() public {
        Written written = new Written();
        vm.etch(ALICE, hex"00");
        vm.prank(ALICE, true);
        (bool ok,) = address(written).delegatecall(abi.encodeCall(Written.write, 7));
        require(ok && uint256(vm.load(ALICE, 0)) == 7, "written to the account");
        vm.startPrank(ALICE, true);
        (ok,) = address(written).delegatecall(abi.encodeCall(Written.write, 8));
        require(ok && uint256(vm.load(ALICE, 0)) == 8, "again");
        check(ALICE, tx.origin);
        vm.stopPrank();
        vm.startPrank(ALICE, BOB, true);
        (ok,) = address(written).delegatecall(abi.encodeCall(Written.write, 9));
        require(ok && uint256(vm.load(ALICE, 0)) == 9, "with origin");
        vm.stopPrank();
        vm.prank(ALICE, BOB, true);
        (ok,) = address(written).delegatecall(abi.encodeCall(Written.write, 10));
        require(ok && uint256(vm.load(ALICE, 0)) == 10, "with origin, once");
        (ok,) = address(vm).call(abi.encodeWithSignature("prank(address,bool)", address(0xe0a), true));
        require(!ok, "no code");
    }

    function test_read_callers() public {
        (uint8 mode, address sender, address origin) = vm.readCallers();
        require(mode == 0 && sender == tx.origin && origin == tx.origin, "none");
        vm.prank(ALICE, BOB);
        (mode, sender, origin) = vm.readCallers();
        require(mode == 3 && sender == ALICE && origin == BOB, "prank");
        who.ask();
        vm.startPrank(BOB);
        (mode, sender, origin) = vm.readCallers();
        require(mode == 4 && sender == BOB && origin == tx.origin, "prank for all");
        who.ask();
        vm.stopPrank();
        vm.broadcast(ALICE);
        (mode, sender, origin) = vm.readCallers();
        require(mode == 1 && sender == ALICE && origin == ALICE, "broadcast");
        who.pay();
        vm.startBroadcast(BOB);
        (mode,,) = vm.readCallers();
        require(mode == 2, "broadcast for all");
        vm.stopBroadcast();
    }

    function test_broadcasts() public {
        vm.broadcast(ALICE);
        who.pay();
        require(who.sender() == ALICE, "one");
        who.pay();
        require(who.sender() == address(this), "one only");
        vm.startBroadcast(BOB);
        check(BOB, BOB);
        Who made = new Who();
        vm.stopBroadcast();
        require(made.sender() == BOB && made.origin() == BOB, "created");
        vm.startBroadcast(uint256(7));
        who.pay();
        vm.stopBroadcast();
        require(who.sender() == vm.addr(7), "of a key");
        vm.broadcast(uint256(7));
        who.pay();
        require(who.sender() == vm.addr(7), "of a key, once");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("stopBroadcast()"));
        require(!ok, "none is on");
    }

    function test_no_prank_within_a_broadcast() public {
        vm.startBroadcast(BOB);
        (bool ok,) = address(vm).call(abi.encodeWithSignature("prank(address)", ALICE));
        require(!ok, "prank");
        vm.stopBroadcast();
        vm.prank(ALICE);
        (ok,) = address(vm).call(abi.encodeWithSignature("broadcast(address)", BOB));
        require(!ok, "broadcast");
        check(ALICE, tx.origin);
    }
}

contract DefaultBroadcastTest {
    Who who = new Who();

    function test_a_broadcast_of_nobody_is_of_the_default_sender() public {
        vm.broadcast();
        who.pay();
        require(who.sender() == 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38, "one");
        vm.startBroadcast();
        who.pay();
        vm.stopBroadcast();
        require(who.sender() == 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38, "all");
    }
}

contract PrankLeftOpenTest {
    Who who = new Who();
    address constant ALICE = address(0xa11ce);
    address constant BOB = address(0xb0b);

    function setUp() public {
        vm.startPrank(ALICE, BOB);
    }

    function test_the_prank_of_set_up_goes_on() public {
        (address sender, address origin) = who.ask();
        require(sender == ALICE && origin == BOB, "pranked");
        vm.stopPrank();
        (sender, origin) = who.ask();
        require(sender == address(this) && origin != BOB, "ended");
    }
}
