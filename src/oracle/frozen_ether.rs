//! `frozen-ether`: a contract takes ether that no way through its code sends on (SWC-132). That it takes ether is seen; that it sends none
//! is proven by lookahead, over all code that a call can reach.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::Trial,
    violation::{Cause, Place, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    code::{Instruction, Program, ProgramId, Programs, Stage, disassemble},
    compile::{Build, ContractKind, Span},
    evm::{CallTarget, Status},
    input::CallTable,
    lookahead::Lookahead,
    project::Level,
    world::is_deployer,
};
use revm::bytecode::opcode;
use std::sync::Arc;

const META: OracleMeta = oracle_meta! {
    id: "frozen-ether",
    title: "Ether is frozen",
    swc: "132",
    level: Level::Information,
    description: "A contract takes ether, and no function of it sends any",
};

#[derive(Debug)]
pub(super) struct FrozenEther;

impl Oracle for FrozenEther {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { every_transaction: true, ..Needs::default() }
    }

    fn applies_to(&self, calls: &CallTable) -> bool {
        calls.calls().iter().any(|call| calls.function(*call).is_payable())
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        let call = execution.call;
        // What only the deployer pays in, they may have meant to.
        let is_paid =
            !call.value.is_zero() && matches!(call.target, CallTarget::Account(..)) && !is_deployer(call.sender);
        if !is_paid || execution.outcome.status != Status::Success {
            return;
        }
        let Some(visit) = execution.observation().blocks.first() else { return };
        let (build, program) = (execution.build, execution.programs.get(visit.program));
        if is_own(build, program) && !may_send(execution.programs, visit.program) {
            let contract = build.contract(program.contract);
            let text = contract.span.text(&build.source(contract.source).text);
            let head = text.find('{').map_or(text, |end| text[..end].trim_end());
            let span = Span { start: contract.span.start, end: contract.span.start + head.len() as u32 };
            violations.add(Place::of(build, contract.source, span), Cause::Other("ether is frozen"));
        }
    }

    fn weigh(&self, _: &Violation, _: &mut Trial<'_>) -> Option<Weight> {
        let because = "Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with \
                       ether, delegates to another one, or destroys the contract.";
        Some(Weight::at_most(Level::Information, Grounds::Always(because)))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let CallTarget::Account(paid, _) = replay.call.target else { return Err("nobody is paid any more") };
        let code = replay.after.code(paid);
        if has_unreached_senders(&replay.harness.programs, &code) {
            return Err(
                "a test sees only that its code has instructions which send ether, and not that no call reaches them",
            );
        }
        Ok(Evidence::Freezes(sending_instructions(&code)))
    }
}

/// Whether a call of a program may send ether.
fn may_send(programs: &Arc<Programs>, program: ProgramId) -> bool {
    programs.may_send_ether(program, |program| Lookahead::new(programs.clone(), []).may_send_ether(*program))
}

/// Whether deployed code has instructions that could send ether, but that no call reaches.
fn has_unreached_senders(programs: &Arc<Programs>, code: &[u8]) -> bool {
    let mut lookahead = Lookahead::new(programs.clone(), []);
    programs.recognise(code, Stage::Runtime).into_iter().any(|id| {
        let program = programs.get(id);
        let mut senders = program.instructions[..program.mapped_instructions()].iter().filter(|it| may_be_sender(it));
        senders.any(|sender| program.block_of(sender.pc).is_some_and(|block| !lookahead.is_reachable(id, block)))
    })
}

/// Counts the instructions of deployed code that may send ether, as somebody does who knows nothing but the bytes. The last two say how long
/// the metadata in front of them is.
fn sending_instructions(code: &[u8]) -> usize {
    let metadata = code.last_chunk::<2>().map_or(0, |length| usize::from(u16::from_be_bytes(*length)) + 2);
    let end = code.len().checked_sub(metadata).unwrap_or(code.len());
    disassemble(code).iter().filter(|instruction| (instruction.pc as usize) < end && may_be_sender(instruction)).count()
}

/// Whether an instruction may send ether, or lets other code do so.
fn may_be_sender(instruction: &Instruction) -> bool {
    matches!(
        instruction.opcode,
        opcode::CALL
            | opcode::CALLCODE
            | opcode::DELEGATECALL
            | opcode::SELFDESTRUCT
            | opcode::CREATE
            | opcode::CREATE2
    )
}

/// Whether it is the runtime code of a contract of the project's own.
fn is_own(build: &Build, program: &Program) -> bool {
    let contract = build.contract(program.contract);
    program.stage == Stage::Runtime
        && contract.kind == ContractKind::Contract
        && !build.source(contract.source).foreign
        && !contract.runtime.code.is_empty()
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
}
