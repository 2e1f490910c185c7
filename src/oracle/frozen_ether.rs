//! `frozen-ether`: a contract takes ether that nothing in its code can send on (SWC-132). That it takes ether is seen; that it sends none
//! is proven by its code, which has no instruction that could.

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
    code::{Program, Programs, Stage, sending_instructions},
    compile::{Build, ContractKind, Span},
    evm::{CallTarget, Status},
    project::Level,
    world::is_deployer,
};

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

    fn needs_on(&self, build: &Build, programs: &Programs) -> Needs {
        let senders = programs.ether_senders(build);
        let mut all = programs.iter();
        let keeps = all.any(|(id, program)| is_own(build, program) && !senders.contains(id));
        if keeps { self.needs() } else { Needs::default() }
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
        if is_own(build, program) && !execution.programs.ether_senders(build).contains(visit.program) {
            let contract = build.contract(program.contract);
            let text = contract.span.text(&build.source(contract.source).text);
            let head = text.find('{').map_or(text, |end| text[..end].trim_end());
            let span = Span { start: contract.span.start, end: contract.span.start + head.len() as u32 };
            violations.add(Place::of(build, contract.source, span), Cause::Other("ether is frozen"));
        }
    }

    fn weigh(&self, _: &Violation, _: &mut Trial<'_>) -> Option<Weight> {
        let because = "Anyone can pay ether in, and nothing in the contract's code sends any out: it makes no call with ether, delegates to \
                       nobody, and does not destroy itself.";
        Some(Weight::at_most(Level::Information, Grounds::Always(because)))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let CallTarget::Account(paid, _) = replay.call.target else { return Err("nobody is paid any more") };
        Ok(Evidence::Freezes(sending_instructions(&replay.after.code(paid))))
    }
}

/// Whether it is the runtime code of a contract of the project's own.
fn is_own(build: &Build, program: &Program) -> bool {
    let contract = build.contract(program.contract);
    program.stage == Stage::Runtime
        && contract.kind == ContractKind::Contract
        && !build.source(contract.source).foreign
        && !contract.runtime.code.is_empty()
}
