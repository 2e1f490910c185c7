//! What cheatcodes do where a frame would open: calls of their own account are answered, calls of the console are noted, and other calls and
//! creations are looked at for mocks, pranks and what is expected of them.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, Cheatcode, Creation, Support},
    closed, console,
    error::{CheatError, revert},
    journal::account,
    table, transaction,
};
use crate::evm::{
    cheats::{CHEATCODE_ADDRESS, CONSOLE_ADDRESS, CREATE2_FACTORY, Cheats, Deployment, StandsFor, TEST_ADDRESS},
    hooks::Machine,
};
use alloy_primitives::{Bytes, TxKind};
use revm::handler::FrameResult;
use revm::{
    context::JournalTr,
    context_interface::{CreateScheme, LocalContextTr, journaled_state::account::JournaledAccountTr},
    interpreter::{
        CallInput, CallInputs, CallOutcome, CallScheme, CallValue, CreateInputs, CreateOutcome, FrameInput, Gas,
        InstructionResult, InterpreterResult, interpreter_action::FrameInit,
    },
};

/// A cheatcode that was called and is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evm) struct MissingCheatcode {
    /// Its name; empty if it is not known.
    pub(in crate::evm) name: &'static str,
    /// The first four bytes of the calldata.
    pub(in crate::evm) selector: [u8; 4],
}

/// What becomes of a frame that would open.
pub(in crate::evm) enum Opened {
    /// It opens.
    Frame,
    /// There is no frame: this is how the call ends.
    Answer(FrameResult),
    /// The call of a cheatcode that is not there ends in this way.
    Missing(FrameResult, MissingCheatcode),
}

/// What becomes of a call.
enum Called {
    Opened(Opened),
    /// A contract is created in its place.
    Creates(Box<Creation>),
}

impl From<FrameResult> for Called {
    fn from(result: FrameResult) -> Self {
        Self::Opened(Opened::Answer(result))
    }
}

/// A frame would open. What is called, and by whom, may be changed.
pub(in crate::evm) fn open(machine: &mut Machine, init: &mut FrameInit) -> Opened {
    let Some(mut cheats) = machine.chain.cheats.take() else { return Opened::Frame };
    let depth = init.depth;
    let opened = match &mut init.frame_input {
        FrameInput::Call(call) => match open_call(machine, &mut cheats, call, depth) {
            Called::Opened(opened) => opened,
            Called::Creates(creation) => {
                let memory = call.return_memory_offset.clone();
                let stands_for = StandsFor::Cheatcode { memory, origin: machine.tx.caller };
                cheats.deployments.push(Deployment { depth, stands_for });
                let Creation { creator, origin, scheme, value, code } = *creation;
                machine.tx.caller = origin;
                let create = CreateInputs::new(creator, scheme, value, code, call.gas_limit, call.reservoir);
                init.frame_input = FrameInput::Create(Box::new(create));
                Opened::Frame
            }
        },
        FrameInput::Create(create) => {
            let opened = open_creation(machine, &mut cheats, create, depth);
            if matches!(opened, Opened::Frame)
                && let Some(call) = by_factory(machine, &cheats, create, depth)
            {
                cheats.deployments.push(Deployment { depth, stands_for: StandsFor::Create2 });
                init.frame_input = FrameInput::Call(Box::new(call));
            }
            opened
        }
        FrameInput::Empty => Opened::Frame,
    };
    if depth == 0 {
        transaction::enter(machine, &cheats);
    }
    machine.chain.cheats = Some(cheats);
    opened
}

/// Bytes of calldata and of what is returned that cost nothing, each; more cost what it costs a contract to copy them.
const FREE_BYTES: usize = 4_096;
/// Gas of a word that is copied.
const COPY_GAS: u64 = 3;

/// The gas of so many bytes that go in or out.
fn gas_of(bytes: usize) -> u64 {
    COPY_GAS * (bytes.saturating_sub(FREE_BYTES) as u64).div_ceil(32)
}

/// The end of a call without a frame.
fn ended(call: &CallInputs, result: InstructionResult, output: Bytes) -> FrameResult {
    ended_with(call, result, output, call.gas_limit)
}

/// The end of a call without a frame that leaves so much of its gas.
fn ended_with(call: &CallInputs, result: InstructionResult, output: Bytes, left: u64) -> FrameResult {
    let mut gas = Gas::new(call.gas_limit);
    let is_paid = gas.record_regular_cost(call.gas_limit - left.min(call.gas_limit));
    let result = match is_paid {
        true => InterpreterResult { result, output, gas },
        false => InterpreterResult { result: InstructionResult::OutOfGas, output: Bytes::new(), gas },
    };
    FrameResult::Call(CallOutcome::new(result, call.return_memory_offset.clone()))
}

