//! Arithmetic on constants is done by the EVM itself: one instruction of revm's table runs on a stack that holds its operands.
//! Since nothing is implemented twice, the analysis cannot disagree with the execution.

use alloy_primitives::U256;
use revm::{
    bytecode::opcode,
    interpreter::{
        Gas, InstructionContext, Interpreter,
        host::DummyHost,
        instructions::{InstructionTable, instruction_table},
        interpreter::EthInterpreter,
        interpreter_types::StackTr,
    },
};
use std::cell::RefCell;

/// A stack, and the instructions that work on it.
struct Unit {
    interpreter: Interpreter<EthInterpreter>,
    host: DummyHost,
    table: InstructionTable<EthInterpreter, DummyHost>,
}

thread_local! {
    // An interpreter cannot move between threads, and is too large to be made for each instruction.
    static UNIT: RefCell<Unit> = RefCell::new(Unit {
        interpreter: Interpreter::default(),
        host: DummyHost::default(),
        table: instruction_table(),
    });
}

/// Whether the result of an opcode depends on its operands alone.
pub(super) fn is_arithmetic(byte: u8) -> bool {
    matches!(byte, opcode::ADD..=opcode::SIGNEXTEND | opcode::LT..=opcode::CLZ)
}

/// The result of an arithmetic opcode on these words; the top of the stack comes first.
pub(super) fn evaluate(byte: u8, inputs: &[U256]) -> U256 {
    debug_assert!(is_arithmetic(byte));
    UNIT.with_borrow_mut(|Unit { interpreter, host, table }| {
        interpreter.gas = Gas::new(u64::MAX);
        interpreter.stack.clear();
        for word in inputs.iter().rev() {
            let _ = interpreter.stack.push(*word);
        }
        let done = table[byte as usize].execute(InstructionContext { interpreter: &mut *interpreter, host });
        debug_assert!(done.is_ok());
        interpreter.stack.data().last().copied().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_come_in_the_order_of_the_stack() {
        let word = |n: u64| U256::from(n);
        for (byte, inputs, result) in [
            (opcode::SUB, vec![word(9), word(2)], word(7)),
            (opcode::EXP, vec![word(2), word(200)], U256::from(1) << 200),
            (opcode::MULMOD, vec![U256::MAX, U256::MAX, word(12)], word(9)),
            (opcode::SDIV, vec![U256::MAX, word(1)], U256::MAX),
            (opcode::SHR, vec![word(4), word(0x123)], word(0x12)),
            (opcode::CLZ, vec![word(1)], word(255)),
        ] {
            assert_eq!(evaluate(byte, &inputs), result, "{byte:#x}");
        }
    }
}
