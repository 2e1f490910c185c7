//! The effect of an instruction on an [`AbstractState`], and how a block is left. Calls are returned to the caller, which knows
//! more of them (`calls.rs`).

use super::{
    code::Code,
    domain::{Inputs, Word, Words},
    memory::{Cell, END},
    slots::AbstractStorage,
    state::AbstractState,
};
use crate::code::{BlockId, Exit, Instruction};
use alloy_primitives::U256;
use revm::bytecode::opcode;

/// Bytes of code or memory that are copied, or hashed, with their content; chosen by hand. The result for longer ones is
/// unknown.
const MAX_COPY: u32 = 512;
/// Bytes of calldata that are copied to memory word by word; chosen by hand. The content of longer copies is unknown.
const MAX_CALLDATA: u32 = 128;

/// How a block was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Departure {
    /// A call or a creation is to be made by the instruction at this index.
    Call(u32),
    /// A jump to this word.
    Jump(Word),
    /// A jump to the first word if the second is not zero.
    Branch(Word, Word),
    /// Into the block behind it.
    Fall,
    /// The frame ended.
    End,
}

/// Runs a block from the instruction at index `from`.
pub(super) fn run(code: &Code, words: &mut Words, state: &mut AbstractState, block: BlockId, from: u32) -> Departure {
    let block = code.program.block(block);
    for index in from..block.instructions.end {
        let instruction = &code.program.instructions[index as usize];
        match instruction.opcode {
            opcode::CALL
            | opcode::CALLCODE
            | opcode::DELEGATECALL
            | opcode::STATICCALL
            | opcode::CREATE
            | opcode::CREATE2 => return Departure::Call(index),
            opcode::JUMP => return state.pop().map_or(Departure::End, Departure::Jump),
            opcode::JUMPI => {
                return match (state.pop(), state.pop()) {
                    (Some(target), Some(condition)) => Departure::Branch(target, condition),
                    _ => Departure::End,
                };
            }
            _ => {
                if step(code, words, state, index, instruction).is_none() {
                    return Departure::End;
                }
            }
        }
    }
    if block.exit == Exit::Fall { Departure::Fall } else { Departure::End }
}

