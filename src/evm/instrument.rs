//! Instruments are instructions that note their operands and then do what the original does. Only a few opcodes have one, and
//! the rest run at the EVM's own speed. Gas is not affected.

use super::{
    cheatcodes,
    hooks::Machine,
    observation::{FailureKind, Unpaid},
    placed_write::PlacedWrite,
    recorder::MadeCall,
};
use alloy_primitives::{Address, B256, U256};
use revm::{
    bytecode::opcode,
    interpreter::{
        Host, Instruction, InstructionContext, InstructionExecResult, InstructionResult, Interpreter,
        InterpreterAction,
        instructions::{InstructionTable, arithmetic, bitwise, contract, control, host, system},
        interpreter::EthInterpreter,
        interpreter_types::{InputsTr, Jumps, LoopControl, MemoryTr},
    },
};

/// `transfer(address,uint256)` of ERC-20.
const TRANSFER: [u8; 4] = [0xa9, 0x05, 0x9c, 0xbb];
/// `transferFrom(address,address,uint256)` of ERC-20 and ERC-721.
const TRANSFER_FROM: [u8; 4] = [0x23, 0xb8, 0x72, 0xdd];
/// `safeTransferFrom(address,address,uint256)` of ERC-721.
const SAFE_TRANSFER_FROM: [u8; 4] = [0x42, 0x84, 0x2e, 0x0e];
/// `safeTransferFrom(address,address,uint256,bytes)` of ERC-721.
const SAFE_TRANSFER_FROM_WITH_DATA: [u8; 4] = [0xb8, 0x8d, 0x4f, 0xde];
/// Bytes of such a call that are looked at: the selector and three words.
const TOKEN_CALL: usize = 4 + 3 * 32;
/// The hash of `Transfer(address,address,uint256)`, the event of ERC-20 and ERC-721.
pub(super) const TRANSFER_EVENT: U256 =
    U256::from_limbs([0x28f5_5a4d_f523_b3ef, 0x952b_a7f1_63c4_a116, 0x69c2_b068_fc37_8daa, 0xddf2_52ad_1be2_c89b]);

/// Gas that comes with ether by itself (EVM: `Gcallstipend`): too little to call anybody.
const STIPEND: u64 = 2300;

type At<'a> = InstructionContext<'a, Machine, EthInterpreter>;

/// Bytes of a hashed text up to which it is noted. Chosen by hand: a slot of a mapping is the hash of 64 bytes, and an order or a
/// proposal, which is known by the hash of all of its fields, has several hundred.
const MAX_PREIMAGE: usize = 2_048;

/// Replaces the opcodes that have an instrument.
pub(super) fn install(table: &mut InstructionTable<EthInterpreter, Machine>) {
    table[opcode::LT as usize] = Instruction::new(lt);
    table[opcode::GT as usize] = Instruction::new(gt);
    table[opcode::SLT as usize] = Instruction::new(slt);
    table[opcode::SGT as usize] = Instruction::new(sgt);
    table[opcode::EQ as usize] = Instruction::new(eq);
    table[opcode::ISZERO as usize] = Instruction::new(iszero);
    table[opcode::SUB as usize] = Instruction::new(sub);
    table[opcode::XOR as usize] = Instruction::new(xor);
    table[opcode::JUMPI as usize] = Instruction::new(jumpi);
    table[opcode::JUMPDEST as usize] = Instruction::new(jumpdest);
    table[opcode::SLOAD as usize] = Instruction::new(sload);
    table[opcode::SSTORE as usize] = Instruction::new(sstore);
    table[opcode::KECCAK256 as usize] = Instruction::new(hash);
    table[opcode::CALL as usize] = Instruction::new(call_out);
    table[opcode::CALLCODE as usize] = Instruction::new(run_foreign::<{ opcode::CALLCODE }>);
    table[opcode::DELEGATECALL as usize] = Instruction::new(run_foreign::<{ opcode::DELEGATECALL }>);
    table[opcode::STATICCALL as usize] = Instruction::new(static_call);
    table[opcode::EXTCODESIZE as usize] = Instruction::new(code_size);
    table[opcode::SELFDESTRUCT as usize] = Instruction::new(destroy);
    table[opcode::REVERT as usize] = Instruction::new(revert);
    table[opcode::INVALID as usize] = Instruction::new(invalid);
    table[opcode::LOG0 as usize] = Instruction::new(log::<0>);
    table[opcode::LOG1 as usize] = Instruction::new(log::<1>);
    table[opcode::LOG2 as usize] = Instruction::new(log::<2>);
    table[opcode::LOG3 as usize] = Instruction::new(log::<3>);
    table[opcode::LOG4 as usize] = Instruction::new(log::<4>);
}

