// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    struct Wallet {
        address addr;
        uint256 publicKeyX;
        uint256 publicKeyY;
        uint256 privateKey;
    }

    struct AccessListItem {
        address target;
        bytes32[] storageKeys;
    }

    function deal(address, uint256) external;
    function etch(address, bytes calldata) external;
    function load(address, bytes32) external returns (bytes32);
    function store(address, bytes32, bytes32) external;
    function copyStorage(address, address) external;
    function cloneAccount(address, address) external;
    function getNonce(address) external returns (uint64);
    function getNonce(Wallet calldata) external returns (uint64);
    function setNonce(address, uint64) external;
    function setNonceUnsafe(address, uint64) external;
    function resetNonce(address) external;
    function label(address, string calldata) external;
    function getLabel(address) external returns (string memory);
    function computeCreateAddress(address, uint256) external returns (address);
    function computeCreate2Address(bytes32, bytes32, address) external returns (address);
    function computeCreate2Address(bytes32, bytes32) external returns (address);
    function cool(address) external;
    function coolSlot(address, bytes32) external;
    function warmSlot(address, bytes32) external;
    function accessList(AccessListItem[] calldata) external;
    function noAccessList() external;
    function allowCheatcodes(address) external;
    function createWallet(string calldata) external returns (Wallet memory);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Store {
    uint256 public word = 5;
    mapping(uint256 => uint256) public words;

    function write(uint256 key, uint256 to) external {
        words[key] = to;
    }
}

contract AccountsTest {
    Store store;
    address constant ALICE = address(0xa11ce);

    function setUp() public {
        store = new Store();
        store.write(1, 11);
    }

    function test_deal() public {
        vm.deal(ALICE, 3 ether);
        require(ALICE.balance == 3 ether, "dealt");
        vm.deal(ALICE, 1);
        require(ALICE.balance == 1, "taken");
        (bool sent,) = ALICE.call{value: 5}("");
        require(sent && ALICE.balance == 6, "received");
        vm.deal(ALICE, type(uint256).max);
        require(ALICE.balance == type(uint256).max, "all");
    }

    function test_etch() public {
        vm.etch(ALICE, address(store).code);
        require(ALICE.code.length == address(store).code.length, "code");
        require(Store(ALICE).word() == 0, "no storage comes with it");
        Store(ALICE).write(2, 22);
        require(Store(ALICE).words(2) == 22, "runs");
        vm.etch(ALICE, "");
        require(ALICE.code.length == 0, "none");
    }

    function test_load_and_store() public {
        require(vm.load(address(store), 0) == bytes32(uint256(5)), "load");
        vm.store(address(store), 0, bytes32(uint256(6)));
        require(store.word() == 6 && vm.load(address(store), 0) == bytes32(uint256(6)), "store");
        bytes32 slot = keccak256(abi.encode(uint256(1), uint256(1)));
        require(vm.load(address(store), slot) == bytes32(uint256(11)), "mapping");
        vm.store(ALICE, slot, bytes32(uint256(9)));
        require(vm.load(ALICE, slot) == bytes32(uint256(9)), "account without code");
    }

    function test_precompiles_are_left_alone() public {
        (bool ok,) = address(vm).call(abi.encodeWithSignature("store(address,bytes32,bytes32)", address(1), 0, 0));
        require(!ok, "store");
        (ok,) = address(vm).call(abi.encodeWithSignature("load(address,bytes32)", address(2), 0));
        require(!ok, "load");
        (ok,) = address(vm).call(abi.encodeWithSignature("etch(address,bytes)", address(4), hex"00"));
        require(!ok, "etch");
    }

    function test_copies() public {
        (Store one, Store other) = (new Store(), new Store());
        one.write(1, 12);
        vm.copyStorage(address(one), address(other));
        require(other.words(1) == 12, "copied");
        vm.deal(address(one), 3);
        vm.cloneAccount(address(one), ALICE);
        require(Store(ALICE).word() == 5 && Store(ALICE).words(1) == 12 && ALICE.balance == 3, "cloned");
    }

    function test_nonces() public {
        require(vm.getNonce(address(store)) == 1, "contract");
        require(vm.getNonce(ALICE) == 0, "person");
        vm.setNonce(ALICE, 10);
        require(vm.getNonce(ALICE) == 10, "set");
        (bool ok,) = address(vm).call(abi.encodeWithSignature("setNonce(address,uint64)", ALICE, 9));
        require(!ok, "lower");
        vm.setNonceUnsafe(ALICE, 9);
        require(vm.getNonce(ALICE) == 9, "unsafe");
        vm.resetNonce(ALICE);
        require(vm.getNonce(ALICE) == 0, "reset");
        vm.setNonce(address(store), 5);
        vm.resetNonce(address(store));
        require(vm.getNonce(address(store)) == 1, "reset of a contract");
        Vm.Wallet memory wallet = vm.createWallet("bob");
        vm.setNonce(wallet.addr, 3);
        require(vm.getNonce(wallet) == 3, "wallet");
    }

    function test_addresses_of_creations() public {
        uint64 nonce = vm.getNonce(address(this));
        address computed = vm.computeCreateAddress(address(this), nonce);
        require(address(new Store()) == computed, "create");
        bytes32 hash = keccak256(type(Store).creationCode);
        computed = vm.computeCreate2Address(bytes32(uint256(3)), hash, address(this));
        require(address(new Store{salt: bytes32(uint256(3))}()) == computed, "create2");
        address factory = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
        computed = vm.computeCreate2Address(bytes32(uint256(3)), hash);
        require(computed == vm.computeCreate2Address(bytes32(uint256(3)), hash, factory), "factory");
        (bool ok,) = factory.call(abi.encodePacked(bytes32(uint256(3)), type(Store).creationCode));
        require(ok && Store(computed).word() == 5, "the factory is there");
    }

    function test_labels() public {
        require(keccak256(bytes(vm.getLabel(ALICE))) == keccak256("unlabeled:0x00000000000000000000000000000000000A11cE"));
        vm.label(ALICE, "alice");
        require(keccak256(bytes(vm.getLabel(ALICE))) == keccak256("alice"), "label");
    }

    function gasOfRead() internal view returns (uint256) {
        uint256 before = gasleft();
        store.word();
        return before - gasleft();
    }

    function test_warm_and_cool() public {
        gasOfRead();
        uint256 warm = gasOfRead();
        vm.cool(address(store));
        require(gasOfRead() >= warm + 1900, "cool");
        vm.coolSlot(address(store), 0);
        require(gasOfRead() >= warm + 1900, "cool slot");
        vm.coolSlot(address(store), 0);
        vm.warmSlot(address(store), 0);
        require(gasOfRead() < warm + 1900, "warm slot");
        vm.noAccessList();
        vm.allowCheatcodes(ALICE);
    }
}