fn open_call(machine: &mut Machine, cheats: &mut Cheats, call: &mut CallInputs, depth: usize) -> Called {
    // Calldata is in the memory that all frames share; nothing runs while it is borrowed.
    let memory = machine.local.shared_memory_buffer().clone();
    let memory = memory.borrow();
    let input = match &call.input {
        CallInput::Bytes(bytes) => bytes.clone(),
        CallInput::SharedBuffer(_) => Bytes::new(),
    };
    let input = match &call.input {
        CallInput::Bytes(_) => input.as_ref(),
        CallInput::SharedBuffer(range) => memory.get(range.clone()).unwrap_or_default(),
    };
    if call.target_address == CHEATCODE_ADDRESS && may_cheat(machine, cheats) {
        return answer(machine, cheats, call, input, depth);
    }
    if call.target_address == CONSOLE_ADDRESS {
        let Some(left) = call.gas_limit.checked_sub(gas_of(input.len())) else {
            return ended(call, InstructionResult::OutOfGas, Bytes::new()).into();
        };
        if let Some(text) = console::text(input) {
            machine.chain.recorder.say(text);
        }
        return ended_with(call, InstructionResult::Return, Bytes::new(), left).into();
    }
    // Also of calls that have no frame.
    closed::enter(cheats, depth);
    count_expected(cheats, call, input);
    if !cheats.state().mocks.is_empty()
        && let Some(answer) = mocked(machine, cheats, call, input)
    {
        return answer.into();
    }
    prank_call(machine, cheats, call, depth);
    Called::Opened(broadcast_call(machine, cheats, call, depth))
}

/// Whether the transaction may use cheatcodes. Where it may not, their account is one like any other, without code.
fn may_cheat(machine: &Machine, cheats: &Cheats) -> bool {
    !cheats.only_in_tests || !matches!(machine.tx.kind, TxKind::Call(to) if to != TEST_ADDRESS)
}

/// Runs a cheatcode.
fn answer(machine: &mut Machine, cheats: &mut Cheats, call: &CallInputs, input: &[u8], depth: usize) -> Called {
    let Some((selector, data)) = input.split_first_chunk::<4>() else {
        let output = revert("the call of a cheatcode has no selector");
        return ended(call, InstructionResult::Revert, output).into();
    };
    let missing = |name, output| {
        let missing = MissingCheatcode { name, selector: *selector };
        Called::Opened(Opened::Missing(ended(call, InstructionResult::Revert, output), missing))
    };
    let Some(cheatcode) = table::find(*selector) else {
        let selector = Bytes::copy_from_slice(selector);
        return missing("", revert(&format!("unknown cheatcode with selector {selector}")));
    };
    let name = cheatcode.name();
    let (caller, gas) = (call.caller, call.gas_limit);
    let mut asked = CheatCall { machine, cheats, caller, depth, gas, creation: None };
    let (result, output) = match run(cheatcode, &mut asked, data) {
        Ok(output) => (InstructionResult::Return, output),
        Err(error @ CheatError::Unsupported(_)) => return missing(name, error.encode(name)),
        Err(CheatError::OutOfGas) => (InstructionResult::OutOfGas, Bytes::new()),
        Err(error) => (InstructionResult::Revert, error.encode(name)),
    };
    match asked.creation {
        Some(creation) if result.is_ok() => Called::Creates(Box::new(creation)),
        _ => ended_with(call, result, output, asked.gas).into(),
    }
}

/// What a cheatcode returns.
fn run(cheatcode: &Cheatcode, call: &mut CheatCall<'_>, data: &[u8]) -> Answer {
    if let Support::Unsupported(reason) = cheatcode.support {
        return Err(CheatError::Unsupported(reason.into()));
    }
    call.charge(gas_of(data.len()))?;
    let output = (cheatcode.run)(call, Arguments::new(data))?;
    call.charge(gas_of(output.len()))?;
    Ok(output)
}

/// Counts a call that is expected.
fn count_expected(cheats: &mut Cheats, call: &CallInputs, input: &[u8]) {
    let value = call.transfer_value();
    for expected in &mut cheats.expected_calls {
        if expected.fits(call.bytecode_address, input, value, call.gas_limit) {
            expected.seen += 1;
        }
    }
}

/// The answer to a call in the place of a contract. Another contract's code may answer, which then runs in a frame.
fn mocked(machine: &mut Machine, cheats: &mut Cheats, call: &mut CallInputs, input: &[u8]) -> Option<FrameResult> {
    let mocks = cheats.state().mocks.clone();
    if let Some(code) = mocks.function(call.bytecode_address, input) {
        let mut other = account(machine, code);
        let hash = *other.code_hash();
        if let Ok(bytecode) = other.load_code() {
            call.known_bytecode = (hash, bytecode.clone());
            call.bytecode_address = code;
        }
    }
    let (callee, value) = (call.bytecode_address, call.transfer_value());
    let (answer, goes_on) = mocks.answer(callee, input, value)?;
    drop(mocks);
    if goes_on {
        std::sync::Arc::make_mut(&mut cheats.state_mut().mocks).advance(callee, input, value);
    }
    if let Some(value) = value.filter(|value| !value.is_zero() && !answer.reverts) {
        let Ok(error) = machine.journaled_state.transfer(call.caller, call.target_address, value);
        if let Some(error) = error {
            return Some(ended(call, error.into(), Bytes::new()));
        }
    }
    let result = if answer.reverts { InstructionResult::Revert } else { InstructionResult::Return };
    Some(ended(call, result, answer.output))
}