/// Has the opcodes that compute look at their results, or not any more. Most contracts compute nothing that nobody checks, and theirs run
/// at the EVM's own speed.
pub(super) fn look_at_results(table: &mut InstructionTable<EthInterpreter, Machine>, looks: bool) {
    let mut set = |opcode: u8, looking, plain| table[opcode as usize] = if looks { looking } else { plain };
    set(opcode::ADD, Instruction::new(add), Instruction::new(arithmetic::add));
    set(opcode::MUL, Instruction::new(mul), Instruction::new(arithmetic::mul));
    set(opcode::SUB, Instruction::new(sub_with_result), Instruction::new(sub));
    set(opcode::EXP, Instruction::new(exp), Instruction::new(arithmetic::exp));
    set(opcode::SHL, Instruction::new(shl), Instruction::new(bitwise::shl));
    set(opcode::AND, Instruction::new(and), Instruction::new(bitwise::bitand));
    set(opcode::SIGNEXTEND, Instruction::new(signextend), Instruction::new(arithmetic::signextend));
}

/// Has the JUMPs look at where they lead, or not any more: only contracts with function types can be made to jump anywhere else than
/// the compiler meant.
pub(super) fn look_at_jumps(table: &mut InstructionTable<EthInterpreter, Machine>, looks: bool) {
    table[opcode::JUMP as usize] = if looks { Instruction::new(jump) } else { Instruction::new(control::jump) };
}

/// Has the TSTOREs look at where they write, or not any more: few contracts have two things in one transient slot.
pub(super) fn look_at_transient(table: &mut InstructionTable<EthInterpreter, Machine>, looks: bool) {
    table[opcode::TSTORE as usize] = if looks { Instruction::new(tstore) } else { Instruction::new(host::tstore) };
}

/// Has the opcodes looked at that cheatcodes are about, or not any more. `IS_INSTRUMENTED` says whether they have instruments beside.
pub(super) fn look_for_cheatcodes<const IS_INSTRUMENTED: bool>(
    table: &mut InstructionTable<EthInterpreter, Machine>,
    looks: bool,
) {
    let mut set = |opcode: u8, looking, instrumented, plain| {
        table[opcode as usize] = match (looks, IS_INSTRUMENTED) {
            (true, _) => looking,
            (false, true) => instrumented,
            (false, false) => plain,
        };
    };
    let new = Instruction::new;
    set(opcode::SLOAD, new(recorded_sload::<IS_INSTRUMENTED>), new(sload), new(host::sload));
    set(opcode::SSTORE, new(recorded_sstore::<IS_INSTRUMENTED>), new(sstore), new(host::sstore));
    set(opcode::LOG0, new(recorded_log::<0, IS_INSTRUMENTED>), new(log::<0>), new(host::log::<0, _>));
    set(opcode::LOG1, new(recorded_log::<1, IS_INSTRUMENTED>), new(log::<1>), new(host::log::<1, _>));
    set(opcode::LOG2, new(recorded_log::<2, IS_INSTRUMENTED>), new(log::<2>), new(host::log::<2, _>));
    set(opcode::LOG3, new(recorded_log::<3, IS_INSTRUMENTED>), new(log::<3>), new(host::log::<3, _>));
    set(opcode::LOG4, new(recorded_log::<4, IS_INSTRUMENTED>), new(log::<4>), new(host::log::<4, _>));
    set(opcode::BLOCKHASH, new(chosen_blockhash), new(host::blockhash), new(host::blockhash));
}

