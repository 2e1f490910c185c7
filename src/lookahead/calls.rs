//! The possible callees of a call, as far as its operands tell, and the effect of a call on the state of its caller.

use super::{
    domain::{Expression, Inputs, Word, Words},
    state::AbstractState,
    step::overwrite,
};
use alloy_primitives::U256;
use revm::bytecode::opcode;

/// The gas that a callee gets with a transfer, beside what the caller gives.
const STIPEND: U256 = U256::from_limbs([2_300, 0, 0, 0]);
/// The last of the addresses that can hold nothing but precompiles.
const LAST_PRECOMPILE: U256 = U256::from_limbs([0x100, 0, 0, 0]);

/// The code that a call may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callee {
    /// None: a precompile.
    Nobody,
    /// Any, with 2,300 gas and without calldata: a transfer.
    Transfer,
    /// Any.
    Anybody,
}

/// Whether a call of the opcode `byte` may send ether, or lets other code do so in the name of its account.
pub(super) fn may_send_ether(words: &mut Words, state: &AbstractState, byte: u8) -> bool {
    let depth = match byte {
        opcode::CALL => 3,
        opcode::CREATE | opcode::CREATE2 => 1,
        opcode::STATICCALL => return false,
        _ => return true,
    };
    let value = state.stack.len().checked_sub(depth).map(|at| state.stack[at]);
    value.is_some_and(|value| state.value(words, value) != Some(U256::ZERO))
}

/// Applies the call of the opcode `byte` to `state`, with `success` if that is known, and returns the code that it may run.
/// `None` if the frame ends with it.
pub(super) fn call(words: &mut Words, state: &mut AbstractState, byte: u8, success: Option<bool>) -> Option<Callee> {
    let callee = if matches!(byte, opcode::CREATE | opcode::CREATE2) {
        for _ in 0..if byte == opcode::CREATE { 3 } else { 4 } {
            state.pop()?;
        }
        Callee::Anybody
    } else {
        let (gas, address) = (state.pop()?, state.pop()?);
        let has_value = matches!(byte, opcode::CALL | opcode::CALLCODE);
        let value = if has_value { Some(state.pop()?) } else { None };
        let (_, input, to, length) = (state.pop()?, state.pop()?, state.pop()?, state.pop()?);
        let callee = callee(words, state, byte, gas, address, value, input);
        overwrite(words, state, to, length)?;
        callee
    };
    // A failed call was undone, and a static call changes nothing.
    if callee != Callee::Nobody && success != Some(false) && byte != opcode::STATICCALL {
        if callee != Callee::Transfer {
            state.storage.forget();
        }
        // A transfer pays for a TSTORE, not for an SSTORE.
        state.transient.forget();
    }
    state.returned = state.any(words);
    let result = match (byte, success) {
        (_, Some(false)) => words.known(U256::ZERO),
        (opcode::CREATE | opcode::CREATE2, _) | (_, None) => state.any(words),
        (_, Some(true)) => words.known(U256::ONE),
    };
    state.push(result)?;
    Some(callee)
}

fn callee(
    words: &mut Words,
    state: &AbstractState,
    byte: u8,
    gas: Word,
    address: Word,
    value: Option<Word>,
    input: Word,
) -> Callee {
    if state.value(words, address).is_some_and(|address| address <= LAST_PRECOMPILE) {
        return Callee::Nobody;
    }
    let is_transfer = byte == opcode::CALL
        && state.value(words, input) == Some(U256::ZERO)
        && value.is_some_and(|value| is_stipend(words, state, gas, value));
    if is_transfer { Callee::Transfer } else { Callee::Anybody }
}

/// Whether a call with this gas and this value leaves its callee 2,300 gas at most.
fn is_stipend(words: &mut Words, state: &AbstractState, gas: Word, value: Word) -> bool {
    let (gas, value) = (state.resolve(words, gas), state.resolve(words, value));
    match words.value(gas) {
        Some(gas) if gas.is_zero() => true,
        Some(gas) => gas <= STIPEND && words.value(value) == Some(U256::ZERO),
        // `transfer` and `send` give 2,300 gas where no value brings a stipend: 2,300 * iszero(value).
        None => match words.node(gas) {
            Expression::Made(opcode::MUL, Inputs::Two(factor, flag)) => {
                words.value(factor).is_some_and(|factor| factor <= STIPEND)
                    && words.make(opcode::ISZERO, Inputs::One(value)) == Some(flag)
            }
            _ => false,
        },
    }
}
