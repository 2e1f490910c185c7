//! What cheatcodes do where a call ends: pranks of one call end, and what was expected of the call is compared with what happened.

use super::{error::revert, journal::account, returns, transaction};
use crate::evm::{
    cheats::{ASSUME, CHEATCODE_ADDRESS, CONSOLE_ADDRESS, Cheats, EmitEnd, RevertEnd, StandsFor},
    hooks::Machine,
};
use alloy_primitives::{Address, Bytes, address};
use revm::{
    context_interface::{CreateScheme, journaled_state::account::JournaledAccountTr},
    handler::FrameResult,
    interpreter::{CallOutcome, CreateOutcome, FrameInput, InstructionResult, InterpreterResult},
};
use std::ops::Range;

/// The address that the creator of a contract sees whose creation reverted as expected.
const NOWHERE: Address = address!("0000000000000000000000000000000000000001");
/// What the caller sees of a call that reverted as expected: enough zeros for whatever it decodes.
static ZEROS: Bytes = Bytes::from_static(&[0; 8_192]);

/// A call or a creation, as far as its end depends on what it was.
#[derive(Debug, Clone, Copy)]
pub(in crate::evm) struct Ending {
    depth: usize,
    /// The account that is called.
    target: Address,
    /// The account that calls or creates.
    creator: Address,
    is_static: bool,
    is_creation: bool,
    by_create2: bool,
}

impl Ending {
    /// The end of a frame with this input.
    pub(in crate::evm) fn of(input: &FrameInput, depth: usize) -> Self {
        let none = Self {
            depth,
            target: Address::ZERO,
            creator: Address::ZERO,
            is_static: false,
            is_creation: false,
            by_create2: false,
        };
        match input {
            FrameInput::Call(call) => {
                Self { target: call.target_address, creator: call.caller, is_static: call.is_static, ..none }
            }
            FrameInput::Create(create) => Self {
                creator: create.caller(),
                is_creation: true,
                by_create2: matches!(create.scheme(), CreateScheme::Create2 { .. }),
                ..none
            },
            FrameInput::Empty => none,
        }
    }

    /// Whether it is the call of a cheatcode or of the console.
    fn is_of_cheatcode(&self) -> bool {
        !self.is_creation && matches!(self.target, CHEATCODE_ADDRESS | CONSOLE_ADDRESS)
    }
}

/// A frame runs at this depth.
pub(in crate::evm) fn enter(cheats: &mut Cheats, depth: usize) {
    if let Some(expected) = &mut cheats.expected_revert {
        expected.max_depth = expected.max_depth.max(depth + 1);
    }
}

/// A call or a creation ends. Its end may be changed, as its caller sees it.
pub(in crate::evm) fn close(machine: &mut Machine, ending: Ending, result: &mut FrameResult) {
    let Some(mut cheats) = machine.chain.cheats.take() else { return };
    let stood = cheats.deployments.pop_if(|deployment| deployment.depth == ending.depth);
    match stood.map(|deployment| deployment.stands_for) {
        Some(StandsFor::Cheatcode { memory, origin }) => {
            machine.tx.caller = origin;
            note_creation(machine, &mut cheats, ending, result);
            end_deployment(memory, result);
        }
        Some(StandsFor::Create2) => {
            end_call(machine, &mut cheats, ending, result);
            end_creation_by_call(result);
            let ending = Ending { is_creation: true, by_create2: true, ..ending };
            note_creation(machine, &mut cheats, ending, result);
        }
        None if ending.is_of_cheatcode() => end_cheatcode(&mut cheats, ending, result),
        None => end_call(machine, &mut cheats, ending, result),
    }
    if ending.depth == 0 {
        transaction::leave(machine, &cheats);
    }
    machine.chain.cheats = Some(cheats);
}

/// The contract that a cheatcode creates is there, or not: the caller sees the end of the cheatcode.
fn end_deployment(memory: Range<usize>, result: &mut FrameResult) {
    let FrameResult::Create(created) = &*result else { return };
    let mut ended = created.result.clone();
    match created.address.filter(|_| ended.result.is_ok()) {
        Some(address) => ended.output = returns::address(address),
        None => {
            if ended.output.is_empty() {
                ended.output = revert("vm.deployCode: contract creation failed");
            }
            ended.result = InstructionResult::Revert;
        }
    }
    *result = FrameResult::Call(CallOutcome::new(ended, memory));
}

/// The contract that deploys for others returned: the caller sees the end of a creation.
fn end_creation_by_call(result: &mut FrameResult) {
    let FrameResult::Call(called) = &*result else { return };
    let mut ended = called.result.clone();
    let address = Address::try_from(ended.output.as_ref()).ok().filter(|_| ended.result.is_ok());
    match address {
        Some(_) => ended.output = Bytes::new(),
        None if ended.result.is_ok() => ended.result = InstructionResult::Revert,
        None => {}
    }
    *result = FrameResult::Create(CreateOutcome::new(ended, address));
}

/// A cheatcode was expected to revert.
fn end_cheatcode(cheats: &mut Cheats, ending: Ending, result: &mut FrameResult) {
    let Some(expected) = &mut cheats.expected_revert else { return };
    if !result.interpreter_result().result.is_ok() {
        expected.note_reverter(ending.target);
    }
    if !expected.of_cheatcode || ending.depth > expected.depth {
        return;
    }
    // The cheatcode that asks for it is not the one that is asked about.
    if !std::mem::take(&mut expected.is_new) {
        let end = expected.judge(result.interpreter_result().result.is_ok(), &result.interpreter_result().output);
        cheats.expected_revert = None;
        end_as_judged(end, result);
    }
}

