//! [`EtherSenders`] are the programs that may send ether on: what the others are paid stays where it is.

use super::{
    instruction::{Instruction, disassemble},
    program::{Program, ProgramId},
};
use crate::compile::{Build, NodeKind};
use revm::bytecode::opcode;
use std::{collections::BTreeSet, sync::Arc};

/// Instructions that give ether away, or let other code do so.
const GIVE_AWAY: [u8; 5] =
    [opcode::CALLCODE, opcode::DELEGATECALL, opcode::SELFDESTRUCT, opcode::CREATE, opcode::CREATE2];

/// The programs that may send ether.
#[derive(Debug)]
pub struct EtherSenders(BTreeSet<ProgramId>);

impl EtherSenders {
    pub(super) fn of<'a>(build: &Build, programs: impl Iterator<Item = (ProgramId, &'a Arc<Program>)>) -> Self {
        Self(programs.filter(|(_, program)| may_send(build, program)).map(|(id, _)| id).collect())
    }

    /// Whether a program may send ether.
    pub fn contains(&self, program: ProgramId) -> bool {
        self.0.contains(&program)
    }
}

/// Counts the instructions of deployed code that may send ether, as somebody does who knows nothing but the bytes. The last two say how long
/// the metadata in front of them is.
pub fn sending_instructions(code: &[u8]) -> usize {
    let metadata = code.last_chunk::<2>().map_or(0, |length| usize::from(u16::from_be_bytes(*length)) + 2);
    let end = code.len().checked_sub(metadata).unwrap_or(code.len());
    let sends = |instruction: &Instruction| {
        let is_code = (instruction.pc as usize) < end;
        is_code && (instruction.opcode == opcode::CALL || GIVE_AWAY.contains(&instruction.opcode))
    };
    disassemble(code).iter().filter(|instruction| sends(instruction)).count()
}

fn may_send(build: &Build, program: &Program) -> bool {
    if GIVE_AWAY.iter().any(|opcode| program.has_opcode(*opcode)) {
        return true;
    }
    let code = &program.instructions[..program.mapped_instructions()];
    let mut calls = code.iter().filter(|instruction| instruction.opcode == opcode::CALL);
    calls.any(|call| may_pay(build, program, call.pc))
}

/// Whether ether may come with a CALL: not with one of a function that the source declares, unless it says how much.
fn may_pay(build: &Build, program: &Program, pc: u32) -> bool {
    let Some((source, span)) = program.range(pc) else { return true };
    let source = build.source(source);
    let call = source.ast.smallest(span, |node| node.kind == NodeKind::Call).filter(|node| node.span == span);
    let is_declared = |declaration: i64| declaration >= 0;
    call.is_none_or(|call| !call.declaration.is_some_and(is_declared) || states_value(call.span.text(&source.text)))
}

/// Whether a call says how much ether comes with it, as an option or, before 0.7, by `.value(...)`.
fn states_value(call: &str) -> bool {
    let text: String = call.split_whitespace().collect();
    [".value(", "{value:", ",value:"].iter().any(|option| text.contains(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_that_send_ether_are_counted_in_front_of_the_metadata() {
        for (code, expected) in [
            (&[][..], 0),
            (&[opcode::CALL], 1),
            (&[opcode::PUSH1, opcode::CALL, opcode::STOP, opcode::CALL, 0, 0], 1),
            (&[opcode::SELFDESTRUCT, opcode::CREATE, opcode::CALL, opcode::CREATE2, 0, 2], 2),
            // No metadata is that long.
            (&[opcode::DELEGATECALL, opcode::CALLCODE, 0xff, 0xfe], 3),
        ] {
            assert_eq!(sending_instructions(code), expected, "{code:02x?}");
        }
    }

    #[test]
    fn a_call_says_how_much_ether_comes_with_it() {
        for (call, expected) in [
            ("book.note{value: 1}(id)", true),
            ("book.note{ gas: 5000,\n value: msg.value }(id)", true),
            ("book.note.value(msg.value)(id)", true),
            ("book.note(id, bytes32(msg.value))", false),
            ("points.award(msg.sender, msg.value / 1 gwei)", false),
            ("token.transfer(owner, value)", false),
        ] {
            assert_eq!(states_value(call), expected, "{call}");
        }
    }
}
