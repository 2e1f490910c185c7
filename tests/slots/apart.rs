//! Near misses: what is meant to be one, what keeps apart, and what the caller chooses.

use crate::{
    check, check_for, library,
    support::{sandbox::Sandbox, told},
};
use expect_test::expect;

#[test]
fn one_struct_through_two_pointers() {
    check(
        &format!(
            "{}contract A {{
            function other() private pure returns (Owners.Data storage d) {{ bytes32 p = keccak256(\"app.storage\"); assembly {{ d.slot := p }} }}
            function take() external {{ Owners.data().owner = msg.sender; }}
            function date() external {{ other().since = block.timestamp; other().owner = msg.sender; }} }}",
            library("Owners", "keccak256(\"app.storage\")", "address owner; uint256 since;")
        ),
        expect![[""]],
    );
}

#[test]
fn a_struct_within_the_other() {
    check(
        "library Storage { struct Owner { address account; uint256 since; } struct All { Owner owner; uint256 total; }
            bytes32 internal constant POSITION = keccak256(\"app.storage\");
            function owner() internal pure returns (Owner storage d) { bytes32 p = POSITION; assembly { d.slot := p } }
            function all() internal pure returns (All storage d) { bytes32 p = POSITION; assembly { d.slot := p } } }
        contract A {
            function take() external { Storage.owner().account = msg.sender; }
            function add() external { Storage.all().total += 1; Storage.all().owner.since = block.timestamp; } }",
        expect![[""]],
    );
}

#[test]
fn a_struct_that_is_the_first_variable() {
    check(
        "struct AppStorage { address owner; uint256 total; mapping(address => uint256) balances; }
        library LibApp { function data() internal pure returns (AppStorage storage d) { assembly { d.slot := 0 } } }
        contract A { AppStorage internal s;
            function take() external { LibApp.data().owner = msg.sender; }
            function add() external { LibApp.data().balances[msg.sender] += 1; s.total += 1; } }",
        expect![[""]],
    );
}

#[test]
fn the_same_names_in_a_copied_struct() {
    let libraries = [
        library("Owners", "keccak256(\"app.storage\")", "address owner; uint256 since;"),
        library("OwnersToo", "keccak256(\"app.storage\")", "address _owner; uint256 since; uint256 more;"),
    ];
    check(
        &format!(
            "{}contract A {{
            function take() external {{ Owners.data().owner = msg.sender; }}
            function date() external {{ OwnersToo.data().since = block.timestamp; OwnersToo.data().more = 1; }} }}",
            libraries.concat()
        ),
        expect![[""]],
    );
}

#[test]
fn raw_access_of_the_position_of_a_pointer() {
    check(
        &format!(
            "{}contract A {{
            function take() external {{ Owners.data().owner = msg.sender; }}
            function date() external {{ bytes32 p = Owners.POSITION; assembly {{ sstore(add(p, 1), timestamp()) sstore(p, caller()) }} }} }}",
            library("Owners", "keccak256(\"app.storage\")", "address owner; uint256 since;")
        ),
        expect![[""]],
    );
}

#[test]
fn assembly_that_asks_for_the_slot_of_the_variable() {
    check(
        "contract A { address public owner = msg.sender; mapping(address => uint256) public balances; uint256 private constant FIRST = 0;
            function give(address to) external { assembly { sstore(owner.slot, to) } }
            function clear() external { assembly { sstore(FIRST, 0) } }
            function mark(address who) external { assembly {
                mstore(0, who)
                mstore(32, balances.slot)
                sstore(keccak256(0, 64), 1) } } }",
        expect![[""]],
    );
}

#[test]
fn a_library_that_is_handed_slots() {
    check(
        "library Maps { function put(mapping(address => uint256) storage map, address key, uint256 word) internal { assembly {
                mstore(0, key)
                mstore(32, map.slot)
                sstore(keccak256(0, 64), word) } } }
        library Arrays { struct Slot { uint256 value; }
            function at(uint256[] storage list, uint256 index) internal pure returns (Slot storage r) { assembly {
                mstore(0, list.slot)
                r.slot := add(keccak256(0, 32), index) } } }
        contract A { mapping(address => uint256) public balances; uint256[] public list = [1, 2];
            function put(uint256 word) external { Maps.put(balances, msg.sender, word % 1000); }
            function set(uint256 word) external { Arrays.at(list, 1).value = word % 1000; } }",
        expect![[""]],
    );
}

