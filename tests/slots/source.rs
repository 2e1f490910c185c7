//! What a source says of slots, however it is compiled.

use crate::support::{sandbox::Sandbox, slow, told};
use bellwether::compile::SlotExpression;
use expect_test::expect;

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
