//! A [`Plan`] is a world for a contract, and a setup that makes it. What the types of parameters ask for is tried out: companions
//! that cannot be deployed are replaced, an implementation that locks itself is put behind a proxy, and calls that make the
//! instances known to each other belong to the setup.
//!
//! The same build always gives the same plan: the words that are tried come from a generator with a fixed seed.

use super::{
    action::Action,
    blueprint::Blueprint,
    companions::{Choice, Companions},
    configured,
    draft::Draft,
    factories::{FACTORY, factories},
    ground::{World, WorldError},
    proxies::{is_made_for_a_proxy, proxies},
};
use crate::{
    code::Programs,
    compile::{Build, ContractId},
    input::{CallId, CallTable, FunctionId, InstanceId, Origin, Setup, SetupStep, Transaction},
    project::WorldConfig,
};
use alloy_json_abi::{Function as AbiFunction, JsonAbi};
use std::{collections::BTreeSet, sync::Arc};

/// How often more functions of the stand-in for anything are learned; chosen by hand.
const MAX_ASKED: usize = 4;
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

impl Plan {
    /// Plans a world for a contract, as far as a person says what it is made of.
    ///
    /// # Errors
    ///
    /// If a library that the contract is linked to cannot be deployed, or the world cannot be as it is configured.
    pub fn new(
        build: &Build,
        programs: &Arc<Programs>,
        main: ContractId,
        config: &WorldConfig,
    ) -> Result<Self, WorldError> {
        configured::check(build, main, config)?;
        let mut planner = Planner { build, programs, main, config, refused: BTreeSet::new() };
        let plain = planner.settled(Making::Deploy)?;
        // A constructor may keep its deployer, and call it later.
        if !plain.is_deployed || programs.contract_types(build).uses_deployer(build, main) {
            for factory in factories(build, programs, main) {
                let created = planner.settled(Making::Factory(factory))?;
                if created.is_deployed {
                    return created.plan;
                }
            }
        }
        if !plain.is_deployed {
            if takes_addresses(build, main)
                && let Some(found) = planner.among_anything()?
            {
                return found.plan;
            }
        } else if plain.is_locked || is_made_for_a_proxy(build, main) {
            for by in proxies(build, programs, main).into_iter().map(Some).chain([None]) {
                // What cannot be linked is no proxy of this contract.
                let Ok(proxied) = planner.settled(Making::Proxy(by)) else { continue };
                if proxied.is_deployed && !proxied.is_locked {
                    return proxied.plan;
                }
            }
        }
        plain.plan
    }
}

/// Tries out worlds for a contract.
struct Planner<'a> {
    build: &'a Build,
    programs: &'a Arc<Programs>,
    main: ContractId,
    config: &'a WorldConfig,
    /// Contracts that could not be deployed.
    refused: BTreeSet<ContractId>,
}

impl Planner<'_> {
    /// A world in which addresses of which nothing is known are contracts. What its constructor asks of them is learned from
    /// deployments that fail.
    fn among_anything(&mut self) -> Result<Option<Settled>, WorldError> {
        let mut asked = JsonAbi::new();
        for _ in 0..MAX_ASKED {
            let settled = self.settled(Making::Among(&asked))?;
            if settled.is_deployed {
                return Ok(Some(settled));
            }
            let before = asked.functions().count();
            for function in settled.asked {
                asked.functions.entry(function.name.clone()).or_insert_with(|| vec![function]);
            }
            if asked.functions().count() == before {
                break;
            }
        }
        Ok(None)
    }

    /// A world in which the main instance is made in one way. Companions that cannot be deployed are replaced.
    fn settled(&mut self, making: Making<'_>) -> Result<Settled, WorldError> {
        let Self { build, programs, main, config, .. } = *self;
        loop {
            let (factory, asked) = match making {
                Making::Factory(factory) => (Some(factory), None),
                Making::Among(asked) => (None, Some(asked)),
                Making::Deploy | Making::Proxy(_) => (None, None),
            };
            let choice = Choice { build, programs, refused: &self.refused, asked, configured: (main, config) };
            let mut companions = Companions::of(main, factory, choice);
            if let Making::Proxy(by) = making {
                companions.put_behind_proxy(main, by, choice);
            }
            let world = match World::new(build, programs, &companions.blueprints) {
                Ok(world) => world,
                Err(error) => {
                    let found = unlinkable(build, programs, main, &companions.blueprints);
                    if found.is_subset(&self.refused) {
                        return Err(error);
                    }
                    self.refused.extend(found);
                    continue;
                }
            };
            match Draft::new(companions, world, build, programs).settle(config) {
                Ok(settled) => return Ok(settled),
                Err(contract) => {
                    if let Some(error) = configured::refused(build, contract, config) {
                        return Err(error);
                    }
                    self.refused.insert(contract);
                }
            }
        }
    }
}