/// The instruction pointer has already moved on by one.
#[inline]
fn pc(at: &At<'_>) -> usize {
    at.interpreter.bytecode.pc() - 1
}

/// The word at `depth` from the top, if there is one.
#[inline]
fn peek(at: &At<'_>, depth: usize) -> Option<U256> {
    let stack = at.interpreter.stack.data();
    stack.len().checked_sub(depth + 1).map(|index| stack[index])
}

macro_rules! comparisons {
    ($($name:ident => $original:path),* $(,)?) => {$(
        fn $name(at: At<'_>) -> InstructionExecResult {
            if let (Some(left), Some(right)) = (peek(&at, 0), peek(&at, 1)) {
                let pc = pc(&at);
                at.host.chain.recorder.compare(pc, left, right);
            }
            $original(at)
        }
    )*};
}

comparisons! {
    lt => bitwise::lt,
    gt => bitwise::gt,
    slt => bitwise::slt,
    sgt => bitwise::sgt,
    eq => bitwise::eq,
    xor => bitwise::bitxor,
    sub => arithmetic::sub,
}

macro_rules! with_results {
    ($($name:ident: $opcode:ident => $original:path),* $(,)?) => {$(
        fn $name(at: At<'_>) -> InstructionExecResult {
            if at.host.chain.recorder.looks_at_results() {
                return compute(at, opcode::$opcode, |at| $original(at));
            }
            $original(at)
        }
    )*};
}

with_results! {
    add: ADD => arithmetic::add,
    mul: MUL => arithmetic::mul,
    sub_with_result: SUB => sub,
    exp: EXP => arithmetic::exp,
    shl: SHL => bitwise::shl,
    and: AND => bitwise::bitand,
    signextend: SIGNEXTEND => arithmetic::signextend,
}

/// Computes, and notes where the result does not fit its type.
fn compute(at: At<'_>, opcode: u8, original: impl FnOnce(At<'_>) -> InstructionExecResult) -> InstructionExecResult {
    let pc = pc(&at);
    let wrap = match (peek(&at, 0), peek(&at, 1)) {
        (Some(top), Some(below)) => at.host.chain.recorder.wraps(pc, opcode, top, below),
        _ => None,
    };
    let Some(wrap) = wrap else { return original(at) };
    let selector = selector(&at);
    at.host.chain.recorder.fail(FailureKind::Wrap(wrap), pc, selector);
    let is_saturated = at.host.chain.recorder.is_saturated(pc);
    let InstructionContext { interpreter, host } = at;
    let result = original(InstructionContext { interpreter: &mut *interpreter, host });
    if is_saturated
        && result.is_ok()
        && let Some(word) = interpreter.stack.data_mut().last_mut()
    {
        *word = wrap.saturated();
    }
    result
}

fn iszero(at: At<'_>) -> InstructionExecResult {
    if let Some(word) = peek(&at, 0) {
        let pc = pc(&at);
        at.host.chain.recorder.compare(pc, word, U256::ZERO);
    }
    bitwise::iszero(at)
}

fn jump(at: At<'_>) -> InstructionExecResult {
    if at.host.chain.recorder.keeps_jumps()
        && let Some(to) = peek(&at, 0)
        && !at.interpreter.bytecode.is_valid_legacy_jump(to.saturating_to())
    {
        let (pc, selector) = (pc(&at), selector(&at));
        at.host.chain.recorder.fail(FailureKind::WildJump { to }, pc, selector);
    }
    control::jump(at)
}

fn jumpi(at: At<'_>) -> InstructionExecResult {
    if let Some(condition) = peek(&at, 1) {
        let pc = pc(&at);
        at.host.chain.recorder.branch(pc, condition);
    }
    control::jumpi(at)
}

