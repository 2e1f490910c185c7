//! Things that meet in one slot of storage, and near misses: what is meant to be one, what keeps apart, and what the caller chooses.

mod support;

use bellwether::compile::SlotExpression;
use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, slow, told};

/// Compares what is found in a contract, as level, oracle, line, message and reason.
fn check(contract: &str, expected: Expect) {
    check_for("^0.8.20", contract, expected);
}

fn check_for(solc: &str, contract: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", &format!("pragma solidity {solc};\n{contract}"));
    expected.assert_eq(&told::findings(&mut sandbox));
}

/// A library that keeps these members at this position, and gives a pointer to them.
fn library(name: &str, position: &str, members: &str) -> String {
    format!(
        "library {name} {{ struct Data {{ {members} }} bytes32 internal constant POSITION = {position};
            function data() internal pure returns (Data storage d) {{ bytes32 p = POSITION; assembly {{ d.slot := p }} }} }}\n"
    )
}

#[test]
fn two_structs_at_one_position() {
    let libraries = [
        library("Owners", "keccak256(\"app.storage\")", "address owner; uint256 since;"),
        library("Fees", "keccak256(\"app.storage\")", "uint256 fee; address collector;"),
    ];
    check(
        &format!(
            "{}contract A {{
            constructor() {{ Owners.data().owner = msg.sender; }}
            function owner() external view returns (address) {{ return Owners.data().owner; }}
            function setFee(uint256 fee) external {{
                Fees.data().fee = fee % 1000; }} }}",
            libraries.concat()
        ),
        expect![[r#"
            error[slot-collision] 10: `owner` of Owners.Data is written as `fee` of Fees.Data: setFee(0)
              The call writes `fee` of Fees.Data to slot 0x47dc25f21c7793543edaeb1ef19d41726ddbada967ae9a7980b9bd8a45228a5e, where `owner` of Owners.Data is kept: it was owner and is 0x0000000000000000000000000000000000000000 now.
        "#]],
    );
}

#[test]
fn two_mappings_at_one_position() {
    let libraries = [
        library("Balances", "keccak256(\"app.storage\")", "mapping(address => uint256) balances;"),
        library("Votes", "keccak256(\"app.storage\")", "mapping(address => bool) hasVoted;"),
    ];
    check(
        &format!(
            "{}contract A {{
            function balanceOf(address who) external view returns (uint256) {{ return Balances.data().balances[who]; }}
            function add() external {{
                Balances.data().balances[msg.sender] += 5; }}
            function vote() external {{ Votes.data().hasVoted[msg.sender] = true; }} }}",
            libraries.concat()
        ),
        expect![[r#"
            error[slot-collision] 9: `hasVoted` of Votes.Data is written as `balances` of Balances.Data: add()
              The call writes `balances` of Balances.Data where `hasVoted[…]` of Votes.Data is kept: it was false and is true now.
            error[slot-collision] 10: `balances` of Balances.Data is written as `hasVoted` of Votes.Data: vote()
              The call writes `hasVoted` of Votes.Data where `balances[…]` of Balances.Data is kept: it was 0 and is 1 now.
        "#]],
    );
}

#[test]
fn a_struct_on_a_variable() {
    check(
        &format!(
            "{}contract A {{ address public owner = msg.sender; uint256 public total;
            function setFee(uint256 fee) external {{
                Settings.data().fee = fee % 1000; }} }}",
            library("Settings", "bytes32(0)", "uint256 fee; uint256 limit;")
        ),
        expect![[r#"
            error[slot-collision] 6: `owner` of A is written as `fee` of Settings.Data: setFee(0)
              The call writes `fee` of Settings.Data to slot 0, where `owner` of A is kept: it was owner and is address(0) now.
        "#]],
    );
}

