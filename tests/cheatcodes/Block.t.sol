// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface Vm {
    function warp(uint256) external;
    function roll(uint256) external;
    function fee(uint256) external;
    function prevrandao(bytes32) external;
    function prevrandao(uint256) external;
    function coinbase(address) external;
    function chainId(uint256) external;
    function txGasPrice(uint256) external;
    function blobBaseFee(uint256) external;
    function blobhashes(bytes32[] calldata) external;
    function setBlockhash(uint256, bytes32) external;
    function getBlockTimestamp() external returns (uint256);
    function getBlockNumber() external returns (uint256);
    function getChainId() external returns (uint256);
    function getBlobBaseFee() external returns (uint256);
    function getBlobhashes() external returns (bytes32[] memory);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract BlockTest {
    function test_defaults() public view {
        require(block.timestamp == 1, "timestamp");
        require(block.number == 1, "number");
        require(block.chainid == 31337, "chain");
        require(block.basefee == 0, "fee");
        require(block.prevrandao == 0, "prevrandao");
        require(block.coinbase == address(0), "coinbase");
        require(block.gaslimit == 1 << 30, "gas limit");
        require(tx.gasprice == 0, "gas price");
        require(tx.origin == 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38, "origin");
        require(msg.sender == 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38, "sender");
        require(address(this) == 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496, "this");
        require(address(this).balance == 0xffffffffffffffffffffffff, "balance");
    }

    function test_warp() public {
        vm.warp(1_234_567);
        require(block.timestamp == 1_234_567 && vm.getBlockTimestamp() == 1_234_567, "warped");
        vm.warp(type(uint256).max);
        require(block.timestamp == type(uint256).max, "to the end");
    }

    function test_roll() public {
        vm.roll(99);
        require(block.number == 99 && vm.getBlockNumber() == 99, "rolled");
        require(blockhash(98) != 0 && blockhash(99) == 0, "hashes");
    }

    function test_fee_and_price() public {
        vm.fee(25 gwei);
        vm.txGasPrice(30 gwei);
        require(block.basefee == 25 gwei && tx.gasprice == 30 gwei, "set");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("fee(uint256)", type(uint256).max));
        require(!ok, "too large");
        (ok,) = address(vm).call(abi.encodeWithSignature("txGasPrice(uint256)", type(uint256).max));
        require(!ok, "too large");
    }

    function test_prevrandao() public {
        vm.prevrandao(uint256(42));
        require(block.prevrandao == 42, "number");
        vm.prevrandao(bytes32(uint256(43)));
        require(block.prevrandao == 43, "word");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("difficulty(uint256)", 7));
        require(!ok, "difficulty is of before");
    }

    function test_coinbase_and_chain() public {
        vm.coinbase(address(0xc0));
        vm.chainId(10);
        require(block.coinbase == address(0xc0) && block.chainid == 10 && vm.getChainId() == 10, "set");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("chainId(uint256)", type(uint256).max));
        require(!ok, "too large");
    }

    function test_blobs() public {
        // Foundry takes the number for the excess of blob gas, of which the fee is made.
        vm.blobBaseFee(9);
        require(block.blobbasefee == 1 && vm.getBlobBaseFee() == 9, "fee");
        vm.blobBaseFee(100_000_000);
        require(block.blobbasefee == 470_442_149 && vm.getBlobBaseFee() == 100_000_000, "higher fee");
        bytes32[] memory hashes = new bytes32[](2);
        (hashes[0], hashes[1]) = (bytes32(uint256(5)), bytes32(uint256(6)));
        vm.blobhashes(hashes);
        require(vm.getBlobhashes().length == 2 && vm.getBlobhashes()[1] == hashes[1], "hashes");
        require(blobhash(0) == hashes[0] && blobhash(1) == hashes[1] && blobhash(2) == 0, "read");
    }

    function test_blockhash() public {
        vm.roll(300);
        vm.setBlockhash(299, bytes32(uint256(77)));
        require(blockhash(299) == bytes32(uint256(77)) && blockhash(298) != bytes32(uint256(77)), "set");
    }
}

contract BlockLastsTest {
    function setUp() public {
        vm.warp(1000);
        vm.roll(20);
        vm.fee(3);
        vm.prevrandao(uint256(4));
        vm.coinbase(address(5));
        vm.chainId(6);
        vm.txGasPrice(7);
        vm.blobBaseFee(100_000_000);
    }

    function test_what_set_up_did_lasts() public view {
        require(block.timestamp == 1000 && block.number == 20, "time");
        require(block.basefee == 3 && block.prevrandao == 4 && block.coinbase == address(5), "block");
        require(block.chainid == 6, "chain");
        require(tx.gasprice == 7, "price");
        require(block.blobbasefee == 470_442_149, "blobs");
    }
}
