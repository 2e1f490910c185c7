// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    function randomUint() external returns (uint256);
    function randomUint(uint256, uint256) external returns (uint256);
    function randomUint(uint256) external returns (uint256);
    function randomInt() external returns (int256);
    function randomInt(uint256) external returns (int256);
    function randomAddress() external returns (address);
    function randomBool() external returns (bool);
    function randomBytes(uint256) external returns (bytes memory);
    function randomBytes4() external returns (bytes4);
    function randomBytes8() external returns (bytes8);
    function setSeed(uint256) external;
    function shuffle(uint256[] calldata) external returns (uint256[] memory);
    function sort(uint256[] calldata) external returns (uint256[] memory);
    function bound(uint256, uint256, uint256) external returns (uint256);
    function bound(int256, int256, int256) external returns (int256);
    function setEnv(string calldata, string calldata) external;
    function envExists(string calldata) external returns (bool);
    function envBool(string calldata) external returns (bool);
    function envUint(string calldata) external returns (uint256);
    function envInt(string calldata) external returns (int256);
    function envAddress(string calldata) external returns (address);
    function envBytes32(string calldata) external returns (bytes32);
    function envString(string calldata) external returns (string memory);
    function envBytes(string calldata) external returns (bytes memory);
    function envBool(string calldata, string calldata) external returns (bool[] memory);
    function envUint(string calldata, string calldata) external returns (uint256[] memory);
    function envInt(string calldata, string calldata) external returns (int256[] memory);
    function envAddress(string calldata, string calldata) external returns (address[] memory);
    function envBytes32(string calldata, string calldata) external returns (bytes32[] memory);
    function envString(string calldata, string calldata) external returns (string[] memory);
    function envBytes(string calldata, string calldata) external returns (bytes[] memory);
    function envOr(string calldata, bool) external returns (bool);
    function envOr(string calldata, uint256) external returns (uint256);
    function envOr(string calldata, int256) external returns (int256);
    function envOr(string calldata, address) external returns (address);
    function envOr(string calldata, bytes32) external returns (bytes32);
    function envOr(string calldata, string calldata) external returns (string memory);
    function envOr(string calldata, bytes calldata) external returns (bytes memory);
    function envOr(string calldata, string calldata, bool[] calldata) external returns (bool[] memory);
    function envOr(string calldata, string calldata, uint256[] calldata) external returns (uint256[] memory);
    function envOr(string calldata, string calldata, int256[] calldata) external returns (int256[] memory);
    function envOr(string calldata, string calldata, address[] calldata) external returns (address[] memory);
    function envOr(string calldata, string calldata, bytes32[] calldata) external returns (bytes32[] memory);
    function envOr(string calldata, string calldata, string[] calldata) external returns (string[] memory);
    function envOr(string calldata, string calldata, bytes[] calldata) external returns (bytes[] memory);
    function isContext(uint8) external returns (bool);
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function resetGasMetering() external;
    function lastCallGas() external returns (Gas memory);
    function foundryVersionCmp(string calldata) external returns (int256);
    function foundryVersionAtLeast(string calldata) external returns (bool);
    function getFoundryVersion() external returns (string memory);
    function makePersistent(address) external;
    function isPersistent(address) external returns (bool);
    function revokePersistent(address) external;
    function store(address, bytes32, bytes32) external;
    function load(address, bytes32) external returns (bytes32);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract RandomTest {
    function test_ranges() public {
        uint256 drawn = vm.randomUint(5, 7);
        require(drawn >= 5 && drawn <= 7, "range");
        require(vm.randomUint(9, 9) == 9, "one");
        require(vm.randomUint(8) < 256 && vm.randomUint(0) == 0, "bits");
        int256 int8_ = vm.randomInt(8);
        require(int8_ >= -128 && int8_ <= 127, "signed bits");
        require(vm.randomBytes(33).length == 33 && vm.randomBytes(0).length == 0, "bytes");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("randomUint(uint256,uint256)", 7, 5));
        require(!ok, "the wrong way around");
        (ok,) = address(vm).call(abi.encodeWithSignature("randomUint(uint256)", 257));
        require(!ok, "too many bits");
    }

    function test_draws_differ() public {
        require(vm.randomUint() != vm.randomUint(), "uint");
        require(vm.randomInt() != vm.randomInt(), "int");
        require(vm.randomAddress() != vm.randomAddress(), "address");
        require(vm.randomBytes8() != vm.randomBytes8(), "bytes8");
        vm.randomBytes4();
        vm.randomBool();
    }

    function test_seed() public {
        vm.setSeed(7);
        (uint256 first, uint256 second) = (vm.randomUint(), vm.randomUint());
        vm.setSeed(7);
        require(vm.randomUint() == first && vm.randomUint() == second, "the same");
    }

    function test_lists() public {
        uint256[] memory list = new uint256[](3);
        (list[0], list[1], list[2]) = (3, 1, 2);
        uint256[] memory sorted = vm.sort(list);
        require(sorted[0] == 1 && sorted[1] == 2 && sorted[2] == 3, "sorted");
        sorted = vm.sort(vm.shuffle(list));
        require(sorted.length == 3 && sorted[0] == 1 && sorted[1] == 2 && sorted[2] == 3, "shuffled");
    }

    function test_bound() public {
        uint256 number = vm.bound(uint256(15), uint256(10), uint256(20));
        require(number >= 10 && number <= 20, "bound");
        int256 int_ = vm.bound(int256(5), int256(-10), int256(20));
        require(int_ >= -10 && int_ <= 20, "signed");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("bound(uint256,uint256,uint256)", 1, 2, 3));
        require(!ok, "outside");
        (ok,) = address(vm).call(abi.encodeWithSignature("bound(uint256,uint256,uint256)", 2, 3, 1));
        require(!ok, "the wrong way around");
    }
}

