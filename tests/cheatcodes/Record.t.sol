// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function record() external;
    function stopRecord() external;
    function accesses(address) external returns (bytes32[] memory, bytes32[] memory);
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function pauseTracing() external;
    function resumeTracing() external;
    function breakpoint(string calldata) external;
    function breakpoint(string calldata, bool) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Store {
    uint256 one;
    uint256 two;

    event Written(uint256 indexed at, uint256 word);

    function read() external view returns (uint256) {
        return two;
    }

    function write(uint256 word) external {
        one = word;
        emit Written(1, word);
    }

    function fail() external {
        emit Written(2, 3);
        revert("no");
    }
}

contract RecordTest {
    Store store;

    function setUp() public {
        store = new Store();
    }

    function test_accesses() public {
        vm.record();
        store.read();
        store.write(7);
        (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(store));
        require(reads.length == 2 && uint256(reads[0]) == 1 && uint256(reads[1]) == 0, "reads");
        require(writes.length == 1 && uint256(writes[0]) == 0, "writes");
        vm.stopRecord();
        store.read();
        (reads,) = vm.accesses(address(store));
        require(reads.length == 2, "stopped");
        vm.record();
        (reads, writes) = vm.accesses(address(store));
        require(reads.length == 0 && writes.length == 0, "anew");
    }

    function test_logs() public {
        require(vm.getRecordedLogs().length == 0, "none yet");
        vm.recordLogs();
        store.write(7);
        try store.fail() {} catch {}
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs.length == 2, "also of calls that fail");
        require(logs[0].topics.length == 2 && logs[0].topics[0] == keccak256("Written(uint256,uint256)"), "topics");
        require(logs[0].topics[1] == bytes32(uint256(1)) && logs[1].topics[1] == bytes32(uint256(2)), "indexed");
        require(logs[0].emitter == address(store) && abi.decode(logs[0].data, (uint256)) == 7, "data");
        require(vm.getRecordedLogs().length == 0, "taken");
        store.write(8);
        require(vm.getRecordedLogs().length == 1, "it goes on");
    }

    function test_nothing_to_see() public {
        vm.pauseTracing();
        vm.resumeTracing();
        vm.breakpoint("a");
        vm.breakpoint("a", false);
    }
}

contract RecordLastsTest {
    Store store = new Store();

    function setUp() public {
        vm.record();
        vm.recordLogs();
        store.write(7);
    }

    function test_what_set_up_recorded_lasts() public {
        (, bytes32[] memory writes) = vm.accesses(address(store));
        require(writes.length == 1, "writes");
        require(vm.getRecordedLogs().length == 1, "logs");
    }
}
