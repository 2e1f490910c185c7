// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {Factory} from "../src/Factory.sol";

interface Vm {
    function chainId(uint256 id) external;
    function coinbase(address account) external;
    function deal(address account, uint256 balance) external;
    function fee(uint256 amount) external;
    function getCode(string calldata artifact) external view returns (bytes memory code);
    function prank(address sender) external;
    function prank(address sender, address origin) external;
    function prevrandao(uint256 word) external;
    function roll(uint256 number) external;
    function setNonceUnsafe(address account, uint64 nonce) external;
    function warp(uint256 timestamp) external;
}

// What Bellwether found in Factory. A test fails as long as its defect is there.
contract FactoryBellwetherTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    address constant owner = 0x000000000000000000000000000000000000F00D;
    address constant alice = 0x00000000000000000000000000000000000A11cE;
    address constant bob = 0x0000000000000000000000000000000000000B0b;
    address constant carol = 0x00000000000000000000000000000000000ca401;

    function setUp() public {
        vm.chainId(1);
        vm.warp(1_700_000_000);
        vm.roll(18_500_000);
        vm.deal(owner, 1_000_000 ether);
        vm.deal(alice, 1_000_000 ether);
        vm.deal(bob, 1_000_000 ether);
        vm.deal(carol, 1_000_000 ether);
    }

    // Finding b10bc62cc1d4fb08: assertion can fail, src/Pair.sol:108.
    //   1. owner: new Token("\"T\"", "\"T\"") → ok
    //        token: name: "" → "\"T\""
    //        token: symbol: "" → "\"T\""
    //   2. owner: new Token("\"T\"", "\"T\"") → ok
    //        token2: name: "" → "\"T\""
    //        token2: symbol: "" → "\"T\""
    //   3. owner: new Factory() → ok
    //   4. alice: createPair(token, token2) → ok
    //        pair: token0: address(0) → token2
    //        pair: token1: address(0) → token
    //        allPairs: length 0 → length 1
    //        getPair[token2][token]: address(0) → pair
    //        getPair[token][token2]: address(0) → pair
    //        allPairs[0]: address(0) → pair
    //   5. owner: token.mint(pair, 2) → ok
    //        token: totalSupply: 0 → 2
    //        token: balanceOf[pair]: 0 → 2
    //   6. owner: token2.mint(pair, 2) → ok
    //        token2: totalSupply: 0 → 2
    //        token2: balanceOf[pair]: 0 → 2
    //   7. alice: pair.mint(alice) → ok
    //        pair: reserve0: 0 → 2
    //        pair: reserve1: 0 → 2
    //        pair: totalLiquidity: 0 → 2
    //        pair: liquidityOf[alice]: 0 → 2
    //   8. owner: token.mint(pair, 1) → ok
    //        token: totalSupply: 2 → 3
    //        token: balanceOf[pair]: 2 → 3
    //   9. bob: pair.swap(1, 0, bob, 0x) → panic 0x01: assertion failed
    //        until it failed, token2: balanceOf[bob]: 0 → 1
    //        until it failed, token2: balanceOf[pair]: 2 → 1
    //        until it failed, pair: _locked: false → true
    function test_regression_assertion_swap() public {
        bytes memory tokenCode = abi.encodePacked(vm.getCode("src/Token.sol:Token"), abi.encode("\"T\"", "\"T\""));
        vm.setNonceUnsafe(owner, 1);
        vm.prank(owner);
        (address token,) = _create(tokenCode, 0);
        if (token == address(0)) return; // The constructor refuses this now.

        bytes memory token2Code = abi.encodePacked(vm.getCode("src/Token.sol:Token"), abi.encode("\"T\"", "\"T\""));
        vm.setNonceUnsafe(owner, 2);
        vm.prank(owner);
        (address token2,) = _create(token2Code, 0);
        if (token2 == address(0)) return; // The constructor refuses this now.

        vm.setNonceUnsafe(owner, 0);
        vm.prank(owner);
        address target = address(new Factory());
        bool success;
        bytes memory result;

        vm.prank(alice);
        bytes memory pairResult;
        (success, pairResult) = target.call(abi.encodeWithSignature("createPair(address,address)", token, token2));
        if (!success) return; // The call fails now.
        address pair = abi.decode(pairResult, (address));

        vm.prank(owner);
        (success,) = token.call(abi.encodeWithSignature("mint(address,uint256)", pair, uint256(2)));

        vm.prank(owner);
        (success,) = token2.call(abi.encodeWithSignature("mint(address,uint256)", pair, uint256(2)));

        vm.prank(alice);
        (success,) = pair.call(abi.encodeWithSignature("mint(address)", alice));

        vm.prank(owner);
        (success,) = token.call(abi.encodeWithSignature("mint(address,uint256)", pair, uint256(1)));

        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
        vm.prank(bob);
        (success, result) = pair.call(
            abi.encodeWithSignature("swap(uint256,uint256,address,bytes)", uint256(1), uint256(0), bob, hex"")
        );
        require(success || keccak256(result) != keccak256(panic), "assertion can fail: src/Pair.sol:108");
    }

    // Deploys code as `new` does, and gives what a constructor that fails says.
    function _create(bytes memory code, uint256 value) internal returns (address created, bytes memory result) {
        assembly {
            created := create(value, add(code, 0x20), mload(code))
            if iszero(created) {
                result := mload(0x40)
                mstore(result, returndatasize())
                returndatacopy(add(result, 0x20), 0, returndatasize())
                mstore(0x40, add(add(result, 0x20), and(add(returndatasize(), 0x1f), not(0x1f))))
            }
        }
    }
}