/// The companions of a contract that are linked to libraries that cannot be deployed.
fn unlinkable(
    build: &Build,
    programs: &Arc<Programs>,
    main: ContractId,
    blueprints: &[Blueprint],
) -> BTreeSet<ContractId> {
    let companions = blueprints.iter().flat_map(Blueprint::code).filter(|contract| *contract != main);
    let cannot = |contract: &ContractId| World::new(build, programs, &[Blueprint::Contract(*contract)]).is_err();
    companions.filter(cannot).collect()
}

/// How the main instance is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Making<'a> {
    /// It is deployed.
    Deploy,
    /// A proxy is deployed in its place: of this contract, or a plain one.
    Proxy(Option<ContractId>),
    /// An instance of this contract creates it.
    Factory(ContractId),
    /// It is deployed, with contracts for all addresses, on which these functions are called.
    Among(&'a JsonAbi),
}

/// Whether a constructor takes addresses that are no more than that.
fn takes_addresses(build: &Build, main: ContractId) -> bool {
    let constructor = build.contract(main).abi.constructor.as_ref();
    constructor.is_some_and(|constructor| constructor.inputs.iter().any(|input| input.ty.starts_with("address")))
}

/// A plan that was tried out.
struct Settled {
    /// The plan; an error if it cannot be as it is configured.
    plan: Result<Plan, WorldError>,
    /// Whether the main instance was made.
    is_deployed: bool,
    /// Whether it can be initialized by nobody.
    is_locked: bool,
    /// The functions that deployments that failed called on the stand-in for anything.
    asked: Vec<AbiFunction>,
}

impl Draft<'_> {
    /// Tries the world out. The error is a companion's contract that cannot be deployed.
    fn settle(mut self, config: &WorldConfig) -> Result<Settled, ContractId> {
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
        let configured = self.configured_calls(config, is_deployed.then_some(state));
        let plan = configured.map(|calls| {
            let configured_calls = calls.len();
            steps.extend(calls.into_iter().map(SetupStep::Call));
            let setup = Setup::new(steps).expect("the main instance is deployed once");
            let calls = Arc::unwrap_or_clone(self.generator.calls);
            Plan { world: self.world, calls, setup, configured_calls, blueprints: self.companions.blueprints }
        });
        Ok(Settled { plan, is_deployed, is_locked, asked: self.asked })
    }

    /// Whether another instance creates the main one.
    fn is_created(&self) -> bool {
        self.companions.blueprints[0] == Blueprint::Created(self.main)
    }

    /// Whether the main instance cannot be without this one: it is its factory, or the implementation behind it.
    fn is_needed_by_main(&self, id: InstanceId) -> bool {
        match self.companions.blueprints[0] {
            Blueprint::Proxy { implementation, .. } => implementation == id,
            Blueprint::Created(_) => id == FACTORY,
            Blueprint::Contract(_) | Blueprint::StandIn(_) => false,
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