fn jumpdest(at: At<'_>) -> InstructionExecResult {
    let pc = pc(&at);
    let recorder = &mut at.host.chain.recorder;
    recorder.visit(pc);
    if recorder.detailed {
        recorder.trace_block(pc);
    }
    Ok(())
}

fn sload(at: At<'_>) -> InstructionExecResult {
    if let Some(slot) = peek(&at, 0) {
        let address = at.interpreter.input.target_address();
        at.host.chain.recorder.read(address, slot);
    }
    host::sload(at)
}

fn sstore(mut at: At<'_>) -> InstructionExecResult {
    if let (Some(slot), Some(value)) = (peek(&at, 0), peek(&at, 1)) {
        let (pc, address) = (pc(&at), at.interpreter.input.target_address());
        at.host.chain.recorder.write(pc, address, slot, value);
        if at.host.chain.recorder.looks_at_write(pc) {
            let account = at.host.journaled_state.state.get(&address);
            let known = account.and_then(|account| account.storage.get(&slot)).map(|slot| slot.present_value);
            let before = known.unwrap_or_else(|| at.host.journaled_state.database.slot(address, slot));
            note_placed(
                &mut at,
                pc,
                PlacedWrite { account: address, slot, before, after: value, ..PlacedWrite::any() },
            );
        }
        if let Some(write) = at.host.chain.recorder.delegated_write(address, slot) {
            let selector = selector(&at);
            at.host.chain.recorder.fail(write, pc, selector);
        }
        for index in 0..at.host.chain.recorder.watches() {
            if let Some(name) = at.host.chain.recorder.watched(index, slot, value) {
                let selector = selector(&at);
                at.host.chain.recorder.fail(FailureKind::Write(name), pc, selector);
            }
        }
    }
    host::sstore(at)
}

fn tstore(mut at: At<'_>) -> InstructionExecResult {
    let pc = pc(&at);
    if at.host.chain.recorder.looks_at_write(pc)
        && let (Some(slot), Some(after)) = (peek(&at, 0), peek(&at, 1))
    {
        let account = at.interpreter.input.target_address();
        let known = at.host.journaled_state.transient_storage.get(&account).and_then(|words| words.get(&slot));
        let before = known.copied().unwrap_or_default();
        let is_transient = true;
        note_placed(&mut at, pc, PlacedWrite { account, slot, is_transient, before, after, ..PlacedWrite::any() });
    }
    host::tstore(at)
}

/// Notes a write that changes a slot which two have.
fn note_placed(at: &mut At<'_>, pc: usize, write: PlacedWrite) {
    if let Some(write) = at.host.chain.recorder.placed(write) {
        let selector = selector(at);
        at.host.chain.recorder.fail(FailureKind::PlacedWrite(write), pc, selector);
    }
}

fn hash(at: At<'_>) -> InstructionExecResult {
    if !at.host.chain.recorder.keeps_hashes() {
        return system::keccak256(at);
    }
    let pc = pc(&at);
    let (offset, length) = (peek(&at, 0).unwrap_or_default(), peek(&at, 1).unwrap_or_default());
    let bytes = memory(&at, offset, length, MAX_PREIMAGE);
    let InstructionContext { interpreter, host } = at;
    let result = system::keccak256(InstructionContext { interpreter: &mut *interpreter, host: &mut *host });
    if let (Ok(()), Some(bytes), Some(hash)) = (&result, bytes, interpreter.stack.data().last()) {
        host.chain.recorder.hashed(pc, B256::from(*hash), bytes);
    }
    result
}

fn revert(at: At<'_>) -> InstructionExecResult {
    let pc = pc(&at);
    if at.host.chain.recorder.is_panic(pc) {
        let (offset, length) = (peek(&at, 0).unwrap_or_default(), peek(&at, 1).unwrap_or_default());
        if let Some(data) = memory(&at, offset, length, 36)
            && data.len() == 36
            && data.starts_with(&crate::code::PANIC_SELECTOR.to_be_bytes())
        {
            let code = U256::from_be_slice(&data[4..]);
            let selector = selector(&at);
            at.host.chain.recorder.fail(FailureKind::Panic(code.saturating_to()), pc, selector);
        }
    }
    control::revert(at)
}

