// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function assertEq(bool, bool) external;
    function assertEq(bool, bool, string calldata) external;
    function assertEq(bool[] calldata, bool[] calldata) external;
    function assertEq(bool[] calldata, bool[] calldata, string calldata) external;
    function assertEq(uint256, uint256) external;
    function assertEq(uint256, uint256, string calldata) external;
    function assertEq(uint256[] calldata, uint256[] calldata) external;
    function assertEq(uint256[] calldata, uint256[] calldata, string calldata) external;
    function assertEq(int256, int256) external;
    function assertEq(int256, int256, string calldata) external;
    function assertEq(int256[] calldata, int256[] calldata) external;
    function assertEq(int256[] calldata, int256[] calldata, string calldata) external;
    function assertEq(address, address) external;
    function assertEq(address, address, string calldata) external;
    function assertEq(address[] calldata, address[] calldata) external;
    function assertEq(address[] calldata, address[] calldata, string calldata) external;
    function assertEq(bytes32, bytes32) external;
    function assertEq(bytes32, bytes32, string calldata) external;
    function assertEq(bytes32[] calldata, bytes32[] calldata) external;
    function assertEq(bytes32[] calldata, bytes32[] calldata, string calldata) external;
    function assertEq(string calldata, string calldata) external;
    function assertEq(string calldata, string calldata, string calldata) external;
    function assertEq(string[] calldata, string[] calldata) external;
    function assertEq(string[] calldata, string[] calldata, string calldata) external;
    function assertEq(bytes calldata, bytes calldata) external;
    function assertEq(bytes calldata, bytes calldata, string calldata) external;
    function assertEq(bytes[] calldata, bytes[] calldata) external;
    function assertEq(bytes[] calldata, bytes[] calldata, string calldata) external;
    function assertEqDecimal(uint256, uint256, uint256) external;
    function assertEqDecimal(uint256, uint256, uint256, string calldata) external;
    function assertEqDecimal(int256, int256, uint256) external;
    function assertEqDecimal(int256, int256, uint256, string calldata) external;
    function assertNotEq(bool, bool) external;
    function assertNotEq(bool, bool, string calldata) external;
    function assertNotEq(bool[] calldata, bool[] calldata) external;
    function assertNotEq(bool[] calldata, bool[] calldata, string calldata) external;
    function assertNotEq(uint256, uint256) external;
    function assertNotEq(uint256, uint256, string calldata) external;
    function assertNotEq(uint256[] calldata, uint256[] calldata) external;
    function assertNotEq(uint256[] calldata, uint256[] calldata, string calldata) external;
    function assertNotEq(int256, int256) external;
    function assertNotEq(int256, int256, string calldata) external;
    function assertNotEq(int256[] calldata, int256[] calldata) external;
    function assertNotEq(int256[] calldata, int256[] calldata, string calldata) external;
    function assertNotEq(address, address) external;
    function assertNotEq(address, address, string calldata) external;
    function assertNotEq(address[] calldata, address[] calldata) external;
    function assertNotEq(address[] calldata, address[] calldata, string calldata) external;
    function assertNotEq(bytes32, bytes32) external;
    function assertNotEq(bytes32, bytes32, string calldata) external;
    function assertNotEq(bytes32[] calldata, bytes32[] calldata) external;
    function assertNotEq(bytes32[] calldata, bytes32[] calldata, string calldata) external;
    function assertNotEq(string calldata, string calldata) external;
    function assertNotEq(string calldata, string calldata, string calldata) external;
    function assertNotEq(string[] calldata, string[] calldata) external;
    function assertNotEq(string[] calldata, string[] calldata, string calldata) external;
    function assertNotEq(bytes calldata, bytes calldata) external;
    function assertNotEq(bytes calldata, bytes calldata, string calldata) external;
    function assertNotEq(bytes[] calldata, bytes[] calldata) external;
    function assertNotEq(bytes[] calldata, bytes[] calldata, string calldata) external;
    function assertNotEqDecimal(uint256, uint256, uint256) external;
    function assertNotEqDecimal(uint256, uint256, uint256, string calldata) external;
    function assertNotEqDecimal(int256, int256, uint256) external;
    function assertNotEqDecimal(int256, int256, uint256, string calldata) external;
    function assertLt(uint256, uint256) external;
    function assertLt(uint256, uint256, string calldata) external;
    function assertLtDecimal(uint256, uint256, uint256) external;
    function assertLtDecimal(uint256, uint256, uint256, string calldata) external;
    function assertLt(int256, int256) external;
    function assertLt(int256, int256, string calldata) external;
    function assertLtDecimal(int256, int256, uint256) external;
    function assertLtDecimal(int256, int256, uint256, string calldata) external;
    function assertGt(uint256, uint256) external;
    function assertGt(uint256, uint256, string calldata) external;
    function assertGtDecimal(uint256, uint256, uint256) external;
    function assertGtDecimal(uint256, uint256, uint256, string calldata) external;
    function assertGt(int256, int256) external;
    function assertGt(int256, int256, string calldata) external;
    function assertGtDecimal(int256, int256, uint256) external;
    function assertGtDecimal(int256, int256, uint256, string calldata) external;
    function assertLe(uint256, uint256) external;
    function assertLe(uint256, uint256, string calldata) external;
    function assertLeDecimal(uint256, uint256, uint256) external;
    function assertLeDecimal(uint256, uint256, uint256, string calldata) external;
    function assertLe(int256, int256) external;
    function assertLe(int256, int256, string calldata) external;
    function assertLeDecimal(int256, int256, uint256) external;
    function assertLeDecimal(int256, int256, uint256, string calldata) external;
    function assertGe(uint256, uint256) external;
    function assertGe(uint256, uint256, string calldata) external;
    function assertGeDecimal(uint256, uint256, uint256) external;
    function assertGeDecimal(uint256, uint256, uint256, string calldata) external;
    function assertGe(int256, int256) external;
    function assertGe(int256, int256, string calldata) external;
    function assertGeDecimal(int256, int256, uint256) external;
    function assertGeDecimal(int256, int256, uint256, string calldata) external;
    function assertApproxEqAbs(uint256, uint256, uint256) external;
    function assertApproxEqAbs(uint256, uint256, uint256, string calldata) external;
    function assertApproxEqAbsDecimal(uint256, uint256, uint256, uint256) external;
    function assertApproxEqAbsDecimal(uint256, uint256, uint256, uint256, string calldata) external;
    function assertApproxEqAbs(int256, int256, uint256) external;
    function assertApproxEqAbs(int256, int256, uint256, string calldata) external;
    function assertApproxEqAbsDecimal(int256, int256, uint256, uint256) external;
    function assertApproxEqAbsDecimal(int256, int256, uint256, uint256, string calldata) external;
    function assertApproxEqRel(uint256, uint256, uint256) external;
    function assertApproxEqRel(uint256, uint256, uint256, string calldata) external;
    function assertApproxEqRelDecimal(uint256, uint256, uint256, uint256) external;
    function assertApproxEqRelDecimal(uint256, uint256, uint256, uint256, string calldata) external;
    function assertApproxEqRel(int256, int256, uint256) external;
    function assertApproxEqRel(int256, int256, uint256, string calldata) external;
    function assertApproxEqRelDecimal(int256, int256, uint256, uint256) external;
    function assertApproxEqRelDecimal(int256, int256, uint256, uint256, string calldata) external;
    function assertTrue(bool) external;
    function assertTrue(bool, string calldata) external;
    function assertFalse(bool) external;
    function assertFalse(bool, string calldata) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract AssertTest {
    /// Runs the assertion, and says how it fails: `-` if it does not.
    function why(bytes memory data) internal returns (string memory) {
        (bool ok, bytes memory output) = address(vm).call(data);
        if (ok) return "-";
        require(bytes4(output) == bytes4(keccak256("CheatcodeError(string)")), "not an error of a cheatcode");
        bytes memory rest = new bytes(output.length - 4);
        for (uint256 i; i < rest.length; i++) rest[i] = output[i + 4];
        return abi.decode(rest, (string));
    }

    function check(bytes memory data, string memory expected) internal {
        string memory actual = why(data);
        require(keccak256(bytes(actual)) == keccak256(bytes(expected)), actual);
    }

    function test_equality_of_bool() public {
        bool[] memory one = new bool[](2);
        bool[] memory other = new bool[](1);
        (one[0], one[1], other[0]) = (true, false, true);
        check(abi.encodeWithSignature("assertEq(bool,bool)", true, true), "-");
        check(abi.encodeWithSignature("assertEq(bool,bool)", true, false), "assertion failed: true != false");
        check(abi.encodeWithSignature("assertEq(bool,bool,string)", true, false, "own"), "own: true != false");
        check(abi.encodeWithSignature("assertEq(bool[],bool[])", one, one), "-");
        check(abi.encodeWithSignature("assertEq(bool[],bool[])", one, other), "assertion failed: [true, false] != [true]");
        check(abi.encodeWithSignature("assertEq(bool[],bool[],string)", one, other, "own"), "own: [true, false] != [true]");
        check(abi.encodeWithSignature("assertNotEq(bool,bool)", true, false), "-");
        check(abi.encodeWithSignature("assertNotEq(bool,bool)", true, true), "assertion failed: true == true");
        check(abi.encodeWithSignature("assertNotEq(bool,bool,string)", true, true, "own"), "own: true == true");
        check(abi.encodeWithSignature("assertNotEq(bool[],bool[])", one, other), "-");
        check(abi.encodeWithSignature("assertNotEq(bool[],bool[])", one, one), "assertion failed: [true, false] == [true, false]");
        check(abi.encodeWithSignature("assertNotEq(bool[],bool[],string)", one, one, "own"), "own: [true, false] == [true, false]");
    }

    function test_equality_of_uint256() public {
        uint256[] memory one = new uint256[](2);
        uint256[] memory other = new uint256[](1);
        (one[0], one[1], other[0]) = (uint256(1), uint256(2), uint256(1));
        check(abi.encodeWithSignature("assertEq(uint256,uint256)", uint256(1), uint256(1)), "-");
        check(abi.encodeWithSignature("assertEq(uint256,uint256)", uint256(1), uint256(2)), "assertion failed: 1 != 2");
        check(abi.encodeWithSignature("assertEq(uint256,uint256,string)", uint256(1), uint256(2), "own"), "own: 1 != 2");
        check(abi.encodeWithSignature("assertEq(uint256[],uint256[])", one, one), "-");
        check(abi.encodeWithSignature("assertEq(uint256[],uint256[])", one, other), "assertion failed: [1, 2] != [1]");
        check(abi.encodeWithSignature("assertEq(uint256[],uint256[],string)", one, other, "own"), "own: [1, 2] != [1]");
        check(abi.encodeWithSignature("assertNotEq(uint256,uint256)", uint256(1), uint256(2)), "-");
        check(abi.encodeWithSignature("assertNotEq(uint256,uint256)", uint256(1), uint256(1)), "assertion failed: 1 == 1");
        check(abi.encodeWithSignature("assertNotEq(uint256,uint256,string)", uint256(1), uint256(1), "own"), "own: 1 == 1");
        check(abi.encodeWithSignature("assertNotEq(uint256[],uint256[])", one, other), "-");
        check(abi.encodeWithSignature("assertNotEq(uint256[],uint256[])", one, one), "assertion failed: [1, 2] == [1, 2]");
        check(abi.encodeWithSignature("assertNotEq(uint256[],uint256[],string)", one, one, "own"), "own: [1, 2] == [1, 2]");
    }

    function test_equality_of_int256() public {
        int256[] memory one = new int256[](2);
        int256[] memory other = new int256[](1);
        (one[0], one[1], other[0]) = (int256(-1), int256(2), int256(-1));
        check(abi.encodeWithSignature("assertEq(int256,int256)", int256(-1), int256(-1)), "-");
        check(abi.encodeWithSignature("assertEq(int256,int256)", int256(-1), int256(2)), "assertion failed: -1 != 2");
        check(abi.encodeWithSignature("assertEq(int256,int256,string)", int256(-1), int256(2), "own"), "own: -1 != 2");
        check(abi.encodeWithSignature("assertEq(int256[],int256[])", one, one), "-");
        check(abi.encodeWithSignature("assertEq(int256[],int256[])", one, other), "assertion failed: [-1, 2] != [-1]");
        check(abi.encodeWithSignature("assertEq(int256[],int256[],string)", one, other, "own"), "own: [-1, 2] != [-1]");
        check(abi.encodeWithSignature("assertNotEq(int256,int256)", int256(-1), int256(2)), "-");
        check(abi.encodeWithSignature("assertNotEq(int256,int256)", int256(-1), int256(-1)), "assertion failed: -1 == -1");
        check(abi.encodeWithSignature("assertNotEq(int256,int256,string)", int256(-1), int256(-1), "own"), "own: -1 == -1");
        check(abi.encodeWithSignature("assertNotEq(int256[],int256[])", one, other), "-");
        check(abi.encodeWithSignature("assertNotEq(int256[],int256[])", one, one), "assertion failed: [-1, 2] == [-1, 2]");
        check(abi.encodeWithSignature("assertNotEq(int256[],int256[],string)", one, one, "own"), "own: [-1, 2] == [-1, 2]");
    }

    function test_equality_of_address() public {
        address[] memory one = new address[](2);
        address[] memory other = new address[](1);
        (one[0], one[1], other[0]) = (address(1), address(0xa11ce), address(1));
        check(abi.encodeWithSignature("assertEq(address,address)", address(1), address(1)), "-");
        check(abi.encodeWithSignature("assertEq(address,address)", address(1), address(0xa11ce)), "assertion failed: 0x0000000000000000000000000000000000000001 != 0x00000000000000000000000000000000000A11cE");
        check(abi.encodeWithSignature("assertEq(address,address,string)", address(1), address(0xa11ce), "own"), "own: 0x0000000000000000000000000000000000000001 != 0x00000000000000000000000000000000000A11cE");
        check(abi.encodeWithSignature("assertEq(address[],address[])", one, one), "-");
        check(abi.encodeWithSignature("assertEq(address[],address[])", one, other), "assertion failed: [0x0000000000000000000000000000000000000001, 0x00000000000000000000000000000000000A11cE] != [0x0000000000000000000000000000000000000001]");
        check(abi.encodeWithSignature("assertEq(address[],address[],string)", one, other, "own"), "own: [0x0000000000000000000000000000000000000001, 0x00000000000000000000000000000000000A11cE] != [0x0000000000000000000000000000000000000001]");
        check(abi.encodeWithSignature("assertNotEq(address,address)", address(1), address(0xa11ce)), "-");
        check(abi.encodeWithSignature("assertNotEq(address,address)", address(1), address(1)), "assertion failed: 0x0000000000000000000000000000000000000001 == 0x0000000000000000000000000000000000000001");
        check(abi.encodeWithSignature("assertNotEq(address,address,string)", address(1), address(1), "own"), "own: 0x0000000000000000000000000000000000000001 == 0x0000000000000000000000000000000000000001");
        check(abi.encodeWithSignature("assertNotEq(address[],address[])", one, other), "-");
        check(abi.encodeWithSignature("assertNotEq(address[],address[])", one, one), "assertion failed: [0x0000000000000000000000000000000000000001, 0x00000000000000000000000000000000000A11cE] == [0x0000000000000000000000000000000000000001, 0x00000000000000000000000000000000000A11cE]");
        check(abi.encodeWithSignature("assertNotEq(address[],address[],string)", one, one, "own"), "own: [0x0000000000000000000000000000000000000001, 0x00000000000000000000000000000000000A11cE] == [0x0000000000000000000000000000000000000001, 0x00000000000000000000000000000000000A11cE]");
    }

    function test_equality_of_bytes32() public {
        bytes32[] memory one = new bytes32[](2);
        bytes32[] memory other = new bytes32[](1);
        (one[0], one[1], other[0]) = (bytes32(uint256(1)), bytes32(uint256(2)), bytes32(uint256(1)));
        check(abi.encodeWithSignature("assertEq(bytes32,bytes32)", bytes32(uint256(1)), bytes32(uint256(1))), "-");
        check(abi.encodeWithSignature("assertEq(bytes32,bytes32)", bytes32(uint256(1)), bytes32(uint256(2))), "assertion failed: 0x0000000000000000000000000000000000000000000000000000000000000001 != 0x0000000000000000000000000000000000000000000000000000000000000002");
        check(abi.encodeWithSignature("assertEq(bytes32,bytes32,string)", bytes32(uint256(1)), bytes32(uint256(2)), "own"), "own: 0x0000000000000000000000000000000000000000000000000000000000000001 != 0x0000000000000000000000000000000000000000000000000000000000000002");
        check(abi.encodeWithSignature("assertEq(bytes32[],bytes32[])", one, one), "-");
        check(abi.encodeWithSignature("assertEq(bytes32[],bytes32[])", one, other), "assertion failed: [0x0000000000000000000000000000000000000000000000000000000000000001, 0x0000000000000000000000000000000000000000000000000000000000000002] != [0x0000000000000000000000000000000000000000000000000000000000000001]");
        check(abi.encodeWithSignature("assertEq(bytes32[],bytes32[],string)", one, other, "own"), "own: [0x0000000000000000000000000000000000000000000000000000000000000001, 0x0000000000000000000000000000000000000000000000000000000000000002] != [0x0000000000000000000000000000000000000000000000000000000000000001]");
        check(abi.encodeWithSignature("assertNotEq(bytes32,bytes32)", bytes32(uint256(1)), bytes32(uint256(2))), "-");
        check(abi.encodeWithSignature("assertNotEq(bytes32,bytes32)", bytes32(uint256(1)), bytes32(uint256(1))), "assertion failed: 0x0000000000000000000000000000000000000000000000000000000000000001 == 0x0000000000000000000000000000000000000000000000000000000000000001");
        check(abi.encodeWithSignature("assertNotEq(bytes32,bytes32,string)", bytes32(uint256(1)), bytes32(uint256(1)), "own"), "own: 0x0000000000000000000000000000000000000000000000000000000000000001 == 0x0000000000000000000000000000000000000000000000000000000000000001");
        check(abi.encodeWithSignature("assertNotEq(bytes32[],bytes32[])", one, other), "-");
        check(abi.encodeWithSignature("assertNotEq(bytes32[],bytes32[])", one, one), "assertion failed: [0x0000000000000000000000000000000000000000000000000000000000000001, 0x0000000000000000000000000000000000000000000000000000000000000002] == [0x0000000000000000000000000000000000000000000000000000000000000001, 0x0000000000000000000000000000000000000000000000000000000000000002]");
        check(abi.encodeWithSignature("assertNotEq(bytes32[],bytes32[],string)", one, one, "own"), "own: [0x0000000000000000000000000000000000000000000000000000000000000001, 0x0000000000000000000000000000000000000000000000000000000000000002] == [0x0000000000000000000000000000000000000000000000000000000000000001, 0x0000000000000000000000000000000000000000000000000000000000000002]");
    }

    function test_equality_of_string() public {
        string[] memory one = new string[](2);
        string[] memory other = new string[](1);
        (one[0], one[1], other[0]) = ("a", "b", "a");
        check(abi.encodeWithSignature("assertEq(string,string)", "a", "a"), "-");
        check(abi.encodeWithSignature("assertEq(string,string)", "a", "b"), "assertion failed: a != b");
        check(abi.encodeWithSignature("assertEq(string,string,string)", "a", "b", "own"), "own: a != b");
        check(abi.encodeWithSignature("assertEq(string[],string[])", one, one), "-");
        check(abi.encodeWithSignature("assertEq(string[],string[])", one, other), "assertion failed: [a, b] != [a]");
        check(abi.encodeWithSignature("assertEq(string[],string[],string)", one, other, "own"), "own: [a, b] != [a]");
        check(abi.encodeWithSignature("assertNotEq(string,string)", "a", "b"), "-");
        check(abi.encodeWithSignature("assertNotEq(string,string)", "a", "a"), "assertion failed: a == a");
        check(abi.encodeWithSignature("assertNotEq(string,string,string)", "a", "a", "own"), "own: a == a");
        check(abi.encodeWithSignature("assertNotEq(string[],string[])", one, other), "-");
        check(abi.encodeWithSignature("assertNotEq(string[],string[])", one, one), "assertion failed: [a, b] == [a, b]");
        check(abi.encodeWithSignature("assertNotEq(string[],string[],string)", one, one, "own"), "own: [a, b] == [a, b]");
    }

    function test_equality_of_bytes() public {
        bytes[] memory one = new bytes[](2);
        bytes[] memory other = new bytes[](1);
        (one[0], one[1], other[0]) = (hex"01", hex"02ff", hex"01");
        check(abi.encodeWithSignature("assertEq(bytes,bytes)", hex"01", hex"01"), "-");
        check(abi.encodeWithSignature("assertEq(bytes,bytes)", hex"01", hex"02ff"), "assertion failed: 0x01 != 0x02ff");
        check(abi.encodeWithSignature("assertEq(bytes,bytes,string)", hex"01", hex"02ff", "own"), "own: 0x01 != 0x02ff");
        check(abi.encodeWithSignature("assertEq(bytes[],bytes[])", one, one), "-");
        check(abi.encodeWithSignature("assertEq(bytes[],bytes[])", one, other), "assertion failed: [0x01, 0x02ff] != [0x01]");
        check(abi.encodeWithSignature("assertEq(bytes[],bytes[],string)", one, other, "own"), "own: [0x01, 0x02ff] != [0x01]");
        check(abi.encodeWithSignature("assertNotEq(bytes,bytes)", hex"01", hex"02ff"), "-");
        check(abi.encodeWithSignature("assertNotEq(bytes,bytes)", hex"01", hex"01"), "assertion failed: 0x01 == 0x01");
        check(abi.encodeWithSignature("assertNotEq(bytes,bytes,string)", hex"01", hex"01", "own"), "own: 0x01 == 0x01");
        check(abi.encodeWithSignature("assertNotEq(bytes[],bytes[])", one, other), "-");
        check(abi.encodeWithSignature("assertNotEq(bytes[],bytes[])", one, one), "assertion failed: [0x01, 0x02ff] == [0x01, 0x02ff]");
        check(abi.encodeWithSignature("assertNotEq(bytes[],bytes[],string)", one, one, "own"), "own: [0x01, 0x02ff] == [0x01, 0x02ff]");
    }

    function test_truth() public {
        vm.assertTrue(true);
        vm.assertTrue(true, "own");
        vm.assertFalse(false);
        vm.assertFalse(false, "own");
        check(abi.encodeWithSignature("assertTrue(bool)", false), "assertion failed");
        check(abi.encodeWithSignature("assertTrue(bool,string)", false, "own"), "own");
        check(abi.encodeWithSignature("assertFalse(bool)", true), "assertion failed");
        check(abi.encodeWithSignature("assertFalse(bool,string)", true, "own"), "own");
    }

    function test_order() public {
        vm.assertLt(uint256(1), uint256(2));
        vm.assertLt(int256(-1), int256(2));
        vm.assertGt(uint256(2), uint256(1));
        vm.assertGt(int256(2), int256(-1));
        vm.assertLe(uint256(2), uint256(2));
        vm.assertLe(int256(-2), int256(-2));
        vm.assertGe(uint256(2), uint256(2));
        vm.assertGe(int256(-2), int256(-2), "own");
        check(abi.encodeWithSignature("assertLt(uint256,uint256)", 2, 2), "assertion failed: 2 >= 2");
        check(abi.encodeWithSignature("assertLt(int256,int256)", int256(3), int256(-2)), "assertion failed: 3 >= -2");
        check(abi.encodeWithSignature("assertLt(int256,int256,string)", 3, 2, "own"), "own: 3 >= 2");
        check(abi.encodeWithSignature("assertGt(uint256,uint256)", 2, 2), "assertion failed: 2 <= 2");
        check(abi.encodeWithSignature("assertGt(int256,int256)", int256(-3), int256(-2)), "assertion failed: -3 <= -2");
        check(abi.encodeWithSignature("assertGt(uint256,uint256,string)", 1, 2, "own"), "own: 1 <= 2");
        check(abi.encodeWithSignature("assertLe(uint256,uint256)", 3, 2), "assertion failed: 3 > 2");
        check(abi.encodeWithSignature("assertLe(int256,int256,string)", 3, 2, "own"), "own: 3 > 2");
        check(abi.encodeWithSignature("assertGe(uint256,uint256)", 1, 2), "assertion failed: 1 < 2");
        check(abi.encodeWithSignature("assertGe(int256,int256,string)", 1, 2, "own"), "own: 1 < 2");
    }

    function test_decimals() public {
        vm.assertEqDecimal(uint256(5), uint256(5), 18);
        vm.assertNotEqDecimal(int256(5), int256(6), 18);
        vm.assertLtDecimal(uint256(5), uint256(6), 2);
        check(
            abi.encodeWithSignature("assertEqDecimal(uint256,uint256,uint256)", 1 ether, 15, 18),
            "assertion failed: 1.000000000000000000 != 0.000000000000000015"
        );
        check(
            abi.encodeWithSignature("assertEqDecimal(int256,int256,uint256)", int256(-150), 15, 2),
            "assertion failed: -1.50 != 0.15"
        );
        check(
            abi.encodeWithSignature("assertNotEqDecimal(uint256,uint256,uint256,string)", 7, 7, 0, "own"), "own: 7.0 == 7.0"
        );
        check(abi.encodeWithSignature("assertNotEqDecimal(int256,int256,uint256)", 7, 7, 1), "assertion failed: 0.7 == 0.7");
        check(abi.encodeWithSignature("assertLtDecimal(uint256,uint256,uint256)", 7, 7, 1), "assertion failed: 0.7 >= 0.7");
        check(abi.encodeWithSignature("assertGtDecimal(int256,int256,uint256)", 7, 7, 1), "assertion failed: 0.7 <= 0.7");
        check(abi.encodeWithSignature("assertLeDecimal(uint256,uint256,uint256)", 8, 7, 100), "assertion failed: 8 > 7");
        check(
            abi.encodeWithSignature("assertGeDecimal(int256,int256,uint256,string)", 6, 7, 1, "own"), "own: 0.6 < 0.7"
        );
    }

    function test_nearness() public {
        vm.assertApproxEqAbs(uint256(10), uint256(12), 2);
        vm.assertApproxEqAbs(int256(-1), int256(1), 2);
        vm.assertApproxEqRel(uint256(99), uint256(100), 0.01e18);
        vm.assertApproxEqRel(int256(-99), int256(-100), 0.01e18, "own");
        vm.assertApproxEqRel(uint256(0), uint256(0), 0);
        check(
            abi.encodeWithSignature("assertApproxEqAbs(uint256,uint256,uint256)", 10, 13, 2),
            "assertion failed: 10 !~= 13 (max delta: 2, real delta: 3)"
        );
        check(
            abi.encodeWithSignature("assertApproxEqAbs(int256,int256,uint256,string)", int256(-1), 2, 2, "own"),
            "own: -1 !~= 2 (max delta: 2, real delta: 3)"
        );
        check(
            abi.encodeWithSignature("assertApproxEqAbsDecimal(uint256,uint256,uint256,uint256)", 10, 13, 2, 1),
            "assertion failed: 1.0 !~= 1.3 (max delta: 0.2, real delta: 0.3)"
        );
        check(
            abi.encodeWithSignature("assertApproxEqRel(uint256,uint256,uint256)", 90, 100, 0.05e18),
            "assertion failed: 90 !~= 100 (max delta: 5.0000000000000000%, real delta: 10.0000000000000000%)"
        );
        check(
            abi.encodeWithSignature("assertApproxEqRel(uint256,uint256,uint256)", 90, 0, 0.05e18),
            "assertion failed: 90 !~= 0 (max delta: 5.0000000000000000%, real delta: undefined)"
        );
        check(
            abi.encodeWithSignature("assertApproxEqRel(uint256,uint256,uint256)", type(uint256).max, 1, 0.05e18),
            "assertion failed: overflow in delta calculation"
        );
        check(
            abi.encodeWithSignature("assertApproxEqRelDecimal(int256,int256,uint256,uint256)", int256(-90), 100, 1e18, 1),
            "assertion failed: -9.0 !~= 10.0 (max delta: 100.0000000000000000%, real delta: 190.0000000000000000%)"
        );
    }
}
