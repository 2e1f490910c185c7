// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    struct Wallet {
        address addr;
        uint256 publicKeyX;
        uint256 publicKeyY;
        uint256 privateKey;
    }

    function addr(uint256) external returns (address);
    function sign(uint256, bytes32) external returns (uint8, bytes32, bytes32);
    function sign(Wallet calldata, bytes32) external returns (uint8, bytes32, bytes32);
    function sign(address, bytes32) external returns (uint8, bytes32, bytes32);
    function sign(bytes32) external returns (uint8, bytes32, bytes32);
    function signCompact(uint256, bytes32) external returns (bytes32, bytes32);
    function signCompact(Wallet calldata, bytes32) external returns (bytes32, bytes32);
    function signCompact(address, bytes32) external returns (bytes32, bytes32);
    function signCompact(bytes32) external returns (bytes32, bytes32);
    function signWithNonceUnsafe(uint256, bytes32, uint256) external returns (uint8, bytes32, bytes32);
    function createWallet(string calldata) external returns (Wallet memory);
    function createWallet(uint256) external returns (Wallet memory);
    function createWallet(uint256, string calldata) external returns (Wallet memory);
    function deriveKey(string calldata, uint32) external returns (uint256);
    function deriveKey(string calldata, string calldata, uint32) external returns (uint256);
    function deriveKey(string calldata, uint32, string calldata) external returns (uint256);
    function deriveKey(string calldata, string calldata, uint32, string calldata) external returns (uint256);
    function rememberKey(uint256) external returns (address);
    function rememberKeys(string calldata, string calldata, uint32) external returns (address[] memory);
    function rememberKeys(string calldata, string calldata, string calldata, uint32)
        external
        returns (address[] memory);
    function getWallets() external returns (address[] memory);
    function getLabel(address) external returns (string memory);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract KeysTest {
    bytes32 constant DIGEST = keccak256("digest");
    string constant WORDS = "test test test test test test test test test test test junk";
    address constant FIRST = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;
    address constant SECOND = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;

    function test_addr() public {
        require(vm.addr(1) == 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, "one");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("addr(uint256)", 0));
        require(!ok, "zero");
        (ok,) = address(vm).call(abi.encodeWithSignature("addr(uint256)", type(uint256).max));
        require(!ok, "beyond the order");
    }

    function test_sign() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(7, DIGEST);
        require(ecrecover(DIGEST, v, r, s) == vm.addr(7), "recovered");
        (uint8 again, bytes32 sameR, bytes32 sameS) = vm.sign(7, DIGEST);
        require(v == again && r == sameR && s == sameS, "the same each time");
        require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0, "low");
        // What every library with the nonce of RFC 6979 gives.
        (v, r, s) = vm.sign(1, bytes32(uint256(1)));
        require(ecrecover(bytes32(uint256(1)), v, r, s) == vm.addr(1), "one");
    }

    function test_known_signature() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(uint256(keccak256("key")), keccak256("message"));
        require(v == 27 && r == bytes32(0xa5b9d3d19d0746515322c24367d9efe0bc3f168514e46e1f0e2d8e8553d6c700) && s == bytes32(0x2bcaea3796ba317305c6d6a75cb67ee0f124f94810673878915a89b3de5bef04), "known");
    }

    function test_sign_compact() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(7, DIGEST);
        (bytes32 compactR, bytes32 vs) = vm.signCompact(7, DIGEST);
        require(compactR == r && uint256(vs) == (uint256(s) | (uint256(v - 27) << 255)), "compact");
    }

    function test_sign_by_wallet() public {
        Vm.Wallet memory wallet = vm.createWallet("bob");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(wallet, DIGEST);
        require(ecrecover(DIGEST, v, r, s) == wallet.addr, "wallet");
        (bytes32 compactR,) = vm.signCompact(wallet, DIGEST);
        require(compactR == r, "compact");
    }

    function test_sign_by_remembered_key() public {
        address at = vm.rememberKey(7);
        require(at == vm.addr(7), "account");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(at, DIGEST);
        require(ecrecover(DIGEST, v, r, s) == at, "by account");
        (v, r, s) = vm.sign(DIGEST);
        require(ecrecover(DIGEST, v, r, s) == at, "the only one");
        (bytes32 compactR,) = vm.signCompact(at, DIGEST);
        require(compactR == r, "compact");
        (compactR,) = vm.signCompact(DIGEST);
        require(compactR == r, "compact by the only one");
        require(vm.getWallets().length == 1 && vm.getWallets()[0] == at, "wallets");
    }

    function test_sign_with_nonce() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.signWithNonceUnsafe(7, DIGEST, 12345);
        require(ecrecover(DIGEST, v, r, s) == vm.addr(7), "recovered");
        (, bytes32 other,) = vm.signWithNonceUnsafe(8, DIGEST, 12345);
        require(r == other, "the same nonce");
    }

    function test_wallets() public {
        Vm.Wallet memory wallet = vm.createWallet("bob");
        require(wallet.privateKey == uint256(keccak256("bob")) && wallet.addr == vm.addr(wallet.privateKey), "name");
        require(keccak256(bytes(vm.getLabel(wallet.addr))) == keccak256("bob"), "label");
        require(wallet.addr == address(uint160(uint256(keccak256(abi.encode(wallet.publicKeyX, wallet.publicKeyY))))));
        require(vm.createWallet(9).addr == vm.addr(9), "key");
        wallet = vm.createWallet(10, "ten");
        require(keccak256(bytes(vm.getLabel(wallet.addr))) == keccak256("ten"), "label of a key");
    }

    function test_mnemonics() public {
        require(vm.addr(vm.deriveKey(WORDS, 0)) == FIRST, "first");
        require(vm.addr(vm.deriveKey(WORDS, 1)) == SECOND, "second");
        require(vm.addr(vm.deriveKey(WORDS, "m/44'/60'/0'/0/", 1)) == SECOND, "path");
        require(vm.addr(vm.deriveKey(WORDS, 0, "english")) == FIRST, "language");
        require(vm.addr(vm.deriveKey(WORDS, "m/44'/60'/0'/0/", 0, "english")) == FIRST, "path and language");
        address[] memory both = vm.rememberKeys(WORDS, "m/44'/60'/0'/0/", 2);
        require(both.length == 2 && both[0] == FIRST && both[1] == SECOND, "remembered");
        both = vm.rememberKeys(WORDS, "m/44'/60'/0'/0/", "english", 1);
        require(both.length == 1 && both[0] == FIRST, "remembered, with a language");
    }
}