contract EnvTest {
    string constant NONE = "BELLWETHER_NO_SUCH_VARIABLE";

    function test_defaults() public {
        require(!vm.envExists(NONE), "exists");
        require(vm.envOr(NONE, true), "bool");
        require(vm.envOr(NONE, uint256(7)) == 7, "uint");
        require(vm.envOr(NONE, int256(-7)) == -7, "int");
        require(vm.envOr(NONE, address(7)) == address(7), "address");
        require(vm.envOr(NONE, bytes32(uint256(7))) == bytes32(uint256(7)), "bytes32");
        require(keccak256(bytes(vm.envOr(NONE, string("seven")))) == keccak256("seven"), "string");
        require(keccak256(vm.envOr(NONE, bytes(hex"07"))) == keccak256(hex"07"), "bytes");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("envUint(string)", NONE));
        require(!ok, "none");
    }

    function test_defaults_of_lists() public {
        uint256[] memory numbers = new uint256[](2);
        (numbers[0], numbers[1]) = (7, 8);
        require(vm.envOr(NONE, ",", numbers)[1] == 8, "uint");
        require(vm.envOr(NONE, ",", new int256[](3)).length == 3, "int");
        require(vm.envOr(NONE, ",", new bool[](3)).length == 3, "bool");
        require(vm.envOr(NONE, ",", new address[](3)).length == 3, "address");
        require(vm.envOr(NONE, ",", new bytes32[](3)).length == 3, "bytes32");
        string[] memory texts = new string[](2);
        (texts[0], texts[1]) = ("one", "two");
        require(keccak256(bytes(vm.envOr(NONE, ",", texts)[1])) == keccak256("two"), "string");
        bytes[] memory many = new bytes[](2);
        many[1] = hex"0102";
        require(keccak256(vm.envOr(NONE, ",", many)[1]) == keccak256(hex"0102"), "bytes");
    }

    function test_what_was_set() public {
        vm.setEnv("BELLWETHER_ONE", "12");
        require(vm.envExists("BELLWETHER_ONE"), "exists");
        require(vm.envUint("BELLWETHER_ONE") == 12 && vm.envOr("BELLWETHER_ONE", uint256(1)) == 12, "uint");
        require(vm.envInt("BELLWETHER_ONE") == 12, "int");
        require(keccak256(bytes(vm.envString("BELLWETHER_ONE"))) == keccak256("12"), "string");
        vm.setEnv("BELLWETHER_ONE", "true");
        require(vm.envBool("BELLWETHER_ONE"), "bool");
        vm.setEnv("BELLWETHER_ONE", "0x00000000000000000000000000000000000A11cE");
        require(vm.envAddress("BELLWETHER_ONE") == address(0xa11ce), "address");
        vm.setEnv("BELLWETHER_ONE", "0x00000000000000000000000000000000000000000000000000000000000000ff");
        require(vm.envBytes32("BELLWETHER_ONE") == bytes32(uint256(255)), "bytes32");
        require(vm.envBytes("BELLWETHER_ONE").length == 32, "bytes");
        vm.setEnv("BELLWETHER_LIST", "1, 2,3");
        require(vm.envUint("BELLWETHER_LIST", ",").length == 3 && vm.envInt("BELLWETHER_LIST", ",")[1] == 2, "list");
        require(vm.envString("BELLWETHER_LIST", ",").length == 3, "strings");
        require(vm.envOr("BELLWETHER_LIST", ",", new uint256[](0)).length == 3, "list or");
        vm.setEnv("BELLWETHER_LIST", "true,false");
        require(vm.envBool("BELLWETHER_LIST", ",").length == 2, "bools");
        vm.setEnv("BELLWETHER_LIST", "0x00000000000000000000000000000000000A11cE");
        require(vm.envAddress("BELLWETHER_LIST", ",")[0] == address(0xa11ce), "addresses");
        require(vm.envBytes("BELLWETHER_LIST", ",")[0].length == 20, "many bytes");
        vm.setEnv("BELLWETHER_LIST", "0x00000000000000000000000000000000000000000000000000000000000000ff");
        require(vm.envBytes32("BELLWETHER_LIST", ",").length == 1, "words");
    }
}

