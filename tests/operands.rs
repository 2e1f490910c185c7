//! Branch costs are exact: for every comparison that a condition makes, a run records a branch with the very operands that
//! the source compares, which goes the way that the comparison says, and costs what turning it around costs.
//!
//! The tables in `operands/table.rs` become one contract for each compiler, pipeline and optimizer setting, with a function for
//! each condition in each place where a condition may stand. Every function is run, and what was recorded is compared with
//! what the source says. A branch counts if it is in code that a person wrote, and says `l OP r` in either orientation,
//! negated or not, or the same in other words where a constant is involved: `x < 10` as `!(x > 9)`, `x > 0` as `x != 0`,
//! and of `bool`, `x == true` as `x != false`.
//!
//! What is not exact, and what is recorded instead:
//! - A result that was kept in memory, in storage or in an array: the word, against zero. In every version.
//! - A result of an earlier turn of a loop, when the same comparison has run again since: the word, against zero.
//! - A result that more than 128 blocks of the same frame lie behind: the word, against zero.
//! - Assembly in which a test meets the literal 0 or 1, as in `xor(gt(a, b), 1)`, in the IR pipeline, where the literal may
//!   come from another block: the word, against zero.
//! - `==` and `!=` of two results, `(a < b) == (c < d)`: the two truth values, not the comparisons behind them.
//! - In the IR pipeline the jump of a `require` or `assert` is in code that the compiler adds, without a place in the source, and
//!   without optimizer all of them share one jump. Operands are exact there, too.
//!
//! The IR pipeline of 0.7 and of 0.8 before 0.8.13 was an experiment, without modifiers; 0.7.6 gives no deployed code from it. That of
//! 0.8.13 without optimizer has too little stack for these functions.

mod support;
#[path = "operands/table.rs"]
mod table;

use alloy_primitives::{Bytes, U256};
use bellwether::{
    code::{Program, Programs},
    compile::{Build, Compiler, Severity, default_cache},
    evm::{Branch, Call, CallTarget, Executor, MAX_BRANCHES, Operator, Snapshot, Status},
    harness::Harness,
    input::{Deployment, InstanceId, Setup},
    project::Project,
    world::World,
};
use std::{fmt::Write, path::Path, sync::Arc};
use support::{sandbox::Sandbox, slow};
use table::{BODIES, CONDITIONS, CONSTANTS, LITERALS, PLACES, PLACES_OF_CONSTANTS, Row, TYPES};

/// A function of the contract, and what its runs must record.
struct Case {
    name: String,
    /// The condition and its place, or the statements.
    text: String,
    /// Types of its parameters.
    types: Vec<String>,
    has_constants: bool,
    runs: Vec<(String, Vec<String>)>,
}

impl Case {
    /// Whether the jump may be in code that has no place: the IR pipeline makes functions of its own for `require` and
    /// `assert`, and its optimizer loses the places of other jumps as well, before 0.8.37 even those of an `if`.
    fn is_tested_elsewhere(&self, solc: &str, via_ir: bool) -> bool {
        via_ir && (solc != "0.8.37" || !self.text.starts_with("if "))
    }
}

/// Functions that conditions are passed through.
const COMMON: &str = "
    enum Color { Red, Green, Blue }
    uint256 total;
    function nothing() public {}
    function demand(bool x) internal { require(x); }
    function opposite(bool x) internal returns (bool) { return !x; }
    function pair(bool x, uint256 n) internal returns (uint256, bool) { total = n; return (n, x); }
    function less(uint256 a, uint256 b) internal returns (bool) { return a < b; }
    function same(uint256 a, uint256 b) internal returns (bool) { return a == b; }
    function deep(uint256 a, uint256 b, uint256 n) internal returns (bool) {
        if (n == 0) { return a < b; }
        return deep(a, b, n - 1);
    }
    modifier guard(bool x) { require(x); _; }
    function guarded(bool x) internal guard(x) { total = 9; }
";

struct Table {
    contract: String,
    cases: Vec<Case>,
}

