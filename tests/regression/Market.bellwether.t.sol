// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {Market} from "../Market.sol";

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

// What Bellwether found in Market. A test fails as long as its defect is there.
contract MarketBellwetherTest {
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

    // Finding 44360054c76c09b3: assertion can fail, Market.sol:42.
    //   1. owner: new Coin(market) → ok
    //   2. owner: new Market(coin) → ok
    //   3. alice: buy{value: 1 wei}() → ok
    //        coin: supply: 0 → 1
    //        coin: balances[alice]: 0 → 1
    //        sold: 0 → 1
    //        balance: 0 → 1 wei
    //   4. alice: coin.burn(1) → ok
    //        coin: supply: 1 → 0
    //        coin: balances[alice]: 1 → 0
    //   5. bob: audit() → panic 0x01: assertion failed
    function test_regression_assertion_audit() public {
        bytes memory coinCode =
            abi.encodePacked(vm.getCode("Market.sol:Coin"), abi.encode(0xFb1b848e938aE6474F890bfb28f6a793a515BAcb));
        vm.setNonceUnsafe(owner, 1);
        vm.prank(owner);
        (address coin,) = _create(coinCode, 0);
        if (coin == address(0)) return; // The constructor refuses this now.

        vm.setNonceUnsafe(owner, 0);
        bytes memory code = abi.encodePacked(type(Market).creationCode, abi.encode(coin));
        vm.prank(owner);
        (address target,) = _create(code, 0);
        if (target == address(0)) return; // The constructor refuses this now.
        bool success;
        bytes memory result;

        vm.prank(alice);
        (success,) = target.call{value: 1 wei}(abi.encodeWithSignature("buy()"));

        vm.prank(alice);
        (success,) = coin.call(abi.encodeWithSignature("burn(uint256)", uint256(1)));

        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
        vm.prank(bob);
        (success, result) = target.call(abi.encodeWithSignature("audit()"));
        require(success || keccak256(result) != keccak256(panic), "assertion can fail: Market.sol:42");
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
