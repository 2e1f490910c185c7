//! Small programs in assembly, run by the real EVM, and what lookahead says of the paths that they took.

mod laws;

use super::*;
use crate::{
    compile::{Build, Bytecode, Contract, ContractKind, SourceId, Span},
    evm::{Call, CallTarget, Executor, Moment, Outcome, Snapshot, Status},
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, Bytes, address};
use foundry_compilers::artifacts::EvmVersion;
use revm::bytecode::opcode::OpCode;
use std::collections::BTreeMap;

/// Reads a program: names of opcodes, numbers (pushed), `name:` (a JUMPDEST) and `@name` (its position, pushed).
/// Everything behind `;` in a line is a comment. Returns the code, and names of positions.
fn assemble(text: &str) -> (Vec<u8>, BTreeMap<String, u32>) {
    let byte_of = |name: &str| {
        let found = (0..=u8::MAX).find(|byte| OpCode::new(*byte).is_some_and(|opcode| opcode.as_str() == name));
        found.unwrap_or_else(|| panic!("no opcode {name}"))
    };
    let (mut code, mut labels, mut uses) = (Vec::new(), BTreeMap::new(), Vec::new());
    for word in text.lines().flat_map(|line| line.split(';').next().unwrap().split_whitespace()) {
        if let Some(label) = word.strip_suffix(':') {
            labels.insert(label.to_owned(), code.len() as u32);
            code.push(opcode::JUMPDEST);
        } else if let Some(label) = word.strip_prefix('@') {
            uses.push((code.len() + 1, label.to_owned()));
            code.extend([opcode::PUSH2, 0, 0]);
        } else if word.starts_with(|first: char| first.is_ascii_digit()) {
            let number = match word.strip_prefix("0x") {
                Some(hex) => U256::from_str_radix(hex, 16).unwrap(),
                None => U256::from_str_radix(word, 10).unwrap(),
            };
            let bytes = number.to_be_bytes_trimmed_vec();
            code.push(opcode::PUSH0 + bytes.len() as u8);
            code.extend(bytes);
        } else {
            code.push(byte_of(&word.to_uppercase()));
        }
    }
    for (at, label) in uses {
        let position = *labels.get(&label).unwrap_or_else(|| panic!("no label {label}")) as u16;
        code[at..at + 2].copy_from_slice(&position.to_be_bytes());
    }
    (code, labels)
}

/// Code that deploys `runtime`.
fn creation(runtime: &[u8]) -> Vec<u8> {
    let [high, low] = (runtime.len() as u16).to_be_bytes();
    let mut code = vec![opcode::PUSH2, high, low, opcode::DUP1, opcode::PUSH1, 11, opcode::PUSH0, opcode::CODECOPY];
    code.extend([opcode::PUSH0, opcode::RETURN, opcode::INVALID]);
    code.extend(runtime);
    code
}

/// A deployed program.
struct Deployed {
    programs: Arc<Programs>,
    runtime: ProgramId,
    executor: Executor,
    state: Snapshot,
    address: Address,
    labels: BTreeMap<String, u32>,
}

const SENDER: Address = address!("0x00000000000000000000000000000000000a11ce");

fn bytecode(code: Vec<u8>) -> Bytecode {
    Bytecode { code: code.into(), links: Vec::new(), map: Vec::new() }
}

fn contract(name: &str, runtime: Vec<u8>) -> Arc<Contract> {
    Arc::new(Contract {
        name: name.to_owned(),
        source: SourceId(0),
        span: Span { start: 0, end: 0 },
        kind: ContractKind::Contract,
        abi: JsonAbi::default(),
        creation: bytecode(creation(&runtime)),
        runtime: bytecode(runtime),
        immutables: Vec::new(),
        storage: None,
        solc: semver::Version::new(0, 8, 30),
        evm_version: EvmVersion::Osaka,
        settings: "".into(),
    })
}

impl Deployed {
    fn new(code: Vec<u8>, labels: BTreeMap<String, u32>) -> Self {
        let build = Build { contracts: vec![contract("A", code)], ..Build::default() };
        let programs = Arc::new(Programs::of(&build));
        let runtime = programs.id(crate::compile::ContractId(0), Stage::Runtime);
        let mut executor = Executor::new(programs.clone(), EvmVersion::Osaka);
        let moment = Moment::new(1_700_000_000, 18_500_000);
        let init = build.contracts[0].creation.code.clone();
        let address = Address::repeat_byte(0xaa);
        let call = Call {
            sender: SENDER,
            target: CallTarget::Create(address, init),
            value: U256::ZERO,
            moment,
            scripted: None,
        };
        let outcome = executor.run(&Snapshot::empty(moment), &call);
        assert_eq!(outcome.status, Status::Success, "it is deployed");
        let state = executor.commit();
        executor.set_detailed(true);
        Self { programs, runtime, executor, state, address, labels }
    }