/// Has a call made by the account that a prank says.
fn prank_call(machine: &mut Machine, cheats: &mut Cheats, call: &mut CallInputs, depth: usize) {
    let Some(prank) = cheats.pranks.at(depth).copied() else { return };
    if prank.delegates && depth == prank.depth && call.scheme == CallScheme::DelegateCall {
        // The code works on the storage of the account.
        account(machine, prank.sender);
        (call.target_address, call.caller) = (prank.sender, prank.sender);
        machine.tx.caller = prank.origin.unwrap_or(machine.tx.caller);
    }
    if call.caller != prank.of {
        return;
    }
    if depth == prank.depth {
        // Who pays has to be loaded.
        account(machine, prank.sender);
        call.caller = prank.sender;
    }
    if let Some(origin) = prank.origin {
        machine.tx.caller = origin;
    }
    if depth == prank.depth || prank.origin.is_some() {
        cheats.pranks.mark_used(prank.depth);
    }
}

/// Has a call made by the account that a script would send it from.
fn broadcast_call(machine: &mut Machine, cheats: &mut Cheats, call: &mut CallInputs, depth: usize) -> Opened {
    let Some(broadcast) = cheats.broadcast.filter(|it| it.depth == depth && it.of == call.caller) else {
        return Opened::Frame;
    };
    if call.is_static {
        if broadcast.is_single {
            let why = "`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead";
            return Opened::Answer(ended(call, InstructionResult::Revert, revert(why)));
        }
    } else {
        // A transaction would count up the nonce.
        account(machine, broadcast.sender).bump_nonce();
    }
    account(machine, broadcast.sender);
    (machine.tx.caller, call.caller) = (broadcast.sender, broadcast.sender);
    Opened::Frame
}

/// A creation, by the account that a prank or a broadcast says.
fn open_creation(machine: &mut Machine, cheats: &mut Cheats, create: &mut CreateInputs, depth: usize) -> Opened {
    if std::mem::take(&mut cheats.intercepts_creation) {
        let (output, gas) = (create.init_code().clone(), Gas::new(create.gas_limit()));
        let result = InterpreterResult { result: InstructionResult::Revert, output, gas };
        return Opened::Answer(FrameResult::Create(CreateOutcome::new(result, None)));
    }
    if let Some(prank) = cheats.pranks.at(depth).copied().filter(|prank| prank.of == create.caller()) {
        if depth == prank.depth {
            account(machine, prank.sender);
            create.set_call(prank.sender);
        }
        if let Some(origin) = prank.origin {
            machine.tx.caller = origin;
        }
        if depth == prank.depth || prank.origin.is_some() {
            cheats.pranks.mark_used(prank.depth);
        }
    }
    if let Some(broadcast) = cheats.broadcast.filter(|it| it.of == create.caller() && depth >= it.depth) {
        machine.tx.caller = broadcast.sender;
        if depth == broadcast.depth {
            account(machine, broadcast.sender);
            create.set_call(broadcast.sender);
        }
    }
    Opened::Frame
}

/// The call of the contract that deploys for others, in the place of a CREATE2 while a broadcast is on: a script's transaction could not
/// create the contract by itself.
fn by_factory(machine: &mut Machine, cheats: &Cheats, create: &CreateInputs, depth: usize) -> Option<CallInputs> {
    let CreateScheme::Create2 { salt } = create.scheme() else { return None };
    cheats.broadcast.filter(|broadcast| broadcast.depth == depth)?;
    // Who pays has to be loaded.
    account(machine, create.caller());
    let factory = account(machine, CREATE2_FACTORY);
    let code = factory.code().filter(|code| !code.is_empty())?.clone();
    Some(CallInputs {
        input: CallInput::Bytes([&salt.to_be_bytes::<32>(), create.init_code().as_ref()].concat().into()),
        return_memory_offset: 0..0,
        gas_limit: create.gas_limit(),
        reservoir: create.reservoir(),
        bytecode_address: CREATE2_FACTORY,
        known_bytecode: (*factory.code_hash(), code),
        target_address: CREATE2_FACTORY,
        caller: create.caller(),
        value: CallValue::Transfer(create.value()),
        scheme: CallScheme::Call,
        is_static: false,
        charged_new_account_state_gas: false,
    })
}
