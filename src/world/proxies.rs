//! Proxies: contracts of the build that delegate everything to an implementation, the data that they call it with at first, and the
//! functions that work only behind one.

use super::{action::Action, blueprint::Blueprint, draft::Draft};
use crate::{
    code::{Programs, Stage},
    compile::{Build, ContractId},
    evm::{Snapshot, Status},
    input::{CallId, Deployment, Function, FunctionKind, InstanceId, SetupStep, Value},
};
use revm::bytecode::opcode;
use std::collections::BTreeSet;

/// Proxies of one build that are tried; chosen by hand.
const MAX_PROXIES: usize = 3;

/// Whether a contract is upgraded through its proxy (ERC-1822, "UUPS"), and so is meant to be behind one.
pub(super) fn is_made_for_a_proxy(build: &Build, contract: ContractId) -> bool {
    build.contract(contract).abi.function("proxiableUUID").is_some()
}

/// The contracts that delegate what they are called with to the address that their constructor takes: the project's own first.
pub(super) fn proxies(build: &Build, programs: &Programs, main: ContractId) -> Vec<ContractId> {
    let is_proxy = |id: &ContractId| {
        let contract = build.contract(*id);
        let inputs = contract.abi.constructor.as_ref().map_or(&[][..], |constructor| &constructor.inputs);
        let types: Vec<&str> = inputs.iter().map(|input| input.ty.as_str()).collect();
        *id != main
            && contract.is_deployable()
            && !build.source(contract.source).is_test
            && contract.abi.fallback.is_some()
            && matches!(types[..], ["address"] | ["address", "bytes"])
            && programs.get(programs.id(*id, Stage::Runtime)).has_opcode(opcode::DELEGATECALL)
    };
    let mut found: Vec<ContractId> = build.contract_ids().filter(is_proxy).collect();
    found.sort_by_key(|id| {
        let contract = build.contract(*id);
        (build.source(contract.source).foreign, contract.abi.functions().count(), *id)
    });
    found.truncate(MAX_PROXIES);
    found
}

impl Draft<'_> {
    /// Whether a step deploys the main instance as a proxy that calls its implementation at once.
    pub(super) fn initializes(&self, step: &SetupStep) -> bool {
        let is_proxy = matches!(self.companions.blueprints[0], Blueprint::Proxy { .. });
        let calls = |argument: &Value| matches!(argument, Value::Bytes(data) if !data.is_empty());
        match step {
            SetupStep::Deploy(main) if main.instance == InstanceId::MAIN && is_proxy => {
                main.arguments.iter().any(calls)
            }
            _ => false,
        }
    }

    /// The selectors of the functions that refuse a plain call of the main instance, where that tells whether it has to be behind a
    /// proxy: if it is, or if it knows its own address and keeps nothing, as a contract does that runs in the place of others.
    pub(super) fn refused_functions(&mut self, state: &Snapshot) -> BTreeSet<[u8; 4]> {
        let table = self.generator.calls.clone();
        let main = table.main();
        let keeps_nothing = || self.world.genesis.changes(state).iter().all(|(of, ..)| *of != main.address);
        let knows_itself = || state.code(main.address).windows(20).any(|bytes| bytes == main.address.as_slice());
        let may_tell = match self.companions.blueprints[0] {
            Blueprint::Proxy { .. } => true,
            Blueprint::Contract(_) => knows_itself() && keeps_nothing(),
            Blueprint::StandIn(_) | Blueprint::Delegator { .. } | Blueprint::Created(_) | Blueprint::SetUp(_) => false,
        };
        let functions = main.interface.functions.iter().filter(|function| function.kind == FunctionKind::Function);
        let refuses = |function: &&Function| {
            let call = self.plain_call(CallId { target: InstanceId::MAIN, function: function.id });
            self.act(Action::Call(&call), state).0.status != Status::Success
        };
        let refused: Vec<&Function> = functions.filter(|_| may_tell).filter(refuses).collect();
        refused.into_iter().filter_map(|function| function.selector).collect()
    }

    /// Sets what a proxy calls its implementation with when it is deployed: nothing at first, then initializers.
    pub(super) fn set_first_call(&mut self, deployment: &mut Deployment, attempt: usize) {
        let table = self.generator.calls.clone();
        let functions = &table.main().interface.functions;
        let call = |function: &Function| CallId { target: InstanceId::MAIN, function: function.id };
        let initializers: Vec<CallId> = functions.iter().map(call).filter(|call| self.is_initializer(*call)).collect();
        for argument in &mut deployment.arguments {
            if let Value::Bytes(data) = argument {
                *data = match attempt.checked_sub(1) {
                    Some(nth) if !initializers.is_empty() => {
                        let initializer = initializers[nth % initializers.len()];
                        let call = if nth < initializers.len() {
                            self.plain_call(initializer)
                        } else {
                            self.mixed_call(initializer)
                        };
                        call.calldata(&table)
                    }
                    _ => Vec::new(),
                };
            }
        }
    }
}