fn invalid(at: At<'_>) -> InstructionExecResult {
    let pc = pc(&at);
    let selector = selector(&at);
    at.host.chain.recorder.fail(FailureKind::Invalid, pc, selector);
    Err(InstructionResult::InvalidFEOpcode)
}

/// Whether the first word of the data that is logged is another one than zero.
fn logs_some(at: &At<'_>) -> bool {
    let offset = peek(at, 0).unwrap_or_default();
    memory(at, offset, U256::from(32), 32).is_some_and(|word| word.iter().any(|byte| *byte != 0))
}

fn log<const TOPICS: usize>(mut at: At<'_>) -> InstructionExecResult {
    if TOPICS >= 3
        && at.host.chain.recorder.keeps_token_moves()
        && peek(&at, 2) == Some(TRANSFER_EVENT)
        && let (Some(from), Some(to)) = (peek(&at, 3), peek(&at, 4))
        // The amount is data, and the number of a token is a topic.
        && (TOPICS > 3 || logs_some(&at))
    {
        let token = at.interpreter.input.target_address();
        note_token_move(&mut at, token, Address::from_word(from.into()), Address::from_word(to.into()));
    }
    if TOPICS > 0
        && at.host.chain.recorder.is_ours()
        && let Some(topic) = peek(&at, 2)
        && at.host.chain.recorder.is_assertion_event(B256::from(topic))
    {
        let pc = pc(&at);
        let selector = selector(&at);
        at.host.chain.recorder.fail(FailureKind::Event, pc, selector);
    }
    if !at.host.chain.recorder.keeps_logs() {
        return host::log::<TOPICS, _>(at);
    }
    let InstructionContext { interpreter, host } = at;
    let result = host::log::<TOPICS, _>(InstructionContext { interpreter, host: &mut *host });
    if let (Ok(()), Some(log)) = (&result, host.journaled_state.logs.last()) {
        host.chain.recorder.logged(log);
    }
    result
}

fn recorded_sload<const IS_INSTRUMENTED: bool>(at: At<'_>) -> InstructionExecResult {
    if let Some(slot) = peek(&at, 0)
        && let Some(cheats) = at.host.chain.cheats.as_deref_mut().filter(|cheats| cheats.records_storage)
    {
        cheats.note_read(at.interpreter.input.target_address(), slot);
    }
    if IS_INSTRUMENTED { sload(at) } else { host::sload(at) }
}

fn recorded_sstore<const IS_INSTRUMENTED: bool>(at: At<'_>) -> InstructionExecResult {
    if let Some(slot) = peek(&at, 0)
        && let Some(cheats) = at.host.chain.cheats.as_deref_mut().filter(|cheats| cheats.records_storage)
    {
        cheats.note_write(at.interpreter.input.target_address(), slot);
    }
    if IS_INSTRUMENTED { sstore(at) } else { host::sstore(at) }
}

fn recorded_log<const TOPICS: usize, const IS_INSTRUMENTED: bool>(at: At<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host } = at;
    let inner = InstructionContext { interpreter: &mut *interpreter, host: &mut *host };
    let result = if IS_INSTRUMENTED { log::<TOPICS>(inner) } else { host::log::<TOPICS, _>(inner) };
    if let (Ok(()), Some(log)) = (&result, host.journaled_state.inner.logs.last())
        && let Some(cheats) = host.chain.cheats.as_deref_mut()
        && let Err(why) = cheats.note_log(log)
    {
        let output = cheatcodes::revert(why);
        let action = InterpreterAction::new_return(InstructionResult::Revert, output, interpreter.gas);
        interpreter.bytecode.set_action(action);
        return Err(InstructionResult::Revert);
    }
    result
}