contract RestTest {
    function test_context() public {
        require(vm.isContext(0) && vm.isContext(1) && !vm.isContext(4) && !vm.isContext(2), "a test");
    }

    function test_gas() public {
        vm.pauseGasMetering();
        vm.resumeGasMetering();
        vm.resetGasMetering();
        vm.isContext(0);
        this.idle();
        vm.lastCallGas();
    }

    function idle() external {}

    function test_versions() public {
        require(vm.foundryVersionCmp("1.7.1") >= 0 && vm.foundryVersionCmp("0.2.0") == 1, "newer");
        require(vm.foundryVersionCmp("99.0.0") == -1, "older");
        require(vm.foundryVersionAtLeast("1.0.0") && !vm.foundryVersionAtLeast("99.0.0"), "at least");
        require(bytes(vm.getFoundryVersion()).length >= 5, "text");
    }

    function test_persistence() public {
        vm.makePersistent(address(7));
        require(vm.isPersistent(address(7)), "made");
    }

    function test_delegated_and_plain_calls_of_the_account_do_nothing() public {
        (bool ok,) = address(vm).delegatecall(abi.encodeWithSignature("warp(uint256)", 77));
        require(ok && block.timestamp == 1, "delegated");
        (ok,) = address(vm).staticcall(abi.encodeWithSignature("warp(uint256)", 77));
        require(ok && block.timestamp == 77, "static");
        (ok,) = address(vm).call{value: 1}(abi.encodeWithSignature("warp(uint256)", 78));
        require(ok && block.timestamp == 78, "with ether");
        (ok,) = address(vm).call("");
        require(!ok, "nothing");
        (ok,) = address(vm).call(hex"00000000");
        require(!ok, "no cheatcode");
        (ok,) = address(vm).call(hex"ca669fa7");
        require(!ok, "no arguments");
    }

    function test_console() public {
        address console = 0x000000000000000000636F6e736F6c652e6c6f67;
        (bool ok,) = console.staticcall(abi.encodeWithSignature("log(string,uint256)", "answer %d", 42));
        require(ok, "said");
        (ok,) = console.staticcall(abi.encodeWithSignature("log(bool,address)", true, address(1)));
        require(ok, "said");
    }

    function test_the_flag_of_failure_can_be_read() public {
        require(vm.load(address(vm), bytes32("failed")) == 0, "not yet");
        vm.store(address(vm), bytes32("failed"), bytes32(uint256(1)));
        require(vm.load(address(vm), bytes32("failed")) == bytes32(uint256(1)), "set");
        vm.store(address(vm), bytes32("failed"), bytes32(uint256(0)));
    }
}