impl Table {
    fn new(literals: bool) -> Self {
        let mut table = Self { contract: COMMON.to_owned(), cases: Vec::new() };
        for (kind, values) in TYPES {
            let operators: &[&str] =
                if kind == "bool" || kind == "Table" { &["==", "!="] } else { &["<", "<=", ">", ">=", "==", "!="] };
            let bool_word = |value: &str| value.replace("false", "0").replace("true", "1");
            for operator in operators {
                let pairs = values.iter().flat_map(|left| values.iter().map(move |right| (left, right)));
                let runs = pairs.map(|(left, right)| {
                    (format!("{left}, {right}"), vec![format!("{} {operator} {}", bool_word(left), bool_word(right))])
                });
                let condition = format!("a {operator} b");
                table.add(&format!("{kind} a, {kind} b"), &condition, PLACES[0], runs.collect());
            }
        }
        for place in PLACES {
            CONDITIONS.iter().for_each(|row| table.add_row(row, place));
            if PLACES_OF_CONSTANTS.contains(&place.0) {
                CONSTANTS.iter().for_each(|row| table.add_row(row, place));
            }
        }
        let literals = LITERALS.iter().filter(|_| literals);
        BODIES.iter().chain(literals).for_each(|row| table.add_row(row, ("", "{C}")));
        table
    }

    fn add_row(&mut self, row: &Row, place: (&str, &str)) {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let runs = row.runs.iter().map(|(arguments, seen)| ((*arguments).to_owned(), owned(seen)));
        self.add(row.parameters, row.code, place, runs.collect());
    }

    fn add(&mut self, parameters: &str, condition: &str, place: (&str, &str), runs: Vec<(String, Vec<String>)>) {
        let number = self.cases.len();
        let words: Vec<&str> = parameters.split(", ").collect();
        let (types, names): (Vec<_>, Vec<_>) = words.iter().map(|word| word.split_once(' ').unwrap()).unzip();
        let arguments = names.join(", ");
        let code = place.1.replace("{C}", condition).replace("{A}", &arguments).replace("{N}", &number.to_string());
        let name = format!("f{number}");
        let _ = writeln!(self.contract, "    function {name}({parameters}) public returns (uint256) {{ {code} }}");
        if code.contains(&format!("test{number}(")) {
            let _ = writeln!(
                self.contract,
                "    function test{number}({parameters}) internal returns (bool) {{ return {condition}; }}"
            );
        }
        self.cases.push(Case {
            name,
            text: format!("{} [{parameters}] {condition}", place.0),
            types: types.iter().map(|kind| (*kind).to_owned()).collect(),
            has_constants: condition.contains(|letter: char| letter.is_ascii_digit())
                || condition.contains('.')
                || condition.contains("false"),
            runs,
        });
    }

    fn source(&self, solc: &str) -> String {
        format!("// SPDX-License-Identifier: MIT\npragma solidity {solc};\n\ncontract Table {{{}}}\n", self.contract)
    }
}

/// A word as the tables write it.
fn word(text: &str, kind: &str) -> U256 {
    let highest = (U256::from(1) << 255) - U256::from(1);
    match text {
        "MAX" => U256::MAX,
        "MIN" => highest + U256::from(1),
        "HIGH" => highest,
        "false" => U256::ZERO,
        "true" => U256::from(1),
        _ => match (text.strip_prefix('-'), text.strip_prefix("0x")) {
            (Some(digits), _) => U256::ZERO.wrapping_sub(digits.parse().unwrap()),
            (_, Some(digits)) => {
                let shift = if kind.starts_with("bytes") { 256 - 4 * digits.len() } else { 0 };
                U256::from_str_radix(digits, 16).unwrap() << shift
            }
            _ => text.parse().unwrap(),
        },
    }
}

/// A relation of two words in which all ways to say the same are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The smaller word first.
    Equal(U256, U256),
    Less {
        signed: bool,
        left: U256,
        right: U256,
    },
}

impl Relation {
    fn equal(left: U256, right: U256) -> Self {
        Self::Equal(left.min(right), left.max(right))
    }

    fn of(branch: &Branch) -> Self {
        let (left, right) = (branch.left, branch.right);
        let signed = matches!(branch.operator, Operator::SignedLess | Operator::SignedGreater);
        match branch.operator {
            Operator::Equal | Operator::Differ => Self::equal(left, right),
            Operator::Less | Operator::SignedLess => Self::Less { signed, left, right },
            Operator::Greater | Operator::SignedGreater => Self::Less { signed, left: right, right: left },
        }
    }
}

/// What a comparison in the source says.
struct Said {
    relation: Relation,
    cost: U256,
    /// The same in other words.
    others: Vec<Relation>,
}