    fn assembled(text: &str) -> Self {
        let (code, labels) = assemble(text);
        Self::new(code, labels)
    }

    fn call(&mut self, data: &[u8]) -> Outcome {
        let target = CallTarget::Account(self.address, Bytes::copy_from_slice(data));
        let call = Call { sender: SENDER, target, value: U256::ZERO, moment: self.state.moment(), scripted: None };
        self.executor.run(&self.state, &call)
    }

    /// The block behind a label.
    fn block(&self, label: &str) -> (ProgramId, BlockId) {
        let position = *self.labels.get(label).unwrap_or_else(|| panic!("no label {label}"));
        (self.runtime, self.programs.get(self.runtime).block_of(position).expect("a block starts there"))
    }

    /// The label that a block starts with; `label+` for the first block behind one that has none.
    fn name(&self, block: BlockId) -> String {
        let start = self.programs.get(self.runtime).block(block).start;
        let before = self.labels.iter().filter(|(_, position)| **position <= start).max_by_key(|(_, at)| **at);
        match before {
            Some((label, at)) if *at == start => label.clone(),
            Some((label, _)) => format!("{label}+"),
            None if start == 0 => "start".to_owned(),
            None => "start+".to_owned(),
        }
    }
}

fn words(calldata: &[u64]) -> Vec<u8> {
    calldata.iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).collect()
}

/// Where the path of a call is cut when this label is to be reached; `-` where it never is.
fn cut(deployed: &mut Deployed, calldata: &[u64], target: &str) -> String {
    deployed.call(&words(calldata));
    let mut lookahead = Lookahead::new(deployed.programs.clone(), [deployed.block(target)]);
    let ahead = lookahead.analyze(deployed.executor.observation());
    assert_eq!(lookahead.work().misfits, 0);
    match ahead.split_points.last() {
        Some(point) if ahead.is_cut => deployed.name(point.block),
        _ => "-".to_owned(),
    }
}

/// Checks where the path of a call with these words is cut, for each target.
fn check(text: &str, calldata: &[u64], expected: &[(&str, &str)]) {
    let mut deployed = Deployed::assembled(text);
    let cuts: Vec<(&str, String)> =
        expected.iter().map(|(target, _)| (*target, cut(&mut deployed, calldata, target))).collect();
    let expected: Vec<(&str, String)> = expected.iter().map(|(target, cut)| (*target, (*cut).to_owned())).collect();
    assert_eq!(cuts, expected);
}

/// Checks whether a program may send ether, whatever the state and the calldata.
fn may_send_ether(text: &str, expected: bool) {
    let deployed = Deployed::assembled(text);
    let mut lookahead = Lookahead::new(deployed.programs.clone(), []);
    assert_eq!(lookahead.may_send_ether(deployed.runtime), expected, "{text}");
}