fn chosen_blockhash(at: At<'_>) -> InstructionExecResult {
    let chosen = peek(&at, 0).and_then(|number| {
        let hashes = &at.host.chain.cheats.as_deref()?.state().block_hashes;
        hashes.get(&u64::try_from(number).ok()?).copied()
    });
    let InstructionContext { interpreter, host } = at;
    let result = host::blockhash(InstructionContext { interpreter: &mut *interpreter, host });
    if let (Ok(()), Some(hash), Some(word)) = (&result, chosen, interpreter.stack.data_mut().last_mut())
        && !word.is_zero()
    {
        *word = hash.into();
    }
    result
}

/// Notes where a call is made from, as far as somebody asks what becomes of it.
fn note_call(at: &mut At<'_>, to: Address, pays: bool) {
    let made = at.host.chain.recorder.keeps_failed_call(to).then(|| {
        let account = at.interpreter.input.target_address();
        MadeCall { pc: pc(at), selector: selector(at), account, to, pays }
    });
    at.host.chain.recorder.calls(made);
}

fn static_call(mut at: At<'_>) -> InstructionExecResult {
    if let Some(to) = peek(&at, 1) {
        let to = Address::from_word(to.into());
        if peek(&at, 3).is_some_and(|length| !length.is_zero()) {
            note_codeless(&mut at, to);
        }
        note_call(&mut at, to, false);
    }
    contract::call::<{ opcode::STATICCALL }, _, _>(at)
}

fn code_size(mut at: At<'_>) -> InstructionExecResult {
    if let Some(of) = peek(&at, 0) {
        note_codeless(&mut at, Address::from_word(of.into()));
    }
    host::extcodesize(at)
}

/// Notes an account that has no code although it is asked for it, or called with data.
fn note_codeless(at: &mut At<'_>, account: Address) {
    if at.host.chain.recorder.keeps_codeless()
        && !is_precompile(account)
        && !at.host.journaled_state.database.has_code(account)
    {
        at.host.chain.recorder.is_codeless(account);
    }
}

fn call_out(mut at: At<'_>) -> InstructionExecResult {
    if let (Some(to), Some(value), Some(length)) = (peek(&at, 1), peek(&at, 2), peek(&at, 4)) {
        let to = Address::from_word(to.into());
        let recorder = &at.host.chain.recorder;
        if recorder.keeps_call_out(to, || is_precompile(to) || at.host.journaled_state.database.has_code(to)) {
            let (pc, selector) = (pc(&at), selector(&at));
            let account = at.interpreter.input.target_address();
            let speaks = !length.is_zero();
            let may_act = peek(&at, 0).is_none_or(|gas| gas > U256::from(STIPEND));
            let kind = FailureKind::CallOut { account, to, pays: !value.is_zero(), speaks, may_act };
            at.host.chain.recorder.fail(kind, pc, selector);
            if speaks {
                at.host.chain.recorder.is_codeless(to);
            }
        }
        if at.host.chain.recorder.keeps_token_moves() {
            note_token_call(&mut at, to);
        }
        note_call(&mut at, to, !value.is_zero());
        if !value.is_zero() && at.host.chain.recorder.keeps_codeless() {
            note_unpaid(&mut at, value);
        }
    }
    contract::call::<{ opcode::CALL }, _, _>(at)
}

/// Notes a call that moves tokens, as far as it is one.
fn note_token_call(at: &mut At<'_>, token: Address) {
    let (Some(offset), Some(length)) = (peek(at, 3), peek(at, 4)) else { return };
    let Some(data) = memory(at, offset, length.min(U256::from(TOKEN_CALL)), TOKEN_CALL) else { return };
    let word = |index: usize| data.get(4 + 32 * index..4 + 32 * (index + 1)).map(B256::from_slice);
    let account = |index: usize| word(index).map(Address::from_word);
    let is_some = |index: usize| word(index).is_some_and(|amount| !amount.is_zero());
    let moved = match data.first_chunk().copied().unwrap_or_default() {
        TRANSFER if is_some(1) => Some(at.interpreter.input.target_address()).zip(account(0)),
        TRANSFER_FROM if is_some(2) => account(0).zip(account(1)),
        SAFE_TRANSFER_FROM | SAFE_TRANSFER_FROM_WITH_DATA => account(0).zip(account(1)),
        _ => None,
    };
    if let Some((from, to)) = moved {
        note_token_move(at, token, from, to);
    }
}