#[test]
fn a_constant_of_assembly_on_a_variable() {
    check(
        "contract A { uint256 public total = 7; address public owner = msg.sender;
            uint256 private constant PAUSED = 1;
            function pause() external {
                assembly { sstore(PAUSED, 1) } } }",
        expect![[r#"
            error[slot-collision] 5: `owner` of A is written as slot `PAUSED`: pause()
              The call writes to slot `PAUSED`, which is slot 1, where `owner` of A is kept: it was owner and is 0x0000…0001 now.
        "#]],
    );
}

#[test]
fn a_number_of_assembly_on_a_variable() {
    check(
        "contract A { address public owner = msg.sender;
            function pause() external {
                assembly { sstore(0, 1) } } }",
        expect![[r#"
            warning[slot-collision] 4: `owner` of A is written as slot `0`: pause()
              The call writes to slot 0, where `owner` of A is kept: it was owner and is 0x0000…0001 now.
        "#]],
    );
}

#[test]
fn a_struct_on_a_variable_that_says_where_it_is() {
    check(
        &format!(
            "{}contract A layout at 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500 {{ uint256 public total; uint256 public cap = 9;
            function setLimit(uint256 limit) external {{
                Settings.data().limit = limit % 1000; }} }}",
            library(
                "Settings",
                "keccak256(abi.encode(uint256(keccak256(\"example.main\")) - 1)) & ~bytes32(uint256(0xff))",
                "uint256 fee; uint256 limit;"
            )
        ),
        expect![[r#"
            error[slot-collision] 6: `cap` of A is written as `limit` of Settings.Data: setLimit(0)
              The call writes `limit` of Settings.Data to slot 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab501, where `cap` of A is kept: it was 9 and is 0 now.
        "#]],
    );
}

#[test]
fn two_constants_of_assembly() {
    check(
        "contract A { bytes32 private constant OWNER = keccak256(\"app.owner\"); bytes32 private constant GUARDIAN = keccak256(\"app.owner\");
            constructor() { bytes32 slot = OWNER; assembly { sstore(slot, caller()) } }
            function owner() external view returns (address a) { bytes32 slot = OWNER; assembly { a := sload(slot) } }
            function guard() external { bytes32 slot = GUARDIAN; assembly {
                sstore(slot, caller()) } } }",
        expect![[r#"
            error[slot-collision] 6: slot `OWNER` is written as slot `GUARDIAN`: guard()
              The call writes to slot `GUARDIAN`, which is slot 0xe8103b2f973c76f45a7343101a2037c1cec7d87c8e3e04472093365b8a4ddabd, where `OWNER` is kept, too: it was owner and is alice now.
        "#]],
    );
}

#[test]
fn a_mapping_of_assembly_on_a_mapping() {
    check(
        "contract A { uint256 public total; mapping(address => uint256) public balances;
            uint256 private constant SEED = 1;
            function mark(address who) external { assembly {
                mstore(0, who)
                mstore(32, SEED)
                sstore(keccak256(0, 64), 1) } } }",
        expect![[r#"
            error[slot-collision] 7: `balances` of A is written as slot `SEED`: mark(owner)
              The call writes to slot `SEED`, where `balances[owner]` of A is kept: it was 0 and is 1 now.
        "#]],
    );
}

#[test]
fn a_hash_by_hand_on_a_mapping() {
    check(
        "contract A { uint256 public total; mapping(address => uint256) public balances;
            function mark(address who) external { bytes32 slot = keccak256(abi.encode(who, 1)); assembly {
                sstore(slot, 1) } } }",
        expect![[r#"
            warning[slot-collision] 4: `balances` of A is written as slot `keccak256(abi.encode(who, 1))`: mark(owner)
              The call writes to slot `keccak256(abi.encode(who, 1))`, where `balances[owner]` of A is kept: it was 0 and is 1 now.
        "#]],
    );
}

#[test]
fn a_hash_by_hand_that_another_function_computes() {
    let memos = |constant: &str, seed: &str| {
        format!(
            "library Memos {{ {constant}
                function position(address who) private pure returns (bytes32) {{ return keccak256(abi.encode(who, {seed})); }}
                function set(address who, uint256 memo) internal {{ bytes32 at = position(who); assembly {{
                    sstore(at, memo) }} }} }}
            contract A {{ address governor = msg.sender; mapping(address => uint256) private deposits;
                function deposit(uint256 value) external {{ deposits[msg.sender] += value; }}
                function note(uint256 memo) external {{ Memos.set(msg.sender, memo); }}
                function depositOf(address who) external view returns (uint256) {{ return deposits[who]; }} }}"
        )
    };
    check(
        &memos("uint256 private constant SEED = 1;", "SEED"),
        expect![[r#"
        error[slot-collision] 5: `deposits` of A is written as slot `SEED`: note(1)
          The call writes to slot `SEED`, where `deposits[owner]` of A is kept: it was 0 and is 1 now.
    "#]],
    );
    check(&memos("uint256 private constant DEPOSITS_SEED = 1;", "DEPOSITS_SEED"), expect![[""]]);
    check(&memos("", "uint256(keccak256(\"memos\"))"), expect![[""]]);
}

#[test]
fn a_list_of_assembly_on_a_list() {
    check(
        "contract A { uint256[] public list = [1, 2, 3];
            function put(uint256 index) external { assembly {
                mstore(0, 0)
                sstore(add(keccak256(0, 32), mod(index, 3)), 9) } } }",
        expect![[r#"
            warning[slot-collision] 5: `list` of A is written as slot `add(keccak256(0, 32), mod(index, 3))`: put(0)
              The call writes to slot `add(keccak256(0, 32), mod(index, 3))`, where `list[0]` of A is kept: it was 1 and is 9 now.
        "#]],
    );
}

#[test]
fn a_storage_slot_of_a_library_on_a_mapping() {
    check(
        "library StorageSlot { struct Uint256Slot { uint256 value; }
            function getUint256Slot(bytes32 slot) internal pure returns (Uint256Slot storage r) { assembly { r.slot := slot } } }
        contract A { mapping(address => uint256) public balances;
            function mark(address who) external {
                StorageSlot.getUint256Slot(keccak256(abi.encode(who, 0))).value = 1; } }",
        expect![[r#"
            warning[slot-collision] 6: `balances` of A is written as slot `StorageSlot.getUint256Slot(keccak256(abi.encode(who, 0))).value`: mark(owner)
              The call writes to slot `StorageSlot.getUint256Slot(keccak256(abi.encode(who, 0))).value`, where `balances[owner]` of A is kept: it was 0 and is 1 now.
        "#]],
    );
}

#[test]
fn constants_that_are_passed_to_where_they_are_slots() {
    check(
        "library Unstructured { function getAddress(bytes32 position) internal view returns (address word) { assembly { word := sload(position) } }
            function setAddress(bytes32 position, address word) internal { assembly { sstore(position, word) } } }
        library StorageSlot { struct Uint256Slot { uint256 value; }
            function getUint256Slot(bytes32 slot) internal pure returns (Uint256Slot storage r) { assembly { r.slot := slot } } }
        contract A { using Unstructured for bytes32; uint256 public total = 5;
            bytes32 private constant OWNER = keccak256(\"app.owner\"); bytes32 private constant GUARDIAN = keccak256(\"app.owner\");
            bytes32 private constant FEE = bytes32(uint256(0));
            constructor() { OWNER.setAddress(msg.sender); }
            function owner() external view returns (address) { return OWNER.getAddress(); }
            function guard() external {
                GUARDIAN.setAddress(msg.sender); }
            function setFee(uint256 fee) external {
                StorageSlot.getUint256Slot(FEE).value = fee % 100; } }",
        expect![[r#"
            error[slot-collision] 12: slot `OWNER` is written as slot `GUARDIAN`: guard()
              The call writes to slot `GUARDIAN`, which is slot 0xe8103b2f973c76f45a7343101a2037c1cec7d87c8e3e04472093365b8a4ddabd, where `OWNER` is kept, too: it was owner and is alice now.
            error[slot-collision] 14: `total` of A is written as slot `FEE`: setFee(0)
              The call writes to slot `FEE`, which is slot 0, where `total` of A is kept: it was 5 and is 0 now.
        "#]],
    );
}

#[test]
fn transient_storage() {
    check_for(
        "^0.8.28",
        "contract A { uint256 public paid; address transient payer; bool transient open;
            uint256 private constant LOCK = 0;
            function pay() external { payer = msg.sender; _lock(); paid = uint160(payer); }
            function _lock() private { assembly {
                tstore(LOCK, 1) } } }",
        expect![[r#"
            error[slot-collision] 6: `payer` of A is written as slot `LOCK`: pay()
              The call writes to slot `LOCK`, which is transient slot 0, where `payer` of A is kept: it was owner and is 0x0000000000000000000000000000000000000001 now.
        "#]],
    );
}

#[test]
fn two_constants_of_transient_storage() {
    check_for(
        "^0.8.28",
        "contract A { uint256 public paid; uint256 private constant LOCK = 0x10; uint256 private constant PAYER = 0x10;
            function pay() external { assembly {
                tstore(PAYER, caller())
                tstore(LOCK, 1)
                sstore(paid.slot, tload(PAYER)) } } }",
        expect![[r#"
            error[slot-collision] 4: slot `LOCK` is written as slot `PAYER`: pay()
              The call writes to slot `PAYER`, which is transient slot 16, where `LOCK` is kept, too: it was 0 and is owner now.
            error[slot-collision] 5: slot `PAYER` is written as slot `LOCK`: pay()
              The call writes to slot `LOCK`, which is transient slot 16, where `PAYER` is kept, too: it was owner and is 1 now.
        "#]],
    );
}

#[test]
fn facets_of_one_diamond() {
    let libraries = [
        library("Owners", "keccak256(\"diamond.storage\")", "address owner; uint256 since;"),
        library("Fees", "keccak256(\"diamond.storage\")", "uint256 fee; address collector;"),
    ];
    check(
        &format!(
            "{}contract OwnerFacet {{ function take() external {{ Owners.data().owner = msg.sender; }} }}
        contract FeeFacet {{ function setFee(uint256 fee) external {{
            Fees.data().fee = fee % 1000; }} }}
        contract Diamond {{ address owners = address(new OwnerFacet()); address fees = address(new FeeFacet());
            function run(address facet, bytes memory data) private {{ (bool ok,) = facet.delegatecall(data); require(ok); }}
            function take() external {{ run(owners, abi.encodeCall(OwnerFacet.take, ())); }}
            function setFee(uint256 fee) external {{ run(fees, abi.encodeCall(FeeFacet.setFee, (fee))); }} }}",
            libraries.concat()
        ),
        expect![[r#"
            error[slot-collision] 6: `fee` of Fees.Data is written as `owner` of Owners.Data: take()
              The call writes `owner` of Owners.Data to slot 0x2031468f0c30f7087de4da9398818763b546d7f89935fa65485c24ff1df26bf3, where `fee` of Fees.Data is kept: it was 0 and is 61453 now.
            error[slot-collision] 8: `owner` of Owners.Data is written as `fee` of Fees.Data: setFee(1)
              The call writes `fee` of Fees.Data to slot 0x2031468f0c30f7087de4da9398818763b546d7f89935fa65485c24ff1df26bf3, where `owner` of Owners.Data is kept: it was 0x0000000000000000000000000000000000000000 and is 0x0000000000000000000000000000000000000001 now.
        "#]],
    );
}

#[test]
fn structs_before_0_8() {
    for (solc, slot) in [("^0.6.12", "d_slot"), ("^0.7.6", "d.slot")] {
        let data = |name: &str, members: &str| {
            format!(
                "library {name} {{ struct Data {{ {members} }} bytes32 internal constant POSITION = keccak256(\"app.storage\");
            function data() internal pure returns (Data storage d) {{ bytes32 p = POSITION; assembly {{ {slot} := p }} }} }}\n"
            )
        };
        check_for(
            solc,
            &format!(
                "{}{}contract A {{
            constructor() public {{ Owners.data().owner = msg.sender; }}
            function owner() external view returns (address) {{ return Owners.data().owner; }}
            function setFee(uint256 fee) external {{
                Fees.data().fee = fee % 1000; }} }}",
                data("Owners", "address owner; uint256 since;"),
                data("Fees", "uint256 fee; address collector;")
            ),
            expect![[r#"
                error[slot-collision] 10: `owner` of Owners.Data is written as `fee` of Fees.Data: setFee(0)
                  The call writes `fee` of Fees.Data to slot 0x47dc25f21c7793543edaeb1ef19d41726ddbada967ae9a7980b9bd8a45228a5e, where `owner` of Owners.Data is kept: it was owner and is 0x0000000000000000000000000000000000000000 now.
            "#]],
        );
    }
}

#[test]
fn assembly_that_is_a_text() {
    check_for(
        "^0.5.17",
        "contract A { uint256 public total = 7; address public owner = msg.sender; uint256 private constant PAUSED = 1;
            function pause() external { uint256 slot = PAUSED;
                assembly { sstore(slot, 1) } } }",
        expect![[r#"
            error[slot-collision] 4: `owner` of A is written as slot `PAUSED`: pause()
              The call writes to slot `PAUSED`, which is slot 1, where `owner` of A is kept: it was owner and is 0x0000…0001 now.
        "#]],
    );
    check_for(
        "^0.5.17",
        "contract A { uint256 public total = 7; address public owner = msg.sender;
            function disown() external {
                assembly { sstore(owner_slot, 1) } } }",
        expect![[""]],
    );
}

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

/// One of each kind.
const KINDS: &str = "pragma solidity ^0.8.28;
    library Owners { struct Data { address owner; } bytes32 internal constant POSITION = keccak256('app.storage');
        function data() internal pure returns (Data storage d) { bytes32 p = POSITION; assembly { d.slot := p } } }
    library Fees { struct Data { uint256 fee; mapping(address => uint256) paid; } bytes32 internal constant POSITION = keccak256('app.storage');
        function data() internal pure returns (Data storage d) { bytes32 p = POSITION; assembly { d.slot := p } } }
    library Slots { struct Uint256Slot { uint256 value; }
        function at(bytes32 slot) internal pure returns (Uint256Slot storage r) { assembly { r.slot := slot } } }
    contract A { uint256 public total = 5; address public keeper = msg.sender; mapping(address => uint256) public points; address transient payer;
        uint256 private constant SEASON = 1; uint256 private constant MARKS = 2; uint256 private constant LOCK = 0;
        bytes32 private constant COUNT = bytes32(uint256(0));
        function owner() external view returns (address) { return Owners.data().owner; }
        function setFee(uint256 fee) external {
            Fees.data().fee = fee % 100; }
        function begin(uint256 season) external { assembly {
            sstore(SEASON, mod(season, 100)) } }
        function mark(address who) external { assembly {
            mstore(0, who)
            mstore(32, MARKS)
            sstore(keccak256(0, 64), 1) } }
        function note(address who) external { bytes32 slot = keccak256(abi.encode(who, MARKS)); assembly {
            sstore(slot, 7) } }
        function count() external {
            Slots.at(COUNT).value = 9; }
        function pay() external { payer = msg.sender; assembly {
            tstore(LOCK, 1) }
            points[payer] = 1; } }";

/// The lines of what is found of [`KINDS`] with these settings of the compiler.
fn found_when_compiled(optimizer: bool, via_ir: bool) -> String {
    let mut sandbox = Sandbox::new("");
    sandbox.write("foundry.toml", &format!("[profile.default]\noptimizer = {optimizer}\nvia_ir = {via_ir}\n"));
    sandbox.write("src/A.sol", KINDS);
    let found = told::findings(&mut sandbox);
    let heads = found.lines().filter(|line| !line.starts_with(' '));
    let places = heads.filter_map(|line| line.split_once("] ")?.1.split_once(": "));
    let places: Vec<String> =
        places.map(|(line, told)| format!("{line}: {}", told.rsplit_once(": ").unwrap().0)).collect();
    places.join("\n")
}

/// The places of all of [`KINDS`].
const PLACES: &str = "13: `owner` of Owners.Data is written as `fee` of Fees.Data
15: `keeper` of A is written as slot `SEASON`
19: `points` of A is written as slot `MARKS`
21: `points` of A is written as slot `MARKS`
23: `total` of A is written as slot `COUNT`
25: `payer` of A is written as slot `LOCK`";

#[test]
fn the_writes_are_known_with_and_without_the_optimizer() {
    for optimizer in [false, true] {
        assert_eq!(found_when_compiled(optimizer, false), PLACES, "optimizer: {optimizer}");
    }
}

#[test]
fn the_writes_are_known_through_the_ir() {
    if !slow::is_asked() {
        return;
    }
    for optimizer in [false, true] {
        assert_eq!(found_when_compiled(optimizer, true), PLACES, "optimizer: {optimizer}");
    }
}

/// What a source says by itself of slots, a line for each.
fn placements(solc: &str, contract: &str) -> String {
    let mut sandbox = Sandbox::new("");
    let text = format!("pragma solidity {solc};\n{contract}");
    sandbox.write("src/A.sol", &text);
    let build = sandbox.build();
    let read = &build.sources.iter().find(|source| source.name == "src/A.sol").unwrap().ast.placements;
    let known = |slot: &SlotExpression| slot.value(&mut |_| None).and_then(|value| value.word());
    let slot = |slot: &SlotExpression| match (known(slot), slot.names().as_slice()) {
        (Some(word), _) => word.to_string(),
        (None, []) => "?".to_owned(),
        (None, names) => names.join(", "),
    };
    let mut lines: Vec<String> = Vec::new();
    lines.extend(read.constants.iter().map(|it| format!("constant {}.{} {}", it.contract, it.name, slot(&it.value))));
    lines.extend(read.pointers.iter().map(|it| format!("pointer {} {}", it.structure, slot(&it.slot))));
    lines.extend(read.accesses.iter().map(|it| {
        let kind = if it.stores { "store" } else { "load" };
        let kind = if it.is_transient { format!("transient {kind}") } else { kind.to_owned() };
        format!(
            "{kind} {} `{}`",
            slot(&it.slot),
            it.written.text(&text).split_whitespace().collect::<Vec<_>>().join(" ")
        )
    }));
    lines.extend(read.parameters.iter().map(|it| format!("parameter {} of {}/{}", it.index, it.function, it.count)));
    lines.extend(
        read.calls
            .iter()
            .map(|it| format!("call {} {}", it.function, it.arguments.iter().map(slot).collect::<Vec<_>>().join("; "))),
    );
    lines.extend(
        read.members.iter().map(|it| format!("member {}.{} `{}`", it.structure, it.member, it.target.text(&text))),
    );
    lines.extend(read.mentions.iter().map(|it| format!("mention of {}", it.variable.as_deref().unwrap_or("anything"))));
    lines.join("\n")
}

/// What compilers before 0.7 say.
const OLDER: &str = "call put Q; ?
constant A.P 7
constant A.Q 28924016834785865381133897784043442031180858752966036238318101429787181159935
mention of total
parameter 0 of put/2
store 7
store ?
store ?
store P
store P";

#[test]
fn what_a_source_says_by_itself() {
    let solidity = "library L { struct Inner { uint256 a; } struct Data { address owner; Inner inner; mapping(address => Inner[]) lists; }
            bytes32 constant P = bytes32(uint256(7)); bytes32 constant Q = P;
            function data() internal pure returns (Data storage d) { bytes32 p = P; assembly { d.slot := p } }
            function position() internal pure returns (bytes32) { return P; }
            function at(bytes32 key, bytes32 slot) internal pure returns (Data storage d) { assembly { d.slot := slot } } }
        contract A { uint256 total; L.Inner own;
            function run(L.Inner[] storage list, uint256 x) internal {
                L.data().owner = msg.sender;
                L.Data storage d = L.at(bytes32(x), L.P);
                d.inner.a += 1; (d.lists[msg.sender][0].a, own.a) = (1, 2); d.lists[msg.sender].push(); delete d.inner;
                uint256 varies = 5; varies = x;
                assembly {
                    let q := add(3, shl(1, 2))
                    sstore(q, 1)
                    sstore(varies, sload(total.slot))
                    sstore(list.slot, 0)
                    sstore(add(list.slot, 1), 0)
                    tstore(0x10, 1)
                } } }";
    expect![[r#"
        constant L.P 7
        constant L.Q P
        constant L.position() P
        pointer L.Data P
        pointer L.Data ?
        store 7 `add(3, shl(1, 2))`
        store ? `varies`
        store list.slot `add(list.slot, 1)`
        transient store 16 `0x10`
        parameter 1 of at/2
        call at ?; L.P
        member L.Data.owner `L.data().owner`
        member L.Inner.a `d.inner.a`
        member L.Inner.a `d.lists[msg.sender][0].a`
        member L.Data.lists `d.lists[msg.sender]`
        member L.Data.inner `d.inner`
        mention of total
        mention of anything
        mention of anything"#]]
    .assert_eq(&placements("^0.8.28", solidity));
    let older = "contract A { uint256 total; uint256 constant P = 7; bytes32 constant Q = keccak256(\"q\");
            function put(bytes32 slot, uint256 word) internal { assembly { sstore(slot, word) } }
            function run(uint256 x) public { uint256 p = P; uint256 varies = 5; varies = x; put(Q, 1);
                assembly {
                    let q := add(3, 4)
                    sstore(q, 1)
                    sstore(p, sload(total_slot))
                    sstore(varies, mload(0))
                    sstore(add(p, 2), keccak256(0, 32))
                } } }";
    for solc in ["^0.5.17", "^0.6.12"] {
        let told = placements(solc, older);
        // A text has no places of its own, and no order of loads and stores.
        let mut slots: Vec<&str> =
            told.lines().map(|line| line.split_once(" `").map_or(line, |(head, _)| head)).collect();
        slots.sort_unstable();
        assert_eq!(slots.join("\n"), OLDER, "{solc}");
    }
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
