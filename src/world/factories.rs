//! Factories: contracts of the build that create the main instance, where it cannot be deployed by itself because its constructor
//! asks its deployer.

use super::{action::Action, draft::Draft};
use crate::{
    code::{Programs, Stage},
    compile::{Build, ContractId},
    evm::{Snapshot, Status},
    input::{CallId, InstanceId, Transaction},
};
use alloy_primitives::Address;

/// How often each function of a factory is tried, each time with other words; chosen by hand.
const TRIES: usize = 64;
/// Factories of one contract that are tried; chosen by hand.
const MAX_FACTORIES: usize = 3;

/// The place of the factory among the instances.
pub(super) const FACTORY: InstanceId = InstanceId(1);

/// The contracts that hold the creation code of a contract, those with the fewest functions first.
pub(super) fn factories(build: &Build, programs: &Programs, main: ContractId) -> Vec<ContractId> {
    let created = programs.first_like(programs.id(main, Stage::Creation));
    let holds = |id: &ContractId| {
        *id != main
            && build.contract(*id).is_deployable()
            && !build.source(build.contract(*id).source).is_test
            && programs.embedded(programs.id(*id, Stage::Runtime)).contains(&created)
    };
    let mut found: Vec<ContractId> = build.contract_ids().filter(holds).collect();
    found.sort_by_key(|id| {
        (build.source(build.contract(*id).source).foreign, build.contract(*id).abi.functions().count())
    });
    found.truncate(MAX_FACTORIES);
    found
}

impl Draft<'_> {
    /// A call of the factory that creates the main instance, and the state after it.
    pub(super) fn create_main(&mut self, state: &Snapshot) -> Option<(Transaction, Snapshot)> {
        let table = self.generator.calls.clone();
        let functions: Vec<CallId> =
            table.state_changing().iter().copied().filter(|call| call.target == FACTORY).collect();
        for attempt in 0..TRIES {
            for call in &functions {
                let transaction = match attempt {
                    0 => self.plain_call(*call),
                    _ => self.generator.transaction(&mut self.rng, *call),
                };
                let (outcome, after) = self.act(Action::Call(&transaction), state);
                if outcome.status != Status::Success || after.has_created_the_same(state) {
                    continue;
                }
                let is_main = |at: &Address| {
                    let programs = self.programs.recognise(&after.code(*at), Stage::Runtime);
                    programs.iter().any(|id| self.programs.get(*id).contract == self.main)
                };
                let created = after.created().find(is_main);
                if let Some(at) = created {
                    self.companions.created_at = Some(at);
                    self.renew_calls();
                    return Some((transaction, after));
                }
            }
        }
        None
    }
}
