//! [`EtherSenders`] are the programs that may send ether on: what the others are paid stays where it is.

use super::program::{Program, ProgramId};
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
