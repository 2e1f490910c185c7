//! A [`Plan`] is a world for a contract, and a setup that makes it. A draft of the world is tried out: its instances are deployed,
//! and calls that make them known to each other belong to the setup.

use super::{
    action::Action,
    blueprint::Blueprint,
    draft::Draft,
    factories::FACTORY,
    ground::{World, WorldError},
};
use crate::{
    compile::ContractId,
    input::{CallId, CallTable, FunctionId, InstanceId, Origin, Setup, SetupStep, Transaction},
    project::WorldConfig,
};
use alloy_json_abi::Function as AbiFunction;
use alloy_primitives::Address;
use std::{collections::BTreeSet, sync::Arc};

/// Functions of which a stand-in's answers are set at the start; chosen by hand.
const MAX_ANSWERS: usize = 12;

/// A world for a contract.
#[derive(Debug)]
pub struct Plan {
    /// The accounts, and the code of the instances.
    pub world: World,
    /// The calls of the world.
    pub calls: CallTable,
    /// A setup that makes it, as far as one was found.
    pub setup: Setup,
    /// How many calls at the end of the setup a person asked for.
    pub configured_calls: usize,
    /// What each instance is made of.
    pub blueprints: Vec<Blueprint>,
}

/// A plan that was tried out.
pub(super) struct Settled {
    /// The plan; an error if it cannot be as it is configured.
    pub(super) plan: Result<Plan, WorldError>,
    /// The address of the main instance, where another instance creates it.
    pub(super) created_at: Option<Address>,
    /// Whether the main instance was made.
    pub(super) is_deployed: bool,
    /// Whether it can be initialized by nobody.
    pub(super) is_locked: bool,
    /// The functions that refuse a plain call, where the main instance may have to be behind a proxy for them.
    pub(super) refused: BTreeSet<[u8; 4]>,
    /// The functions that deployments that failed called on the stand-in for anything.
    pub(super) asked: Vec<AbiFunction>,
}

impl Draft<'_> {
    /// Tries the world out. The error is a companion's contract that cannot be deployed.
    pub(super) fn settle(mut self, config: &WorldConfig) -> Result<Settled, ContractId> {
        let mut state = self.world.genesis.clone();
        let (mut steps, mut is_deployed) = (Vec::new(), true);
        for id in self.companions.deployment_order() {
            match self.deploy(id, &state) {
                Some((deployment, after)) => {
                    steps.push(SetupStep::Deploy(deployment));
                    state = after;
                }
                None if id == InstanceId::MAIN => {
                    is_deployed = false;
                    steps.push(SetupStep::Deploy(self.first_deployment(id)));
                }
                None => match self.companions.blueprints[usize::from(id.0)] {
                    Blueprint::Contract(contract) if !self.is_needed_by_main(id) => return Err(contract),
                    _ => is_deployed = false,
                },
            }
            for answer in self.answers(id) {
                state = self.act(Action::Call(&answer), &state).1;
                steps.push(SetupStep::Call(answer));
            }
        }
        if is_deployed && self.is_created() {
            match self.create_main(&state) {
                Some((call, after)) => {
                    steps.push(SetupStep::Call(call));
                    state = after;
                }
                None => is_deployed = false,
            }
        }
        let mut is_locked = false;
        if is_deployed {
            let registered = self.register(state);
            steps.extend(registered.calls.into_iter().map(SetupStep::Call));
            let wiring = self.wire(registered.state);
            is_locked = wiring.is_locked && !steps.iter().any(|step| self.initializes(step));
            let funding = self.fund(wiring.state);
            steps.extend(wiring.calls.into_iter().chain(funding.calls).map(SetupStep::Call));
            state = funding.state;
        }
        let refused = if is_deployed { self.refused_functions(&state) } else { BTreeSet::new() };
        let created_at = self.companions.created_at;
        let configured = self.configured_calls(config, is_deployed.then_some(state));
        let plan = configured.map(|calls| {
            let configured_calls = calls.len();
            steps.extend(calls.into_iter().map(SetupStep::Call));
            let setup = Setup::new(steps).expect("the main instance is deployed once");
            let calls = Arc::unwrap_or_clone(self.generator.calls);
            Plan { world: self.world, calls, setup, configured_calls, blueprints: self.companions.blueprints }
        });
        Ok(Settled { plan, created_at, is_deployed, is_locked, refused, asked: self.asked })
    }

    /// Whether another instance creates the main one.
    fn is_created(&self) -> bool {
        self.companions.blueprints[0] == Blueprint::Created(self.main)
    }

    /// Whether the main instance cannot be without this one: it is its factory, or the implementation behind it.
    fn is_needed_by_main(&self, id: InstanceId) -> bool {
        match self.companions.blueprints[0] {
            Blueprint::Proxy { implementation, .. } | Blueprint::Delegator { implementation, .. } => {
                implementation == id
            }
            Blueprint::Created(_) => id == FACTORY,
            Blueprint::Contract(_) | Blueprint::StandIn(_) | Blueprint::SetUp(_) => false,
        }
    }

    /// What a stand-in answers at first.
    fn answers(&mut self, id: InstanceId) -> Vec<Transaction> {
        if self.generator.calls.instance(id).origin != Origin::StandIn {
            return Vec::new();
        }
        let functions = self.generator.calls.instance(id).interface.functions.len().min(MAX_ANSWERS);
        (0..functions as u16)
            .map(|function| self.plain_call(CallId { target: id, function: FunctionId(function) }))
            .collect()
    }
}