/// Runs one instruction; `None` if the frame ends with it.
fn step(
    code: &Code,
    words: &mut Words,
    state: &mut AbstractState,
    index: u32,
    instruction: &Instruction,
) -> Option<()> {
    let byte = instruction.opcode;
    match byte {
        opcode::PUSH0..=opcode::PUSH32 => state.push(code.push(index)),
        opcode::DUP1..=opcode::DUP16 => {
            let depth = usize::from(byte - opcode::DUP1) + 1;
            let at = state.stack.len().checked_sub(depth)?;
            state.push(state.stack[at])
        }
        opcode::SWAP1..=opcode::SWAP16 => {
            let top = state.stack.len().checked_sub(1)?;
            let other = top.checked_sub(usize::from(byte - opcode::SWAP1) + 1)?;
            state.stack.swap(top, other);
            Some(())
        }
        opcode::POP => state.pop().map(|_| ()),
        opcode::JUMPDEST => Some(()),
        opcode::ADDMOD | opcode::MULMOD => {
            let inputs = [state.pop()?, state.pop()?, state.pop()?].map(|word| state.value(words, word));
            let word = match inputs {
                [Some(a), Some(b), Some(c)] => words.known(super::arithmetic::evaluate(byte, &[a, b, c])),
                _ => state.any(words),
            };
            state.push(word)
        }
        opcode::ISZERO | opcode::NOT | opcode::CLZ => {
            let a = state.pop()?;
            let word = state.make(words, byte, Inputs::One(a));
            state.push(word)
        }
        opcode::ADD..=opcode::SIGNEXTEND | opcode::LT..=opcode::SAR => {
            let (a, b) = (state.pop()?, state.pop()?);
            let word = state.make(words, byte, Inputs::Two(a, b));
            state.push(word)
        }
        opcode::KECCAK256 => {
            let (offset, length) = (state.pop()?, state.pop()?);
            let word = hash(words, state, offset, length);
            state.push(word)
        }
        // The environment of a frame does not change while it runs.
        opcode::ADDRESS
        | opcode::ORIGIN
        | opcode::CALLER
        | opcode::CALLVALUE
        | opcode::CALLDATASIZE
        | opcode::GASPRICE
        | opcode::COINBASE
        | opcode::TIMESTAMP
        | opcode::NUMBER
        | opcode::DIFFICULTY
        | opcode::GASLIMIT
        | opcode::CHAINID
        | opcode::BASEFEE
        | opcode::BLOBBASEFEE => {
            let word = state.make(words, byte, Inputs::None);
            state.push(word)
        }
        opcode::CODESIZE => {
            let word = match code.bytes(0..0).filter(|_| code.program.stage == crate::code::Stage::Runtime) {
                Some(_) => words.known(U256::from(code.program.code.len())),
                None => state.make(words, byte, Inputs::None),
            };
            state.push(word)
        }
        opcode::CALLDATALOAD => {
            let offset = state.pop()?;
            let word = calldata(words, state, offset);
            state.push(word)
        }
        opcode::RETURNDATASIZE => state.push(state.returned),
        opcode::PC => {
            let word = words.known(U256::from(instruction.pc));
            state.push(word)
        }
        opcode::MLOAD => {
            let offset = state.pop()?;
            let word = load(words, state, offset)?;
            state.push(word)
        }
        opcode::MSTORE => {
            let (offset, word) = (state.pop()?, state.pop()?);
            match state.value(words, offset) {
                Some(offset) => state.memory.store(words, place(offset)?, word),
                None => state.memory.forget_all(),
            }
            Some(())
        }
        opcode::MSTORE8 => {
            let (offset, _) = (state.pop()?, state.pop()?);
            let one = words.known(U256::ONE);
            overwrite(words, state, offset, one)
        }
        opcode::CALLDATACOPY | opcode::CODECOPY | opcode::RETURNDATACOPY | opcode::MCOPY => {
            let (to, from, length) = (state.pop()?, state.pop()?, state.pop()?);
            copy(code, words, state, byte, to, from, length)
        }
        opcode::EXTCODECOPY => {
            let (_, to, _, length) = (state.pop()?, state.pop()?, state.pop()?, state.pop()?);
            overwrite(words, state, to, length)
        }
        opcode::SLOAD | opcode::TLOAD => {
            let slot = state.pop()?;
            let slot = state.resolve(words, slot);
            let word = match slots(state, byte).read(words, byte, slot) {
                Some(word) => state.resolve(words, word),
                None => {
                    let word = state.any(words);
                    slots(state, byte).name(slot, word);
                    word
                }
            };
            state.push(word)
        }
        opcode::SSTORE | opcode::TSTORE => {
            let (slot, word) = (state.pop()?, state.pop()?);
            let slot = state.resolve(words, slot);
            slots(state, byte).write(words, slot, word);
            Some(())
        }
        // The results of these may differ from one execution to the next.
        opcode::GAS
        | opcode::MSIZE
        | opcode::SELFBALANCE
        | opcode::BALANCE
        | opcode::EXTCODESIZE
        | opcode::EXTCODEHASH
        | opcode::BLOCKHASH
        | opcode::BLOBHASH
        | opcode::LOG0..=opcode::LOG4 => {
            for _ in 0..instruction.inputs() {
                state.pop()?;
            }
            for _ in 0..instruction.outputs() {
                let word = state.any(words);
                state.push(word)?;
            }
            Some(())
        }
        // STOP, RETURN, REVERT, INVALID, SELFDESTRUCT, and what no supported EVM knows.
        _ => None,
    }
}

/// The part of the state that SLOAD and SSTORE, or TLOAD and TSTORE, work on.
fn slots(state: &mut AbstractState, byte: u8) -> &mut AbstractStorage {
    if matches!(byte, opcode::SLOAD | opcode::SSTORE) { &mut state.storage } else { &mut state.transient }
}

/// A constant offset into memory; `None` if no gas limit pays for it.
pub(super) fn place(offset: U256) -> Option<u32> {
    u32::try_from(offset).ok().filter(|offset| *offset < END)
}

/// A word of the calldata.
fn calldata(words: &mut Words, state: &mut AbstractState, offset: Word) -> Word {
    let offset = state.resolve(words, offset);
    let size = state.make(words, opcode::CALLDATASIZE, Inputs::None);
    match (words.value(offset), words.value(size)) {
        (Some(offset), Some(size)) if offset >= size => words.known(U256::ZERO),
        _ => state.make(words, opcode::CALLDATALOAD, Inputs::One(offset)),
    }
}