#[test]
fn slots_of_the_standard() {
    check(
        "library StorageSlot { struct AddressSlot { address value; }
            function getAddressSlot(bytes32 slot) internal pure returns (AddressSlot storage r) { assembly { r.slot := slot } } }
        abstract contract Upgradeable { bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
            function _set(address to) internal { StorageSlot.getAddressSlot(IMPLEMENTATION).value = to; } }
        contract A is Upgradeable { bytes32 private constant TARGET_SLOT = bytes32(uint256(keccak256(\"eip1967.proxy.implementation\")) - 1);
            bytes32 private constant LOGIC = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
            address public owner = msg.sender;
            function set(address to) external { require(to.code.length == 0); _set(to); }
            function replace(address to) external { bytes32 slot = TARGET_SLOT; assembly { sstore(slot, to) } }
            function change(address to) external { bytes32 slot = LOGIC; assembly { sstore(slot, to) } } }",
        expect![[""]],
    );
}

#[test]
fn constants_and_seeds_in_the_way_of_solady() {
    check(
        "contract A { mapping(address => uint256) public points;
            uint256 private constant _OWNER_SLOT = 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffff74873927;
            uint256 private constant _BALANCE_SLOT_SEED = 0x87a211a2; uint256 private constant _TOTAL_SUPPLY_SLOT = 0x05345cdf77eb68f44c;
            function take() external { assembly { sstore(_OWNER_SLOT, caller()) } }
            function mint(uint256 amount) external { points[msg.sender] += amount % 10; assembly {
                sstore(_TOTAL_SUPPLY_SLOT, add(sload(_TOTAL_SUPPLY_SLOT), mod(amount, 10)))
                mstore(0x0c, _BALANCE_SLOT_SEED)
                mstore(0x00, caller())
                let slot := keccak256(0x0c, 0x20)
                sstore(slot, add(sload(slot), mod(amount, 10))) } } }",
        expect![[""]],
    );
}

#[test]
fn slots_that_are_derived_by_a_library() {
    check_for(
        "^0.8.28",
        "library SlotDerivation { function deriveMapping(bytes32 slot, address key) internal pure returns (bytes32 result) { assembly {
                mstore(0x00, and(key, shr(96, not(0))))
                mstore(0x20, slot)
                result := keccak256(0x00, 0x40) } }
            function offset(bytes32 slot, uint256 by) internal pure returns (bytes32) { unchecked { return bytes32(uint256(slot) + by); } } }
        library TransientSlot { type BooleanSlot is bytes32;
            function asBoolean(bytes32 slot) internal pure returns (BooleanSlot) { return BooleanSlot.wrap(slot); }
            function tload(BooleanSlot slot) internal view returns (bool value) { assembly { value := tload(slot) } }
            function tstore(BooleanSlot slot, bool value) internal { assembly { tstore(slot, value) } } }
        library StorageSlot { struct Uint256Slot { uint256 value; }
            function getUint256Slot(bytes32 slot) internal pure returns (Uint256Slot storage r) { assembly { r.slot := slot } } }
        contract A { using SlotDerivation for bytes32; using TransientSlot for bytes32; using TransientSlot for TransientSlot.BooleanSlot;
            bytes32 private constant GUARD = 0x9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00;
            bytes32 private constant POINTS = keccak256(\"app.points\");
            mapping(address => uint256) public balances; bool transient entered; uint256 public count;
            function run() external { require(!GUARD.asBoolean().tload()); GUARD.asBoolean().tstore(true); entered = true; count += 1; GUARD.asBoolean().tstore(false); }
            function score() external { StorageSlot.getUint256Slot(POINTS.deriveMapping(msg.sender).offset(1)).value += 1; }
            function add() external { balances[msg.sender] += 1; bytes32 slot; assembly { slot := balances.slot }
                StorageSlot.getUint256Slot(slot.deriveMapping(msg.sender)).value += 1; } }",
        expect![[""]],
    );
}