/// Checks which labels are proved unreachable whatever the state and the calldata.
fn unreachable(text: &str, expected: &[&str]) {
    let deployed = Deployed::assembled(text);
    let mut lookahead = Lookahead::new(deployed.programs.clone(), []);
    let found: Vec<&str> = deployed
        .labels
        .keys()
        .filter(|label| {
            let (program, block) = deployed.block(label);
            !lookahead.is_reachable(program, block)
        })
        .map(String::as_str)
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn what_was_compared_before_is_known() {
    // if (x == 5) { if (x == 6) bad }
    let text = "
        0 calldataload 5 eq @five jumpi stop
        five: 0 calldataload 6 eq @bad jumpi stop
        bad: stop";
    unreachable(text, &["bad"]);
    check(text, &[5], &[("bad", "start"), ("five", "five+")]);
    check(text, &[4], &[("five", "start+")]);
}

#[test]
fn not_equal_is_written_in_several_ways() {
    for differs in ["5 sub", "5 swap1 sub", "5 xor", "5 eq iszero", "5 eq iszero iszero iszero"] {
        let text = format!(
            "0 calldataload {differs} @other jumpi
            0 calldataload 5 lt @bad jumpi 0 calldataload 5 gt @bad jumpi stop
            other: 0 calldataload 5 eq @worse jumpi stop
            bad: stop
            worse: stop"
        );
        unreachable(&text, &["bad", "worse"]);
    }
}

#[test]
fn a_copy_on_the_stack_is_refined_too() {
    // w = x % 256; while (w != 0) w--; if (w != 0) bad
    let text = "
        0x100 0 calldataload mod
        loop: dup1 iszero @done jumpi 1 swap1 sub @loop jump
        done: @bad jumpi stop
        bad: stop";
    unreachable(text, &["bad"]);
}

#[test]
fn the_paths_first_split_point_without_a_target_ahead_ends_the_prefix() {
    // ret = 256; if (y even) ret = 257; z %= ret; while (ret != z) z++; if (ret != z) never; if (z > 257) bad   (fig. 2)
    let text = "
        0x100
        1 0 calldataload and @odd jumpi
        pop 0x101
        odd: dup1 32 calldataload mod
        loop: dup1 dup3 eq @done jumpi 1 add @loop jump
        done: dup2 dup2 sub @never jumpi
        dup1 0x101 lt @bad jumpi stop
        never: stop
        bad: stop";
    unreachable(text, &["never"]);
    check(text, &[0, 7], &[("bad", "start+"), ("never", "start")]);
    check(text, &[1, 7], &[("bad", "odd"), ("never", "start")]);
}

#[test]
fn an_internal_function_returns_to_each_of_its_callers() {
    let text = "
        0 calldataload @second jumpi
        @back1 3 @double jump
        back1: 6 eq iszero @bad1 jumpi stop
        second: @back2 4 @double jump
        back2: 8 eq iszero @bad2 jumpi stop
        double: 2 mul swap1 jump
        bad1: stop
        bad2: stop";
    unreachable(text, &["bad1", "bad2"]);
    check(text, &[0], &[("back2", "start+"), ("second", "start+"), ("double", "back1"), ("back1", "back1+")]);
}

#[test]
fn a_loop_with_constant_bounds_ends() {
    // for (i = 0; i != 3; i++) {}  if (i != 3) bad
    let text = "
        0
        loop: dup1 3 eq @done jumpi 1 add @loop jump
        done: 3 sub @bad jumpi stop
        bad: stop";
    unreachable(text, &["bad"]);
    // Once it is left nobody comes back.
    check(text, &[], &[("loop", "done"), ("done", "done+"), ("bad", "start")]);
}

#[test]
fn storage_that_was_set_is_known_until_somebody_may_have_changed_it() {
    let text = "
        1 7 sstore
        0 calldataload @known jumpi
        1 32 calldataload 9 add sstore                ; another slot, maybe 7
        7 sload 1 sub @changed jumpi stop
        known: 2 8 sstore 7 sload 1 sub @bad jumpi
        8 sload 2 eq iszero @bad jumpi stop
        changed: stop
        bad: stop";
    unreachable(text, &["bad"]);
    let text = "
        1 0 calldataload sstore
        0 calldataload sload 1 sub @bad jumpi
        1 7 sstore
        2 0 calldataload sstore
        7 sload 1 sub @changed jumpi stop
        changed: stop
        bad: stop";
    unreachable(text, &["bad"]);
}

#[test]
fn memory_is_known_where_it_was_written() {
    let text = "
        0x1234 0x40 mstore
        5 0x41 mstore8
        0x40 mload 0x1234 eq @maybe jumpi
        7 0x80 mstore 0x80 mload 7 sub @bad jumpi
        0x20 0x80 0xa0 mcopy 0xa0 mload 7 sub @bad jumpi
        0x20 0x80 keccak256 0x20 0xa0 keccak256 sub @bad jumpi
        0xe0 mload @bad jumpi                          ; nobody wrote there
        9 0 calldataload mstore                        ; anywhere
        0x80 mload 7 sub @maybe jumpi stop
        maybe: stop
        bad: stop";
    unreachable(text, &["bad"]);
}

#[test]
fn code_is_known_when_it_is_copied() {
    let text = "
        0x20 0 0 codecopy 0 mload 0xf8 shr 0x60 eq iszero @bad jumpi stop   ; its first byte is PUSH1
        bad: stop";
    unreachable(text, &["bad"]);
}

#[test]
fn a_call_of_anybody_may_come_back() {
    let text = "
        1 7 sstore
        0 0 0 0 0 0 calldataload gas call pop
        7 sload 1 sub @changed jumpi
        stop
        changed: stop";
    check(text, &[9], &[("changed", "start+")]);
}

#[test]
fn a_static_call_changes_nothing() {
    let text = "
        1 7 sstore
        0 0 0 0 0 calldataload gas staticcall pop
        7 sload 1 sub @bad jumpi stop
        bad: stop";
    unreachable(text, &["bad"]);
}

#[test]
fn a_delegatecall_changes_everything_but_the_stack_and_memory() {
    let text = "
        1 7 sstore 5 0x80 mstore
        0 0 0 0 0 calldataload gas delegatecall pop
        0x80 mload 5 sub @bad jumpi
        7 sload 1 sub @changed jumpi stop
        changed: stop
        bad: stop";
    unreachable(text, &["bad"]);
}

#[test]
fn a_precompile_does_not_call_back() {
    let text = "
        0 calldataload @target jumpi
        1 7 sstore
        0x20 0x80 0 0 4 gas staticcall @on jumpi stop
        on: 7 sload 1 sub @bad jumpi stop
        target: stop
        bad: stop";
    unreachable(text, &["bad"]);
    check(text, &[0], &[("target", "start+"), ("on", "on+")]);
}

#[test]
fn a_transfer_reaches_what_a_call_without_data_reaches() {
    let text = "
        calldatasize @function jumpi
        receive: stop
        function: 0 calldataload @pay jumpi
        target: stop
        pay: 0 0 0 0
        32 calldataload dup1 iszero 2300 mul          ; value, gas
        64 calldataload swap1 call pop stop";
    check(text, &[1, 0, 9], &[("target", "pay"), ("receive", "-")]);
}

#[test]
fn a_call_to_itself_goes_on_in_the_caller() {
    // f(0): this.f(1), then `after`; f(1): `inner`
    let text = "
        0 calldataload @inner jumpi
        1 0 mstore
        0 0 0x20 0 0 address gas call pop
        32 calldataload @after jumpi
        rest: stop
        after: stop
        inner: 32 calldataload @never jumpi stop
        never: stop";
    let mut deployed = Deployed::assembled(text);
    // In the inner frame `after` is still ahead, in the outer one.
    assert_eq!(cut(&mut deployed, &[0], "after"), "rest");
    assert_eq!(cut(&mut deployed, &[0], "never"), "inner+");
    assert_eq!(cut(&mut deployed, &[1], "after"), "inner");
}

#[test]
fn what_a_failing_call_wrote_is_undone() {
    let text = "
        1 7 sstore
        0 calldataload @inner jumpi
        1 0 mstore
        0 0 0x20 0 0 address gas call @bad jumpi
        failed: 7 sload 1 sub @worse jumpi stop
        inner: 0 0 revert
        bad: stop
        worse: stop";
    check(text, &[0], &[("worse", "failed")]);
}

#[test]
fn selfdestruct_ends_the_frame() {
    unreachable("caller selfdestruct after: stop", &["after"]);
}

#[test]
fn a_function_pointer_is_known_where_it_was_set() {
    // p = x == 1 ? one : two; p()
    let text = "
        @one 0 calldataload 1 eq @call jumpi
        pop @two
        call: jump
        one: stop
        two: stop
        three: stop";
    unreachable(text, &["three"]);
    check(text, &[1], &[("two", "call"), ("one", "-")]);
}

#[test]
fn a_jump_to_an_unknown_place_may_lead_anywhere() {
    let text = "
        0 sload 3 jump
        one: stop
        two: stop";
    // There is no JUMPDEST at 3.
    unreachable(text, &["one", "two"]);
    let text = "
        0 calldataload jump
        one: stop
        two: stop";
    unreachable(text, &[]);
    let mut deployed = Deployed::assembled(text);
    let one = u64::from(deployed.labels["one"]);
    // Which way it went is part of the path.
    assert_eq!(cut(&mut deployed, &[one], "two"), "one");
}

#[test]
fn recursion_is_given_up() {
    let text = "
        @end
        again: @again 0 calldataload @more jumpi jump
        more: @again jump
        end: stop
        other: stop";
    unreachable(text, &[]);
}

#[test]
fn creation_code_is_code_like_any_other() {
    let deployed = Deployed::assembled("0 calldataload @a jumpi stop a: stop");
    let creation = deployed.programs.id(crate::compile::ContractId(0), Stage::Creation);
    let mut lookahead = Lookahead::new(deployed.programs.clone(), [deployed.block("a")]);
    assert!(lookahead.knows_jumps(creation));
    assert!(!lookahead.can_reach(creation));
    assert!(lookahead.can_reach(deployed.runtime));
}

#[test]
fn without_targets_nothing_is_ahead() {
    let mut deployed = Deployed::assembled("0 calldataload @a jumpi stop a: stop");
    deployed.call(&[]);
    let mut lookahead = Lookahead::new(deployed.programs.clone(), []);
    let ahead = lookahead.analyze(deployed.executor.observation());
    assert!(ahead.is_cut);
    assert_eq!(ahead.split_points.len(), 1);
    assert!(!lookahead.can_reach(deployed.runtime));
}

#[test]
fn paths_with_one_prefix_have_one_id() {
    // if (x) { while (y--) {} } else target
    let text = "
        0 calldataload @long jumpi
        target: stop
        long: 32 calldataload
        loop: dup1 iszero @done jumpi 1 swap1 sub @loop jump
        done: stop";
    let mut deployed = Deployed::assembled(text);
    let mut lookahead = Lookahead::new(deployed.programs.clone(), [deployed.block("target")]);
    let mut ahead = |calldata: &[u64]| {
        deployed.call(&words(calldata));
        lookahead.analyze(deployed.executor.observation())
    };
    let (once, often, other) = (ahead(&[1, 1]), ahead(&[1, 50]), ahead(&[0, 50]));
    assert_eq!(once, often);
    assert_ne!(once.id, other.id);
    let work = lookahead.work();
    assert_eq!((work.paths, work.misfits), (3, 0));

    // What was found out is kept for other targets.
    let loop_block = deployed.block("loop");
    lookahead.set_targets([loop_block]);
    deployed.call(&words(&[1, 50]));
    let ahead = lookahead.analyze(deployed.executor.observation());
    assert_eq!(ahead.split_points.last().map(|point| point.block), Some(deployed.block("done").1));
}

#[test]
fn a_detailed_run_has_a_trace_of_frames_and_blocks() {
    let text = "
        0 calldataload @inner jumpi
        0 0 0 0 4 gas staticcall pop
        1 0 mstore 0 0 0x20 0 0 address gas call pop stop
        inner: 0 0 revert";
    let mut deployed = Deployed::assembled(text);
    deployed.call(&words(&[0]));
    let (enter, block) = (TraceStep::Enter(Some(deployed.runtime)), |index| TraceStep::Block(BlockId(index)));
    let outer = [enter, block(0), block(1), TraceStep::CallWithoutFrame(true)];
    let inner = [enter, block(0), block(2), TraceStep::Leave(false), TraceStep::Leave(true)];
    assert_eq!(deployed.executor.observation().trace, [&outer[..], &inner[..]].concat());
    deployed.executor.set_detailed(false);
    deployed.call(&words(&[0]));
    assert!(deployed.executor.observation().trace.is_empty());
}

#[test]
fn ether_is_sent_by_calls_and_creations_that_carry_some_and_by_what_runs_other_code_in_the_account() {
    let pay = |value: &str| format!("0 0 0 0 {value} caller gas call stop");
    for (text, expected) in [
        ("stop".to_owned(), false),
        (pay("0"), false),
        (pay("1"), true),
        (pay("0 sload"), true),
        (pay("callvalue"), true),
        (pay("7 7 sub"), false),
        ("0 0 0 0 caller gas staticcall stop".to_owned(), false),
        ("0 0 0 0 caller gas delegatecall stop".to_owned(), true),
        ("0 0 0 0 0 caller gas callcode stop".to_owned(), true),
        ("0 0 0 create stop".to_owned(), false),
        ("0 0 1 create stop".to_owned(), true),
        ("0 0 0 0 create2 stop".to_owned(), false),
        ("0 0 0 callvalue create2 stop".to_owned(), true),
        ("caller selfdestruct".to_owned(), true),
    ] {
        may_send_ether(&text, expected);
    }
}

#[test]
fn ether_is_not_sent_by_what_no_call_reaches() {
    let send = "send: 0 0 0 0 1 caller gas call stop";
    may_send_ether(&format!("0 @send jumpi stop {send}"), false);
    may_send_ether(&format!("0 sload @send jumpi stop {send}"), true);
    may_send_ether("0 @end jumpi stop end: caller selfdestruct", false);
    may_send_ether(&format!("0xff 0 calldataload and 0x100 eq @send jumpi stop {send}"), false);
    // A jump to an unknown place may lead to it.
    may_send_ether(&format!("0 calldataload jump {send}"), true);
}

#[test]
fn a_function_that_sends_what_it_is_given_sends_none_where_it_is_given_none() {
    // pay(value) jumps back to where it was called.
    let pay = "pay: 0 0 0 0 dup5 caller gas call pop pop jump";
    may_send_ether(&format!("@back 0 @pay jump back: @done 0 @pay jump done: stop {pay}"), false);
    may_send_ether(&format!("@back 0 @pay jump back: @done callvalue @pay jump done: stop {pay}"), true);
}