/// The caller sees what was judged of an expected revert.
fn end_as_judged(end: RevertEnd, result: &mut FrameResult) {
    match (end, &mut *result) {
        (RevertEnd::Complaint(why), _) => complain(result, &why),
        (RevertEnd::AsExpected, FrameResult::Call(call)) => {
            (call.result.result, call.result.output) = (InstructionResult::Return, ZEROS.clone());
        }
        (RevertEnd::AsExpected, FrameResult::Create(created)) => {
            (created.result.result, created.result.output) = (InstructionResult::Return, Bytes::new());
            created.address = Some(NOWHERE);
        }
    }
}

/// The caller sees a revert with this message.
fn complain(result: &mut FrameResult, why: &str) {
    let ended = interpreter_result(result);
    (ended.result, ended.output) = (InstructionResult::Revert, revert(why));
}

fn interpreter_result(result: &mut FrameResult) -> &mut InterpreterResult {
    match result {
        FrameResult::Call(call) => &mut call.result,
        FrameResult::Create(created) => &mut created.result,
    }
}

fn end_call(machine: &mut Machine, cheats: &mut Cheats, ending: Ending, result: &mut FrameResult) {
    end_pranks(machine, cheats, ending.depth);
    if !ending.is_creation && end_assumption(cheats, ending, result) {
        return;
    }
    if end_expected_revert(cheats, ending, result) {
        return;
    }
    if ending.is_creation {
        note_creation(machine, cheats, ending, result);
        return;
    }
    if !result.interpreter_result().result.is_ok() {
        return;
    }
    if !cheats.expected_emits.is_empty()
        && !ending.is_static
        && let EmitEnd::Complaint(why) = cheats.expected_emits.end_call(ending.depth)
    {
        complain(result, &why);
    } else if ending.depth == 0 {
        end_transaction(cheats, result);
    }
}

/// Pranks and broadcasts of one call end with it, and `tx.origin` is again what it was.
fn end_pranks(machine: &mut Machine, cheats: &mut Cheats, depth: usize) {
    if let Some(prank) = cheats.pranks.at(depth).copied().filter(|prank| prank.depth == depth) {
        machine.tx.caller = prank.origin_before;
        if prank.is_single {
            cheats.pranks.remove(depth);
        }
    }
    if let Some(broadcast) = cheats.broadcast.filter(|broadcast| broadcast.depth == depth) {
        machine.tx.caller = broadcast.origin_before;
        if broadcast.is_single {
            cheats.broadcast = None;
        }
    }
}

/// A call that was assumed not to revert ends. Returns whether it did revert.
fn end_assumption(cheats: &mut Cheats, ending: Ending, result: &mut FrameResult) -> bool {
    let Some(assumed) = &mut cheats.assumed_no_revert else { return false };
    let ended = interpreter_result(result);
    let reverted = !ended.result.is_ok();
    if reverted && assumed.reverted_by.is_none() {
        assumed.reverted_by = Some(ending.target);
    }
    if ending.depth > assumed.depth {
        return false;
    }
    if reverted && assumed.drops(&ended.output) {
        (ended.result, ended.output) = (InstructionResult::Revert, Bytes::from_static(ASSUME));
    }
    cheats.assumed_no_revert = None;
    reverted
}

/// A call that was expected to revert may end. Returns whether it was this one.
fn end_expected_revert(cheats: &mut Cheats, ending: Ending, result: &mut FrameResult) -> bool {
    let Some(mut expected) = cheats.expected_revert.take() else { return false };
    let ended = result.interpreter_result();
    if !ending.is_creation && !ended.result.is_ok() {
        expected.note_reverter(ending.target);
    }
    if expected.of_cheatcode || ending.depth > expected.depth {
        cheats.expected_revert = Some(expected);
        return false;
    }
    let end = expected.judge(ended.result.is_ok(), &ended.output);
    if end == RevertEnd::AsExpected {
        expected.seen += 1;
        if expected.seen < expected.count {
            cheats.expected_revert = Some(expected);
        }
    }
    end_as_judged(end, result);
    true
}

/// A contract was created that may be one that is expected.
fn note_creation(machine: &mut Machine, cheats: &mut Cheats, ending: Ending, result: &FrameResult) {
    let FrameResult::Create(created) = result else { return };
    let (Some(address), false) = (created.address, cheats.expected_creates.is_empty()) else { return };
    if !created.result.result.is_ok() {
        return;
    }
    let code = account(machine, address).code().map(revm::bytecode::Bytecode::original_bytes).unwrap_or_default();
    let is_it = |expected: &crate::evm::cheats::ExpectedCreate| {
        expected.deployer == ending.creator && expected.by_create2 == ending.by_create2 && expected.code == code
    };
    if let Some(at) = cheats.expected_creates.iter().position(is_it) {
        cheats.expected_creates.swap_remove(at);
    }
}

/// The transaction ends well; it fails all the same if something that was expected did not happen.
fn end_transaction(cheats: &mut Cheats, result: &mut FrameResult) {
    let calls = cheats.expected_calls.iter().find_map(crate::evm::cheats::ExpectedCall::complaint);
    let why = calls
        .or_else(|| cheats.expected_emits.complaint())
        .or_else(|| cheats.expected_creates.first().map(crate::evm::cheats::ExpectedCreate::complaint));
    if let Some(why) = why {
        complain(result, &why);
    }
}