/// Notes a token that goes from somebody else to the sender of the transaction. What is minted was nobody's.
fn note_token_move(at: &mut At<'_>, token: Address, from: Address, to: Address) {
    if to == at.host.tx.caller && from != to && !from.is_zero() {
        let (pc, selector) = (pc(at), selector(at));
        let account = at.interpreter.input.target_address();
        at.host.chain.recorder.fail(FailureKind::TokenMove { account, token, from, to }, pc, selector);
    }
}

/// Notes a payment for which the running contract has too little ether.
fn note_unpaid(at: &mut At<'_>, value: U256) {
    let payer = at.interpreter.input.target_address();
    let has = at.host.balance(payer).map(|balance| balance.data);
    if let Some(missing) = has.and_then(|has| value.checked_sub(has)).filter(|missing| !missing.is_zero()) {
        at.host.chain.recorder.is_unpaid(Unpaid { payer, missing });
    }
}

fn run_foreign<const OPCODE: u8>(at: At<'_>) -> InstructionExecResult {
    if at.host.chain.recorder.keeps_delegates()
        && let Some(word) = peek(&at, 1)
    {
        let code = Address::from_word(word.into());
        let is_named = || at.host.tx.data.windows(20).any(|bytes| bytes == code.as_slice());
        if !is_precompile(code) && (is_named() || is_foreign(at.host, code)) {
            let (pc, selector) = (pc(&at), selector(&at));
            let account = at.interpreter.input.target_address();
            at.host.chain.recorder.fail(FailureKind::Delegate { account, code }, pc, selector);
        }
    }
    contract::call::<OPCODE, _, _>(at)
}

/// Whether no contract of the build has the code of an account: it has none, or somebody else's.
fn is_foreign(machine: &mut Machine, account: Address) -> bool {
    let state = &machine.journaled_state.database;
    !state.has_code(account) || !machine.chain.recorder.knows(state.code_hash(account), &state.code(account))
}

/// Whether an account is none of a person or a contract: there are fewer precompiles than that on every chain.
fn is_precompile(account: Address) -> bool {
    U256::from_be_slice(account.as_slice()) < U256::from(0x200)
}

fn destroy(at: At<'_>) -> InstructionExecResult {
    if at.host.chain.recorder.keeps_destructions()
        && let Some(word) = peek(&at, 0)
        && at.host.journaled_state.database.has_code(at.interpreter.input.target_address())
    {
        let (pc, selector) = (pc(&at), selector(&at));
        let (account, heir) = (at.interpreter.input.target_address(), Address::from_word(word.into()));
        at.host.chain.recorder.fail(FailureKind::Destroy { account, heir }, pc, selector);
    }
    host::selfdestruct(at)
}

/// The function that the running frame was called for.
fn selector(at: &At<'_>) -> Option<[u8; 4]> {
    selector_of(at.interpreter)
}

/// The function that a frame was called for.
pub(super) fn selector_of(interpreter: &Interpreter<EthInterpreter>) -> Option<[u8; 4]> {
    let input = interpreter.input.input();
    // The place of empty calldata may be outside of memory.
    if input.len() < 4 {
        return None;
    }
    input.as_bytes_memory(&interpreter.memory).first_chunk().copied()
}

/// The bytes at `offset` in memory, as far as memory was allocated; `None` for more than `most`.
fn memory(at: &At<'_>, offset: U256, length: U256, most: usize) -> Option<Vec<u8>> {
    let (offset, length) = (usize::try_from(offset).ok()?, usize::try_from(length).ok()?);
    let end = offset.checked_add(length)?;
    (length <= most && end <= at.interpreter.memory.size()).then(|| at.interpreter.memory.slice(offset..end).to_vec())
}