#[test]
fn packed_variables() {
    check(
        "library Packed { struct Data { uint64 a; uint64 b; address c; } bytes32 internal constant POSITION = keccak256(\"app.storage\");
            function data() internal pure returns (Data storage d) { bytes32 p = POSITION; assembly { d.slot := p } } }
        library Half { struct Left { uint128 low; } struct Right { uint128 low; uint128 high; }
            function left() internal pure returns (Left storage d) { assembly { d.slot := 0x5000 } }
            function right() internal pure returns (Right storage d) { assembly { d.slot := 0x5000 } } }
        contract A { uint128 public low = 1; uint128 public high = 2;
            function set(uint64 x) external { Packed.data().a = x; Packed.data().b = x; Packed.data().c = msg.sender; }
            function both(uint128 x) external { Half.left().low = x; Half.right().high = x; } }",
        expect![[""]],
    );
}

#[test]
fn the_caller_chooses_the_slot() {
    let mut sandbox = Sandbox::single(
        "contract A { address public owner = msg.sender; mapping(address => uint256) public balances;
            function set(bytes32 slot, bytes32 word) external { balances[msg.sender] += 1; assembly { sstore(slot, word) } } }",
    );
    let found = told::findings(&mut sandbox);
    assert!(found.contains("arbitrary-write") && !found.contains("slot-collision"), "{found}");
}

#[test]
fn a_gap_that_is_used() {
    check(
        &format!(
            "{}contract A {{ address public owner = msg.sender; uint256[50] private __gap;
            function setFee(uint256 fee) external {{ Settings.data().fee = fee % 1000; }} }}",
            library("Settings", "bytes32(uint256(7))", "uint256 fee; uint256 limit;")
        ),
        expect![[""]],
    );
}

#[test]
fn contracts_that_never_share_storage() {
    let libraries = [
        library("Owners", "keccak256(\"app.storage\")", "address owner; uint256 since;"),
        library("Fees", "keccak256(\"app.storage\")", "uint256 fee; address collector;"),
    ];
    check(
        &format!(
            "{}contract Other {{ function setFee(uint256 fee) external {{ Fees.data().fee = fee % 1000; }} }}
        contract A {{ Other public other = new Other();
            function take() external {{ Owners.data().owner = msg.sender; }}
            function setFee(uint256 fee) external {{ other.setFee(fee); }} }}",
            libraries.concat()
        ),
        expect![[""]],
    );
}

#[test]
fn one_number_in_storage_and_in_transient_storage() {
    check_for(
        "^0.8.28",
        "contract A { address public owner = msg.sender; uint256 private constant LOCK = 0; uint256 transient depth; uint256 public runs;
            function run() external { assembly { tstore(2, 1) } runs += 1; depth = 1; }
            function other() external { uint256 lock = LOCK; assembly { sstore(0x100, lock) } } }",
        expect![[""]],
    );
}

#[test]
fn the_same_word_is_stored() {
    check(
        "contract A { uint256 public one = 1; uint256 private constant FLAG = 0;
            function mark() external { assembly { sstore(FLAG, 1) } }
            function borrow() external { assembly { let old := sload(FLAG) sstore(FLAG, 9) sstore(FLAG, old) } } }",
        expect![[""]],
    );
}

#[test]
fn a_constant_that_is_named_after_its_variable() {
    check(
        "contract A { address public owner = msg.sender; uint256 private constant OWNER_SLOT = 0;
            function give(address to) external { assembly { sstore(OWNER_SLOT, to) } } }",
        expect![[""]],
    );
}

#[test]
fn structs_that_keep_apart() {
    let libraries = [
        library("Owners", "keccak256(\"app.owners\")", "address owner; uint256 since;"),
        library("Fees", "keccak256(\"app.fees\")", "uint256 fee; address collector;"),
    ];
    check(
        &format!(
            "{}contract A {{ uint256 public total;
            function take() external {{ Owners.data().owner = msg.sender; total += 1; }}
            function setFee(uint256 fee) external {{ Fees.data().fee = fee % 1000; }} }}",
            libraries.concat()
        ),
        expect![[""]],
    );
}

#[test]
fn a_struct_in_the_last_slot_goes_around_and_is_left_alone() {
    check(
        "library Edge { struct Data { uint256 first; uint256 second; }
            function data() internal pure returns (Data storage d) { assembly { d.slot := not(0) } } }
        contract A { uint256 public total = 7; uint256 private constant LAST = type(uint256).max;
            function set(uint256 x) external { Edge.data().first = x % 10; Edge.data().second = x % 10; } }",
        expect![[""]],
    );
}
