// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function getCode(string calldata) external returns (bytes memory);
    function getDeployedCode(string calldata) external returns (bytes memory);
    function deployCode(string calldata) external returns (address);
    function deployCode(string calldata, bytes calldata) external returns (address);
    function deployCode(string calldata, uint256) external returns (address);
    function deployCode(string calldata, bytes calldata, uint256) external returns (address);
    function deployCode(string calldata, bytes32) external returns (address);
    function deployCode(string calldata, bytes calldata, bytes32) external returns (address);
    function deployCode(string calldata, uint256, bytes32) external returns (address);
    function deployCode(string calldata, bytes calldata, uint256, bytes32) external returns (address);
    function prank(address) external;
    function startPrank(address) external;
    function stopPrank() external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Plain {
    uint256 public paid;
    address public by;

    constructor() payable {
        (paid, by) = (msg.value, msg.sender);
    }
}

contract Sized {
    uint256 public size;
    uint256 public paid;

    constructor(uint256 size_) payable {
        require(size_ != 13, "unlucky");
        (size, paid) = (size_, msg.value);
    }
}

contract ContractsTest {
    function test_code() public {
        require(keccak256(vm.getCode("Contracts.sol:Plain")) == keccak256(type(Plain).creationCode), "file and name");
        require(keccak256(vm.getCode("Plain")) == keccak256(type(Plain).creationCode), "name");
        require(keccak256(vm.getCode("src/Contracts.sol:Plain")) == keccak256(type(Plain).creationCode), "path");
        require(keccak256(vm.getDeployedCode("Contracts.sol:Sized")) == keccak256(type(Sized).runtimeCode), "deployed");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("getCode(string)", "Nothing.sol:OfTheKind"));
        require(!ok, "none");
    }

    function test_deployment() public {
        Plain plain = Plain(vm.deployCode("Contracts.sol:Plain"));
        require(plain.by() == address(this) && plain.paid() == 0, "plain");
        require(Plain(vm.deployCode("Plain", 5)).paid() == 5, "paid");
        require(Sized(vm.deployCode("Sized", abi.encode(7))).size() == 7, "arguments");
        Sized sized = Sized(vm.deployCode("Contracts.sol:Sized", abi.encode(7), 3));
        require(sized.size() == 7 && sized.paid() == 3, "arguments and ether");
    }

    function computed(bytes memory code, bytes32 salt) internal view returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, keccak256(code)));
        return address(uint160(uint256(hash)));
    }

    function test_deployment_with_salt() public {
        bytes32 salt = bytes32(uint256(9));
        require(vm.deployCode("Plain", salt) == computed(type(Plain).creationCode, salt), "plain");
        bytes memory code = abi.encodePacked(type(Sized).creationCode, abi.encode(7));
        require(vm.deployCode("Sized", abi.encode(7), salt) == computed(code, salt), "arguments");
        salt = bytes32(uint256(10));
        require(Plain(vm.deployCode("Plain", 4, salt)).paid() == 4, "paid");
        require(Sized(vm.deployCode("Sized", abi.encode(7), 2, salt)).paid() == 2, "all");
    }

    function test_a_constructor_that_fails() public {
        (bool ok, bytes memory why) =
            address(vm).call(abi.encodeWithSignature("deployCode(string,bytes)", "Sized", abi.encode(13)));
        require(!ok && keccak256(why) == keccak256(abi.encodeWithSignature("Error(string)", "unlucky")), "why");
        (ok,) = address(vm).call(abi.encodeWithSignature("deployCode(string)", "Nothing.sol:OfTheKind"));
        require(!ok, "none");
    }

    function test_by_another_account() public {
        vm.startPrank(address(0xa11ce));
        Plain plain = Plain(vm.deployCode("Plain"));
        vm.stopPrank();
        require(plain.by() == address(0xa11ce), "pranked");
    }
}