impl Said {
    fn new(text: &str, case: &Case) -> Self {
        let parts: Vec<&str> = text.split(' ').collect();
        let [left, operator, right] = parts[..] else { panic!("{text}") };
        let kind = case.types[0].as_str();
        let (left, right) = (word(left, kind), word(right, kind));
        let signed = kind.starts_with("int") || operator.starts_with('s');
        let relation = match operator.trim_start_matches('s') {
            "==" | "!=" => Relation::equal(left, right),
            "<" | ">=" => Relation::Less { signed, left, right },
            ">" | "<=" => Relation::Less { signed, left: right, right: left },
            other => panic!("{other}"),
        };
        let mut others = Vec::new();
        if case.has_constants {
            others.extend(in_other_words(relation));
        }
        if case.has_constants && kind == "bool" {
            let one = U256::from(1);
            others.push(Relation::equal(left, one - right));
        }
        Self { cost: cost(relation), relation, others }
    }

    fn is_said_by(&self, branch: &Branch) -> bool {
        let relation = Relation::of(branch);
        (relation == self.relation || self.others.contains(&relation)) && branch.cost() == self.cost
    }
}

/// The formulas of HARVEY §IV-C, in numbers that neither wrap nor end.
fn cost(relation: Relation) -> U256 {
    let (one, half) = (U256::from(1), U256::from(1) << 255);
    match relation {
        Relation::Equal(left, right) if left == right => one,
        Relation::Equal(left, right) => right - left,
        Relation::Less { signed, left, right } => {
            let (left, right) = if signed { (left ^ half, right ^ half) } else { (left, right) };
            if left < right { right - left } else { (left - right).saturating_add(one) }
        }
    }
}

/// The same about integers: `l < r` is `!(r - 1 < l)` and `!(r < l + 1)`; what is not over 0 is 0.
fn in_other_words(relation: Relation) -> Vec<Relation> {
    let Relation::Less { signed, left, right } = relation else { return Vec::new() };
    let (zero, one, half) = (U256::ZERO, U256::from(1), U256::from(1) << 255);
    let (lowest, highest) = if signed { (half, half - one) } else { (zero, U256::MAX) };
    let mut others = Vec::new();
    if right != lowest {
        others.push(Relation::Less { signed, left: right.wrapping_sub(one), right: left });
    }
    if left != highest {
        others.push(Relation::Less { signed, left: right, right: left.wrapping_add(one) });
    }
    if !signed && left == zero {
        others.push(Relation::equal(right, zero));
    }
    if !signed && right == one {
        others.push(Relation::equal(left, zero));
    }
    others
}

/// A contract that was deployed.
struct Ready {
    harness: Harness,
    executor: Executor,
    state: Snapshot,
    address: alloy_primitives::Address,
}