/// The word in memory at `offset`.
fn load(words: &mut Words, state: &mut AbstractState, offset: Word) -> Option<Word> {
    let Some(offset) = state.value(words, offset) else { return Some(state.any(words)) };
    let offset = place(offset)?;
    Some(match state.memory.load(offset) {
        Cell::Holds(word) => word,
        Cell::Untouched => words.known(U256::ZERO),
        Cell::Unknown => {
            let word = state.any(words);
            state.memory.name(offset, word);
            word
        }
        Cell::Mixed => match state.memory.bytes(words, offset, 32) {
            Some(bytes) => words.known(U256::from_be_slice(&bytes)),
            None => state.any(words),
        },
    })
}

fn hash(words: &mut Words, state: &mut AbstractState, offset: Word, length: Word) -> Word {
    let (offset, length) = (state.small(words, offset), state.small(words, length));
    let (Some(offset), Some(length)) = (offset.filter(|offset| *offset < END), length) else {
        return state.any(words);
    };
    if length <= MAX_COPY
        && let Some(bytes) = state.memory.bytes(words, offset, length)
    {
        return words.known(alloy_primitives::keccak256(bytes).into());
    }
    let word = |at: u32| match state.memory.load(at) {
        Cell::Holds(word) => Some(word),
        _ => None,
    };
    match (length, word(offset), word(offset.saturating_add(32))) {
        (32, Some(a), _) => state.make(words, opcode::KECCAK256, Inputs::One(a)),
        (64, Some(a), Some(b)) => state.make(words, opcode::KECCAK256, Inputs::Two(a, b)),
        _ => state.any(words),
    }
}

/// Notes a write to `length` bytes of memory from `to` on; `None` if no gas limit pays for it.
pub(super) fn overwrite(words: &mut Words, state: &mut AbstractState, to: Word, length: Word) -> Option<()> {
    let (to, length) = (state.value(words, to), state.value(words, length));
    if length == Some(U256::ZERO) {
        return Some(());
    }
    match (to, length) {
        (Some(to), Some(length)) => state.memory.forget(place(to)?, Some(place(length)?)),
        // Where nothing can be written, nothing is.
        (Some(to), None) => {
            if let Some(to) = place(to) {
                state.memory.forget(to, None);
            }
        }
        (None, _) => state.memory.forget_all(),
    }
    Some(())
}

fn copy(
    code: &Code,
    words: &mut Words,
    state: &mut AbstractState,
    byte: u8,
    to: Word,
    from: Word,
    length: Word,
) -> Option<()> {
    let known = (state.small(words, to), state.small(words, from), state.small(words, length));
    let (Some(to_offset), Some(from), Some(length_bytes)) = known else { return overwrite(words, state, to, length) };
    let (most, fits) =
        (if byte == opcode::CALLDATACOPY { MAX_CALLDATA } else { MAX_COPY }, to_offset < END && from < END);
    if length_bytes == 0 || length_bytes > most || !fits {
        return overwrite(words, state, to, length);
    }
    let bytes = match byte {
        opcode::CODECOPY => code.bytes(from as usize..(from + length_bytes) as usize),
        opcode::MCOPY => state.memory.bytes(words, from, length_bytes),
        _ => None,
    };
    // Whole words of calldata, or of memory, keep what they are.
    let mut copied: Vec<Option<Word>> = Vec::new();
    for at in (0..length_bytes / 32).map(|index| index * 32) {
        copied.push(match (&bytes, byte) {
            (Some(bytes), _) => Some(words.known(U256::from_be_slice(&bytes[at as usize..at as usize + 32]))),
            (None, opcode::CALLDATACOPY) => {
                let offset = words.known(U256::from(from + at));
                Some(calldata(words, state, offset))
            }
            (None, opcode::MCOPY) => match state.memory.load(from + at) {
                Cell::Holds(word) => Some(word),
                Cell::Untouched => Some(words.known(U256::ZERO)),
                Cell::Unknown | Cell::Mixed => None,
            },
            _ => None,
        });
    }
    overwrite(words, state, to, length)?;
    for (index, word) in copied.into_iter().enumerate() {
        if let Some(word) = word {
            state.memory.store(words, to_offset + index as u32 * 32, word);
        }
    }
    Some(())
}
