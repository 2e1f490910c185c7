//! `layout-collision`: code that a proxy runs in its own place writes a variable where the proxy keeps another one (SWC-124). It is seen
//! when a DELEGATECALL does so. It does not know which implementations a proxy is meant for: if another contract declares the proxy's
//! variable too, it is meant for that one, and nothing is claimed.

use super::{
    evidence::{Evidence, Getter, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::Trial,
    violation::{Cause, Place, PlaceKind, Violation},
    violations::Violations,
    weight::Weight,
};
use crate::{
    code::{Derivation, Layout, Programs, Stage},
    compile::{Build, ContractId, SourceRange},
    evm::{FailureKind, Instruments},
    input::InstanceId,
    project::Level,
};
use alloy_primitives::{Address, U256};
use revm::bytecode::opcode;
use std::{collections::BTreeSet, sync::Arc};

/// Slots of a proxy that are looked at; chosen by hand. A proxy has a few variables.
const MAX_SLOTS: usize = 64;

const META: OracleMeta = oracle_meta! {
    id: "layout-collision",
    title: "A proxy's variable is written as another one",
    swc: "124",
    level: Level::Error,
    description: "An implementation writes a variable of its own where its proxy keeps another one",
};

#[derive(Debug)]
pub(super) struct LayoutCollision;

impl Oracle for LayoutCollision {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn needs_on(&self, build: &Build, programs: &Programs) -> Needs {
        let proxies = build.contract_ids().filter(|id| is_proxy(build, programs, *id));
        let layouts = proxies.filter_map(|id| programs.layout(build, id));
        let delegated_writes = layouts.flat_map(|layout| layout.slots(MAX_SLOTS)).collect::<BTreeSet<U256>>();
        Needs { instruments: Instruments { delegated_writes, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        let failures = execution.observation().failures.iter().enumerate();
        for (index, failure) in failures {
            let FailureKind::DelegatedWrite { account, slot, derivation } = failure.kind else { continue };
            let before = execution.before().slot(account, slot);
            let now = execution.slot_after(account, slot);
            let code = execution.programs.get(failure.program).contract;
            if let Some((own, written)) = collision(execution, account, code, (slot, derivation, before ^ now)) {
                let is_foreign = execution.build.source(own.0).foreign;
                let (source, span) = if is_foreign { written } else { own };
                let place = Place { source, span, kind: PlaceKind::Span };
                violations.add_failure(index, place, Cause::Collision(own, written));
            }
        }
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let Cause::Collision(own, _) = violation.cause else { return None };
        let (build, programs) = (&trial.harness().build, &trial.harness().programs);
        let of = |id: ContractId| programs.layout(build, id);
        let declares = |layout: &Arc<Layout>| layout.fields.iter().any(|field| field.declaration == Some(own));
        let proxies = build.contract_ids().filter(|id| is_proxy(build, programs, *id)).filter_map(of);
        let variable = proxies
            .filter(declares)
            .find_map(|layout| layout.fields.iter().find(|field| field.declaration == Some(own)).cloned())?;
        let is_meant = |id: ContractId| {
            let is_other = build.contract(id).is_deployable() && !is_proxy(build, programs, id);
            is_other && of(id).is_some_and(|layout| layout.fields.iter().any(|field| field.is_same(&variable)))
        };
        let because = "A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's \
                       variables in slots of ERC-1967, or declare them first in both.";
        (!build.contract_ids().any(is_meant)).then(|| Weight::always(because))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let (build, calls) = (&replay.harness.build, &replay.harness.calls);
        let Cause::Collision(own, written) = violation.cause else { return Err("nothing is overwritten any more") };
        let slots = replay.failures.iter().filter_map(|failure| match failure.kind {
            FailureKind::DelegatedWrite { account, slot, .. } => Some((account, calls.at(account)?, slot)),
            _ => None,
        });
        let slots: Vec<(Address, InstanceId, U256)> = slots.collect();
        let proxies: BTreeSet<InstanceId> = slots.iter().map(|(_, proxy, _)| *proxy).collect();
        let [own, written] = [own, written].map(|(source, span)| build.source(source).ast.declared(span));
        let getters = own.into_iter().flat_map(|(name, _)| {
            let of = |proxy| Getter::candidates(replay, proxy, name, written.map(|(name, _)| name));
            proxies.iter().copied().flat_map(of).collect::<Vec<_>>()
        });
        let mut shows = getters.into_iter().filter(|getter| replay.alters(getter)).map(Evidence::Alters);
        let mut shared = slots.iter().filter(|(account, _, slot)| replay.own_slots.contains(&(*account, *slot)));
        let shares = || shared.next().map(|(_, proxy, slot)| Evidence::Shares(*proxy, *slot));
        shows.next().or_else(shares).ok_or(
            "no function of the proxy returns its variable, and none of the calls reads or writes it, so that a test of the slot would stay \
             red once the proxy keeps its variable elsewhere",
        )
    }
}

/// Whether a contract runs other code in its own place: for all that it does not know, or that whose address its constructor takes, or
/// that of a contract that it creates itself.
fn is_proxy(build: &Build, programs: &Programs, id: ContractId) -> bool {
    let contract = build.contract(id);
    let takes_code = contract.abi.constructor.as_ref().is_some_and(|it| it.inputs.iter().any(|it| it.ty == "address"));
    let makes_code = || {
        let made = programs.embedded(programs.id(id, Stage::Creation)).iter();
        made.map(|made| programs.get(*made)).any(|program| program.stage == Stage::Creation && program.contract != id)
    };
    (contract.abi.fallback.is_some() || takes_code || makes_code())
        && contract.is_deployable()
        && programs.get(programs.id(id, Stage::Runtime)).has_opcode(opcode::DELEGATECALL)
}

/// The declarations of the variable of an account and of the other one that code keeps in these bytes of a slot.
fn collision(
    execution: &Execution<'_>,
    account: Address,
    code: ContractId,
    (slot, derivation, bytes): (U256, Option<Derivation>, U256),
) -> Option<(SourceRange, SourceRange)> {
    let (build, programs) = (execution.build, execution.programs);
    let of_account = programs.recognise(&execution.before().code(account), Stage::Runtime);
    let proxy = of_account.first().map(|id| programs.get(*id).contract)?;
    if bytes.is_zero() || proxy == code || !is_proxy(build, programs, proxy) {
        return None;
    }
    let (own, other) = (programs.layout(build, proxy)?, programs.layout(build, code)?);
    if let Some(derivation) = derivation {
        return own.derived_collision(&other, slot, &derivation, bytes);
    }
    let (own, written) = own.collision(&other, slot, bytes)?;
    Some((own.declaration?, written.declaration?))
}
