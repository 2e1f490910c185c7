// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
    function revertToStateAndDelete(uint256) external returns (bool);
    function deleteStateSnapshot(uint256) external returns (bool);
    function deleteStateSnapshots() external;
    function snapshot() external returns (uint256);
    function revertTo(uint256) external returns (bool);
    function revertToAndDelete(uint256) external returns (bool);
    function deleteSnapshot(uint256) external returns (bool);
    function deleteSnapshots() external;
    function warp(uint256) external;
    function roll(uint256) external;
    function deal(address, uint256) external;
    function etch(address, bytes calldata) external;
    function setNonce(address, uint64) external;
    function getNonce(address) external returns (uint64);
    function load(address, bytes32) external returns (bytes32);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Counter {
    uint256 public number;
    mapping(uint256 => uint256) public words;

    function set(uint256 to) external {
        number = to;
        words[to] = to;
    }
}

contract StatesTest {
    Counter counter;
    address constant ALICE = address(0xa11ce);

    function setUp() public {
        counter = new Counter();
        counter.set(1);
        vm.warp(100);
    }

    function test_storage_and_block() public {
        uint256 id = vm.snapshotState();
        counter.set(2);
        vm.warp(200);
        vm.roll(50);
        require(vm.revertToState(id), "known");
        require(counter.number() == 1 && counter.words(2) == 0 && counter.words(1) == 1, "storage");
        require(block.timestamp == 100 && block.number == 1, "block");
        counter.set(3);
        require(vm.revertToState(id) && counter.number() == 1, "again");
        counter.set(4);
        require(vm.revertToStateAndDelete(id) && counter.number() == 1, "and forgotten");
        require(!vm.revertToState(id), "gone");
    }

    function test_accounts() public {
        vm.deal(ALICE, 5);
        uint256 id = vm.snapshotState();
        vm.deal(ALICE, 6);
        vm.etch(ALICE, hex"6001");
        vm.setNonce(ALICE, 9);
        Counter other = new Counter();
        other.set(7);
        uint64 nonce = vm.getNonce(address(this));
        require(vm.revertToState(id), "known");
        require(ALICE.balance == 5 && ALICE.code.length == 0 && vm.getNonce(ALICE) == 0, "account");
        require(address(other).code.length == 0 && vm.load(address(other), 0) == 0, "created");
        require(vm.getNonce(address(this)) == nonce - 1, "nonce");
        Counter again = new Counter();
        require(address(again) == address(other) && again.number() == 0, "created anew");
    }

    function test_each_is_kept_until_it_is_deleted() public {
        uint256 first = vm.snapshotState();
        counter.set(2);
        uint256 second = vm.snapshotState();
        counter.set(3);
        require(second > first, "numbers");
        require(vm.revertToState(first) && counter.number() == 1, "first");
        require(vm.revertToState(second) && counter.number() == 2, "second");
        require(vm.revertToStateAndDelete(first) && counter.number() == 1, "first again");
        require(vm.revertToState(second) && counter.number() == 2, "second again");
    }

    function test_deletion() public {
        uint256 first = vm.snapshotState();
        uint256 second = vm.snapshotState();
        require(vm.deleteStateSnapshot(first) && !vm.deleteStateSnapshot(first), "one");
        require(vm.revertToState(second), "the other one");
        vm.deleteStateSnapshots();
        require(!vm.revertToState(second), "all");
    }

    function test_older_names() public {
        uint256 id = vm.snapshot();
        counter.set(2);
        require(vm.revertTo(id) && counter.number() == 1, "revert");
        counter.set(2);
        require(vm.revertToAndDelete(id) && counter.number() == 1 && !vm.revertTo(id), "revert and delete");
        id = vm.snapshot();
        require(vm.deleteSnapshot(id), "delete");
        vm.deleteSnapshots();
    }
}

contract StatesLastTest {
    Counter counter = new Counter();
    uint256 id;

    function setUp() public {
        counter.set(1);
        id = vm.snapshotState();
        counter.set(2);
    }

    function test_the_state_of_set_up_is_kept() public {
        uint256 kept = 0;
        require(counter.number() == 2, "before");
        require(vm.revertToState(kept), "known");
        require(counter.number() == 1 && counter.words(2) == 0, "after");
        require(id == 0, "its own storage, too");
    }
}