impl Ready {
    fn new(build: Arc<Build>, contract: &str) -> Self {
        let errors: Vec<_> = build.diagnostics.iter().filter(|said| said.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let programs = Arc::new(Programs::of(&build));
        let contract = build.find_contract("", contract).unwrap();
        let harness = Harness::new(build, programs, contract).unwrap();
        let mut executor = harness.executor();
        let instance = InstanceId::MAIN;
        let deployment = Deployment { instance, arguments: Vec::new(), sender: World::owner(), value: U256::ZERO };
        let (outcome, state) = harness.set_up(&mut executor, &Setup::of(deployment), |_| {});
        let state = state.unwrap_or_else(|| panic!("{outcome:?}"));
        let address = harness.calls.main().address;
        Self { harness, executor, state, address }
    }

    fn call(&mut self, function: &str, words: &[U256]) -> Status {
        let function = &self.harness.compiled().abi.function(function).unwrap()[0];
        let mut data = function.selector().to_vec();
        words.iter().for_each(|word| data.extend(word.to_be_bytes::<32>()));
        let target = CallTarget::Account(self.address, Bytes::from(data));
        let call =
            Call { sender: World::owner(), target, value: U256::ZERO, moment: self.state.moment(), scripted: None };
        self.executor.run(&self.state, &call).status
    }

    /// What the last call recorded, in code that a person wrote or also in code that the compiler adds.
    fn branches(&self, added: bool) -> Vec<Branch> {
        let programs = &self.harness.programs;
        let branches = &self.executor.observation().branches;
        for branch in branches {
            assert_eq!(branch.operator.holds(branch.left, branch.right), branch.held(), "{branch:?}");
        }
        let counts = |branch: &&Branch| added || is_written(programs.get(branch.program), branch.pc);
        branches.iter().filter(counts).copied().collect()
    }
}

/// Generated code has no source, or that of the whole contract.
fn is_written(program: &Program, pc: u32) -> bool {
    let whole = program.element(0).map(|element| element.span);
    program.element(pc).is_some_and(|element| element.source.is_some() && Some(element.span) != whole)
}

/// Compiles the table, in a folder that stays, so that compiled code is kept.
fn build(table: &Table, solc: &str, via_ir: bool, optimizer: bool) -> Arc<Build> {
    let root = default_cache().join("tests").join("operands").join(format!("{solc}-{via_ir}-{optimizer}"));
    std::fs::create_dir_all(&root).unwrap();
    let config =
        format!("[profile.default]\nsrc = \".\"\nsolc = \"{solc}\"\nvia_ir = {via_ir}\noptimizer = {optimizer}\n");
    write(&root.join("foundry.toml"), &config);
    write(&root.join("Table.sol"), &table.source(solc));
    let project = Project::load(&root).unwrap();
    Arc::new(Compiler::new(&default_cache(), &root, true).build(&project))
}

fn write(path: &Path, text: &str) {
    if std::fs::read_to_string(path).ok().as_deref() != Some(text) {
        std::fs::write(path, text).unwrap();
    }
}

/// Runs all cases and returns what was not recorded.
fn missing(table: &Table, solc: &str, via_ir: bool, optimizer: bool) -> Vec<String> {
    let mut ready = Ready::new(build(table, solc, via_ir, optimizer), "Table");
    let mut missing = Vec::new();
    for case in &table.cases {
        for (arguments, expected) in &case.runs {
            let words: Vec<U256> =
                arguments.split(", ").zip(&case.types).map(|(text, kind)| word(text, kind)).collect();
            ready.call(&case.name, &words);
            let branches = ready.branches(case.is_tested_elsewhere(solc, via_ir));
            for text in expected {
                let said = Said::new(text, case);
                if !branches.iter().any(|branch| said.is_said_by(branch)) {
                    let seen: Vec<_> = branches
                        .iter()
                        .map(|b| {
                            format!(
                                "{}{:?} {} {} cost {}",
                                if b.negated { "!" } else { "" },
                                b.operator,
                                b.left,
                                b.right,
                                b.cost()
                            )
                        })
                        .collect();
                    missing.push(format!("{}({arguments}) {}: {text}, but {seen:?}", case.name, case.text));
                }
            }
        }
    }
    missing
}

fn check(solc: &str, via_ir: bool, optimizers: &[bool]) {
    let table = Table::new(!via_ir);
    for optimizer in optimizers {
        let missing = missing(&table, solc, via_ir, *optimizer);
        let configuration = format!("{solc}, via_ir {via_ir}, optimizer {optimizer}");
        assert!(missing.is_empty(), "{configuration}: {} missing\n{}", missing.len(), missing.join("\n"));
    }
}

macro_rules! configurations {
    ($($name:ident => ($solc:literal, $via_ir:literal, $optimizers:expr)),* $(,)?) => {$(
        #[test]
        fn $name() {
            if $via_ir && !slow::is_asked() {
                return;
            }
            check($solc, $via_ir, &$optimizers);
        }
    )*};
}

configurations! {
    legacy_0_4_11 => ("0.4.11", false, [false, true]),
    legacy_0_4_26 => ("0.4.26", false, [false, true]),
    legacy_0_5_17 => ("0.5.17", false, [false, true]),
    legacy_0_6_12 => ("0.6.12", false, [false, true]),
    legacy_0_7_6 => ("0.7.6", false, [false, true]),
    legacy_0_8_0 => ("0.8.0", false, [false, true]),
    legacy_0_8_37 => ("0.8.37", false, [false, true]),
    ir_0_8_13 => ("0.8.13", true, [true]),
    ir_0_8_37 => ("0.8.37", true, [false, true]),
}

/// Deploys the only contract of a text for the newest compiler.
fn ready(contract: &str) -> Ready {
    Ready::new(Sandbox::single(&format!("contract A {{ {contract} }}")).build(), "A")
}

#[test]
fn a_branch_evaluated_a_million_times_is_counted_and_not_kept() {
    let mut ready = ready(
        "uint256 total;
         constructor() { assembly { for { let i := 0 } lt(i, 1000000) { i := add(i, 1) } { } } }
         function spin(uint256 n) public { bool odd = n == 12345; for (uint256 i = 0; i < n; i++) { if (odd) { total = i; } } }",
    );
    let seen = |ready: &Ready| {
        let observation = ready.executor.observation();
        (observation.length, observation.branches.len(), observation.branches.capacity())
    };
    let (length, kept, capacity) = seen(&ready);
    assert!(length >= 1_000_000, "{length}");
    assert_eq!(kept, MAX_BRANCHES);
    assert!(capacity <= 2 * MAX_BRANCHES, "{capacity}");

    assert_eq!(ready.call("spin", &[U256::from(20_000)]), Status::Success);
    let (length, kept, capacity) = seen(&ready);
    assert!(length >= 40_000, "{length}");
    assert_eq!(kept, MAX_BRANCHES);
    assert!(capacity <= 2 * MAX_BRANCHES, "{capacity}");
    // The costs of those that are kept are exact to the last.
    let turns = ready.branches(false).into_iter().filter(|branch| branch.right == U256::from(20_000));
    for (turn, branch) in turns.enumerate() {
        assert_eq!(branch.cost(), U256::from(20_000 - turn), "{branch:?}");
    }
}

/// The words that branches tested against zero, and their costs.
fn words_tested(ready: &Ready) -> Vec<(U256, U256)> {
    let zero =
        |branch: &&Branch| matches!(branch.operator, Operator::Equal | Operator::Differ) && branch.right.is_zero();
    ready.branches(false).iter().filter(zero).map(|branch| (branch.left, branch.cost())).collect()
}

#[test]
fn a_condition_that_nothing_compared_is_the_word_itself() {
    let mut ready = ready(
        "bool kept;
         function calldata_(uint256) public pure { assembly { if calldataload(4) { stop() } } }
         function memory_(uint256 a) public pure { assembly { mstore(0, a) if mload(0) { stop() } } }
         function masked(uint256 a) public pure { assembly { if and(a, 0xf0f0) { stop() } } }
         function both(uint256 a, uint256 b) public pure { assembly { if and(a, b) { stop() } } }
         function storage_(uint256 a, uint256 b) public { kept = a < b; require(kept); }
         function array(uint256 a, uint256 b) public pure { bool[] memory t = new bool[](3); t[1] = a < b; require(t[1]); }",
    );
    for (function, arguments, word) in [
        ("calldata_", vec![77], 77),
        ("calldata_", vec![0], 0),
        ("memory_", vec![77], 77),
        ("masked", vec![0xffff], 0xf0f0),
        ("masked", vec![0x0f0f], 0),
        ("both", vec![6, 3], 2),
        ("storage_", vec![1, 2], 1),
        ("storage_", vec![2, 1], 0),
        ("array", vec![1, 2], 1),
        ("array", vec![2, 1], 0),
    ] {
        let arguments: Vec<U256> = arguments.into_iter().map(U256::from).collect();
        ready.call(function, &arguments);
        let expected = (U256::from(word), U256::from(word.max(1)));
        assert!(words_tested(&ready).contains(&expected), "{function}({arguments:?}): {:#?}", ready.branches(false));
    }
}

#[test]
fn a_jump_in_the_assembly_of_old_is_the_word_itself() {
    let mut ready = Ready::new(
        Sandbox::new(
            "//- A.sol\npragma solidity 0.4.26;\ncontract A {
               function raw(uint256 a) public returns (uint256 r) {
                 assembly { jumpi(yes, a) r := 2 jump(no) yes: r := 1 no: }
               }
               function compared(uint256 a) public returns (uint256 r) {
                 assembly { jumpi(yes, gt(a, 9)) r := 2 jump(no) yes: r := 1 no: }
               }
             }",
        )
        .build(),
        "A",
    );
    for (word, cost) in [(0, 1), (1, 1), (77, 77)] {
        ready.call("raw", &[U256::from(word)]);
        assert!(words_tested(&ready).contains(&(U256::from(word), U256::from(cost))), "{:#?}", ready.branches(false));
    }
    ready.call("compared", &[U256::from(77)]);
    let said = |branch: &Branch| branch.operator == Operator::Greater && branch.cost() == U256::from(68);
    assert!(ready.branches(false).iter().any(said), "{:#?}", ready.branches(false));
}

/// A comparison whose operands were replaced by those of its next turn is not mistaken for that.
#[test]
fn a_result_of_an_earlier_turn_is_the_word_itself() {
    let mut ready = ready(
        "function f(uint256 a) public pure returns (uint256) {
            bool before = false;
            for (uint256 i = 0; i < 3; i++) { bool now_ = a < 10 * i; if (before) { return i; } before = now_; }
            return 9;
         }",
    );
    ready.call("f", &[U256::from(5)]);
    let word = (U256::from(1), U256::from(1));
    assert!(words_tested(&ready).contains(&word), "{:#?}", ready.branches(false));
}
