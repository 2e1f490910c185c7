// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function toString(address) external returns (string memory);
    function toString(bytes calldata) external returns (string memory);
    function toString(bytes32) external returns (string memory);
    function toString(bool) external returns (string memory);
    function toString(uint256) external returns (string memory);
    function toString(int256) external returns (string memory);
    function parseBytes(string calldata) external returns (bytes memory);
    function parseAddress(string calldata) external returns (address);
    function parseUint(string calldata) external returns (uint256);
    function parseInt(string calldata) external returns (int256);
    function parseBytes32(string calldata) external returns (bytes32);
    function parseBool(string calldata) external returns (bool);
    function toLowercase(string calldata) external returns (string memory);
    function toUppercase(string calldata) external returns (string memory);
    function trim(string calldata) external returns (string memory);
    function replace(string calldata, string calldata, string calldata) external returns (string memory);
    function split(string calldata, string calldata) external returns (string[] memory);
    function indexOf(string calldata, string calldata) external returns (uint256);
    function contains(string calldata, string calldata) external returns (bool);
    function toBase64(bytes calldata) external returns (string memory);
    function toBase64(string calldata) external returns (string memory);
    function toBase64URL(bytes calldata) external returns (string memory);
    function toBase64URL(string calldata) external returns (string memory);
    function ensNamehash(string calldata) external returns (bytes32);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract TextTest {
    function same(string memory one, string memory other) internal pure {
        require(keccak256(bytes(one)) == keccak256(bytes(other)), one);
    }

    function test_to_string() public {
        same(vm.toString(address(0xa11ce)), "0x00000000000000000000000000000000000A11cE");
        same(vm.toString(bytes(hex"01ff")), "0x01ff");
        same(vm.toString(bytes32(uint256(255))), "0x00000000000000000000000000000000000000000000000000000000000000ff");
        same(vm.toString(true), "true");
        same(vm.toString(uint256(1e18)), "1000000000000000000");
        same(vm.toString(int256(-12)), "-12");
        same(vm.toString(type(int256).min), "-57896044618658097711785492504343953926634992332820282019728792003956564819968");
    }

    function test_parse() public {
        require(keccak256(vm.parseBytes("0x01ff")) == keccak256(hex"01ff"), "bytes");
        require(vm.parseAddress("0x00000000000000000000000000000000000A11cE") == address(0xa11ce), "address");
        require(vm.parseUint("12") == 12 && vm.parseUint("0x10") == 16, "uint");
        require(vm.parseInt("-12") == -12, "int");
        require(vm.parseBool("true") && !vm.parseBool("false"), "bool");
        bytes32 word = vm.parseBytes32("0x00000000000000000000000000000000000000000000000000000000000000ff");
        require(word == bytes32(uint256(255)), "bytes32");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("parseUint(string)", "many"));
        require(!ok, "no number");
        (ok,) = address(vm).call(abi.encodeWithSignature("parseBool(string)", "perhaps"));
        require(!ok, "no truth");
    }

    function test_parts() public {
        same(vm.toLowercase("ABc"), "abc");
        same(vm.toUppercase("aBc"), "ABC");
        same(vm.trim("  a b "), "a b");
        same(vm.replace("a-b-c", "-", "+"), "a+b+c");
        string[] memory parts = vm.split("a,b,c", ",");
        require(parts.length == 3, "parts");
        same(parts[2], "c");
        require(vm.indexOf("hello", "l") == 2 && vm.indexOf("hello", "z") == type(uint256).max, "index");
        require(vm.contains("hello", "ell") && !vm.contains("hello", "elk"), "contains");
    }

    function test_encodings() public {
        same(vm.toBase64(string("foobar")), "Zm9vYmFy");
        same(vm.toBase64(bytes(hex"fbff")), "+/8=");
        same(vm.toBase64URL(bytes(hex"fbff")), "-_8=");
        same(vm.toBase64URL(string("fo")), "Zm8=");
        require(vm.ensNamehash("") == 0, "root");
        require(
            vm.ensNamehash("vitalik.eth") == 0xee6c4522aab0003e8d14cd40a6af439055fd2577951148c14b6cea9a53475835, "name"
        );
    }
}
