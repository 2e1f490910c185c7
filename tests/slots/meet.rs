//! Things that meet in one slot, each told with what is written and what is lost.

use crate::{check, check_for, library};
use expect_test::expect;

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
