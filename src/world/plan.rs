//! A [`Plan`] is a world for a contract, and a setup that makes it. What the types of parameters ask for is tried out: companions
//! that cannot be deployed are replaced, an implementation that locks itself is put behind a proxy, and calls that make the
//! instances known to each other belong to the setup.
//!
//! The same build always gives the same plan: the words that are tried come from a generator with a fixed seed.

use super::{
    action::Action,
    blueprint::Blueprint,
    companions::{Choice, Companions},
    ground::{World, WorldError},
};
use crate::{
    code::{Programs, Stage},
    compile::{Build, ContractId},
    evm::{Executor, Outcome, Snapshot, Status},
    input::{
        BlockReads, CallId, CallTable, Deployment, Dictionary, EnvStep, Field, FunctionId, Generator, InstanceId,
        Origin, Setup, SetupStep, Transaction, Type, Value,
    },
};
use alloy_json_abi::{Function as AbiFunction, JsonAbi};
use alloy_primitives::{Address, U256};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{collections::BTreeSet, sync::Arc};

/// How often the deployment of a companion is tried, each time with other words; chosen by hand.
const COMPANION_TRIES: usize = 24;
/// How often the deployment of the main instance is tried here; the fuzzers try on. Chosen by hand.
const MAIN_TRIES: usize = 64;
/// How often each function of a factory is tried, each time with other words; chosen by hand.
const FACTORY_TRIES: usize = 64;
/// Factories of one contract that are tried; chosen by hand.
const MAX_FACTORIES: usize = 3;
/// How often more functions of the stand-in for anything are learned; chosen by hand.
const MAX_ASKED: usize = 4;
/// Functions of which a stand-in's answers are set at the start; chosen by hand.
const MAX_ANSWERS: usize = 12;
/// Gas that deployments may use for one plan; chosen by hand. A constructor that loops uses all of a creation's gas.
const MAX_GAS: u64 = 2_000_000_000;

/// A world for a contract.
#[derive(Debug)]
pub struct Plan {
    /// The accounts, and the code of the instances.
    pub world: World,
    /// The calls of the world.
    pub calls: CallTable,
    /// A setup that makes it, as far as one was found.
    pub setup: Setup,
    /// What each instance is made of.
    pub blueprints: Vec<Blueprint>,
}

impl Plan {
    /// Plans a world for a contract.
    ///
    /// # Errors
    ///
    /// If a library that the contract is linked to cannot be deployed.
    pub fn new(build: &Build, programs: &Arc<Programs>, main: ContractId) -> Result<Self, WorldError> {
        let mut refused = unlinkable(build, programs, main)?;
        let plain = Self::settled(build, programs, main, Making::Deploy, &mut refused)?;
        if !plain.is_deployed {
            for factory in factories(build, programs, main) {
                let created = Self::settled(build, programs, main, Making::Factory(factory), &mut refused)?;
                if created.is_deployed {
                    return Ok(created.plan);
                }
            }
            if takes_addresses(build, main)
                && let Some(found) = Self::among_anything(build, programs, main, &mut refused)?
            {
                return Ok(found);
            }
        } else if plain.is_locked {
            let proxied = Self::settled(build, programs, main, Making::Proxy, &mut refused)?;
            if !proxied.is_locked {
                return Ok(proxied.plan);
            }
        }
        Ok(plain.plan)
    }

    /// A plan in which addresses of which nothing is known are contracts. What its constructor asks of them is learned from
    /// deployments that fail.
    fn among_anything(
        build: &Build,
        programs: &Arc<Programs>,
        main: ContractId,
        refused: &mut BTreeSet<ContractId>,
    ) -> Result<Option<Self>, WorldError> {
        let mut asked = JsonAbi::new();
        for _ in 0..MAX_ASKED {
            let settled = Self::settled(build, programs, main, Making::Among(&asked), refused)?;
            if settled.is_deployed {
                return Ok(Some(settled.plan));
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

    fn settled(
        build: &Build,
        programs: &Arc<Programs>,
        main: ContractId,
        making: Making<'_>,
        refused: &mut BTreeSet<ContractId>,
    ) -> Result<Settled, WorldError> {
        loop {
            let (factory, asked) = match making {
                Making::Factory(factory) => (Some(factory), None),
                Making::Among(asked) => (None, Some(asked)),
                Making::Deploy | Making::Proxy => (None, None),
            };
            let choice = Choice { build, programs, refused, asked };
            let mut companions = Companions::of(main, factory, choice);
            if making == Making::Proxy {
                companions.put_behind_proxy(main, choice);
            }
            match Draft::of(companions, build, programs)?.settle() {
                Ok(settled) => return Ok(settled),
                Err(contract) => {
                    if factory == Some(contract) || !refused.insert(contract) {
                        return Self::settled(build, programs, main, Making::Deploy, refused);
                    }
                }
            }
        }
    }
}

/// The companions of a contract that are linked to libraries that cannot be deployed.
///
/// # Errors
///
/// If the contract itself is linked to one.
fn unlinkable(build: &Build, programs: &Arc<Programs>, main: ContractId) -> Result<BTreeSet<ContractId>, WorldError> {
    let mut refused = BTreeSet::new();
    World::new(build, programs, &[Blueprint::Contract(main)])?;
    loop {
        let companions = Companions::of(main, None, Choice { build, programs, refused: &refused, asked: None });
        let others = companions.blueprints[1..].iter().filter_map(Blueprint::contract);
        let cannot = |other: &ContractId| World::new(build, programs, &[Blueprint::Contract(*other)]).is_err();
        let found: Vec<ContractId> = others.filter(|other| *other != main).filter(cannot).collect();
        if found.is_empty() {
            return Ok(refused);
        }
        refused.extend(found);
    }
}

/// How the main instance is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Making<'a> {
    /// It is deployed.
    Deploy,
    /// A proxy is deployed in its place.
    Proxy,
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
    plan: Plan,
    /// Whether the main instance was made.
    is_deployed: bool,
    /// Whether it can be initialized by nobody.
    is_locked: bool,
    /// The functions that deployments that failed called on the stand-in for anything.
    asked: Vec<AbiFunction>,
}

/// The contracts that hold the creation code of a contract, those with the fewest functions first.
fn factories(build: &Build, programs: &Programs, main: ContractId) -> Vec<ContractId> {
    let created = programs.first_like(programs.id(main, Stage::Creation));
    let holds = |id: &ContractId| {
        *id != main
            && build.contract(*id).is_deployable()
            && programs.embedded(programs.id(*id, Stage::Runtime)).contains(&created)
    };
    let mut found: Vec<ContractId> = build.contract_ids().filter(holds).collect();
    found.sort_by_key(|id| {
        (build.source(build.contract(*id).source).foreign, build.contract(*id).abi.functions().count())
    });
    found.truncate(MAX_FACTORIES);
    found
}

/// A world that is being tried out.
pub(super) struct Draft<'a> {
    pub(super) companions: Companions,
    world: World,
    pub(super) generator: Generator,
    pub(super) rng: ChaCha8Rng,
    executor: Executor,
    gas: u64,
    pub(super) build: &'a Build,
    programs: &'a Arc<Programs>,
    main: ContractId,
    asked: Vec<AbiFunction>,
}

/// The source of calls in a world of these companions.
fn generator(companions: &Companions, build: &Build, programs: &Programs) -> Generator {
    let calls = CallTable::new(companions.instances(build), companions.fitting(), BlockReads::default());
    let mut accounts = World::senders();
    let there = (0..).map(InstanceId).zip(calls.instances()).filter(|(id, _)| !calls.is_created(*id));
    accounts.extend(there.map(|(_, instance)| instance.address));
    let mut generator = Generator::new(Arc::new(calls), vec![World::owner()], accounts);
    let code = companions.blueprints.iter().filter_map(Blueprint::contract);
    let stages = code.flat_map(|contract| [Stage::Creation, Stage::Runtime].map(|stage| programs.id(contract, stage)));
    generator.dictionary = Dictionary::from_words(stages.flat_map(|id| programs.get(id).constants()));
    generator
}

impl<'a> Draft<'a> {
    fn of(companions: Companions, build: &'a Build, programs: &'a Arc<Programs>) -> Result<Self, WorldError> {
        let world = World::new(build, programs, &companions.blueprints)?;
        let main = companions.blueprints[0].contract().expect("the main instance is of a contract");
        let mut executor = Executor::new(programs.clone(), build.contract(main).evm_version);
        executor.prefer(main);
        executor.set_detailed(companions.stand_in_for_anything().is_some());
        let generator = generator(&companions, build, programs);
        let rng = ChaCha8Rng::seed_from_u64(1);
        Ok(Self { companions, world, generator, rng, executor, gas: 0, build, programs, main, asked: Vec::new() })
    }

    /// Tries the world out. The error is a companion's contract that cannot be deployed.
    fn settle(mut self) -> Result<Settled, ContractId> {
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
                    Blueprint::Contract(contract) if !self.is_implementation(id) => return Err(contract),
                    _ => is_deployed = false,
                },
            }
            for answer in self.answers(id) {
                state = self.act(Action::Call(&answer), &state).1;
                steps.push(SetupStep::Call(answer));
            }
        }
        if self.companions.blueprints[0] == Blueprint::Created(self.main) {
            is_deployed = match self.create_main(&state) {
                Some((call, after)) => {
                    steps.push(SetupStep::Call(call));
                    state = after;
                    true
                }
                None => false,
            };
        }
        let mut is_locked = false;
        if is_deployed {
            let wiring = self.wire(state);
            is_locked = wiring.is_locked;
            let (funding, _) = self.fund(wiring.state);
            steps.extend(wiring.calls.into_iter().chain(funding).map(SetupStep::Call));
        }
        let setup = Setup::new(steps).expect("the main instance is deployed once");
        let calls = Arc::unwrap_or_clone(self.generator.calls);
        let plan = Plan { world: self.world, calls, setup, blueprints: self.companions.blueprints };
        Ok(Settled { plan, is_deployed, is_locked, asked: self.asked })
    }

    /// A call of the factory that creates the main instance, and the state after it.
    fn create_main(&mut self, state: &Snapshot) -> Option<(Transaction, Snapshot)> {
        let factory = InstanceId(1);
        let table = self.generator.calls.clone();
        let functions: Vec<CallId> =
            table.state_changing().iter().copied().filter(|call| call.target == factory).collect();
        for attempt in 0..FACTORY_TRIES {
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
                    self.generator = generator(&self.companions, self.build, self.programs);
                    return Some((transaction, after));
                }
            }
        }
        None
    }

    /// Whether the main instance is a proxy for this one.
    fn is_implementation(&self, id: InstanceId) -> bool {
        matches!(self.companions.blueprints[0], Blueprint::Proxy(implementation, _) if implementation == id)
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

    /// A deployment of an instance that succeeds, and the state after it.
    fn deploy(&mut self, id: InstanceId, state: &Snapshot) -> Option<(Deployment, Snapshot)> {
        let constructor = &self.generator.calls.instance(id).interface.constructor;
        let has_choice = !constructor.inputs.is_empty() || constructor.is_payable();
        let tries = if id == InstanceId::MAIN { MAIN_TRIES } else { COMPANION_TRIES };
        for attempt in 0..if has_choice { tries } else { 1 } {
            if self.gas > MAX_GAS {
                return None;
            }
            let deployment = if attempt == 0 { self.first_deployment(id) } else { self.other_deployment(id) };
            let (outcome, after) = self.act(Action::Deploy(&deployment), state);
            if outcome.status == Status::Success {
                return Some((deployment, after));
            }
            if id == InstanceId::MAIN && self.asked.is_empty() {
                self.learn_asked();
            }
        }
        None
    }

    /// Notes the functions that the last run called on the stand-in for anything.
    fn learn_asked(&mut self) {
        let Some(stand_in) = self.companions.stand_in_for_anything() else { return };
        let at = World::address(stand_in);
        let calls = self.executor.observation().calls.nodes().iter();
        for selector in calls.filter(|call| call.target == at).filter_map(|call| call.selector()) {
            let mut functions = self.build.contracts.iter().flat_map(|contract| contract.abi.functions());
            self.asked.extend(functions.find(|function| function.selector() == selector).cloned());
        }
    }

    /// A call in which each word is plain, zero, one, or drawn.
    pub(super) fn mixed_call(&mut self, call: CallId) -> Transaction {
        let mut transaction = self.plain_call(call);
        let function = self.generator.calls.function(call).clone();
        for (field, _) in transaction.words(&self.generator.calls.clone()) {
            let Field::Argument { index, position } = &field else { continue };
            let is_contract =
                function.inputs[usize::from(*index)].ty.contract_types().len() == 1 && position.path.is_empty();
            match self.rng.random_range(0..5_u32) {
                0 | 1 if !is_contract => drop(transaction.set_word(&function, &field, U256::ZERO)),
                2 if !is_contract => drop(transaction.set_word(&function, &field, U256::ONE)),
                3 => drop(self.generator.mutate_transaction(&mut self.rng, &mut transaction)),
                _ => {}
            }
        }
        transaction
    }

    /// A call with plain words.
    pub(super) fn plain_call(&mut self, call: CallId) -> Transaction {
        let mut transaction = self.generator.transaction(&mut self.rng, call);
        let instance = self.generator.calls.instance(call.target);
        let mut used = BTreeSet::new();
        let inputs = &instance.interface.function(call.function).inputs;
        for (argument, input) in transaction.arguments.iter_mut().zip(inputs) {
            plain(argument, &input.ty, &self.generator, &mut used, instance.address);
        }
        Transaction { value: U256::ZERO, env: EnvStep::default(), ..transaction }
    }

    pub(super) fn act(&mut self, action: Action<'_>, state: &Snapshot) -> (Outcome, Snapshot) {
        let (outcome, after) = self.world.act(&mut self.executor, &self.generator.calls, action, state);
        self.gas = self.gas.saturating_add(outcome.gas);
        (outcome, after)
    }

    fn other_deployment(&mut self, id: InstanceId) -> Deployment {
        Deployment { sender: World::owner(), ..self.generator.deployment_of(&mut self.rng, id) }
    }

    /// The deployment that a person would try first.
    fn first_deployment(&mut self, id: InstanceId) -> Deployment {
        let mut deployment = self.other_deployment(id);
        let instance = self.generator.calls.instance(id);
        let mut used = BTreeSet::new();
        let inputs = &instance.interface.constructor.inputs;
        for (argument, input) in deployment.arguments.iter_mut().zip(inputs) {
            plain(argument, &input.ty, &self.generator, &mut used, instance.address);
        }
        deployment.value = U256::ZERO;
        deployment
    }
}

/// Replaces the words of a value by plain ones: amounts of which there is enough, the deployer, and another instance for each
/// parameter of the same type.
fn plain(value: &mut Value, ty: &Type, generator: &Generator, used: &mut BTreeSet<Address>, own: Address) {
    match (value, ty) {
        (Value::Bool(bit), Type::Bool) => *bit = true,
        (Value::Uint(word, _), Type::Uint(8)) => *word = U256::from(18),
        (Value::Uint(word, _), Type::Uint(256)) => *word = U256::from(PLENTY),
        (Value::Uint(word, bits), Type::Uint(_)) => {
            *word = U256::from(PLAIN_NUMBER).min((U256::ONE << *bits) - U256::ONE)
        }
        (Value::Address(address), Type::Address) => *address = World::owner(),
        (Value::Address(address), Type::Contract { name, .. }) => {
            let fitting = generator.calls.fitting().get(name).map_or(&[][..], Vec::as_slice);
            let others = || fitting.iter().filter(|fits| **fits != own);
            let unused = others().find(|fits| !used.contains(*fits)).or_else(|| others().next());
            *address = unused.or(fitting.first()).copied().unwrap_or_else(World::owner);
            used.insert(*address);
        }
        (Value::String(text), Type::String) => *text = "Token".to_owned(),
        (Value::Array(items), Type::Array(inner)) => {
            items.truncate(2);
            items.iter_mut().for_each(|item| plain(item, inner, generator, used, own));
            // A list of accounts is one of different people.
            for (item, account) in items.iter_mut().zip(World::senders()).filter(|_| **inner == Type::Address) {
                *item = Value::Address(account);
            }
        }
        (Value::FixedArray(items), Type::FixedArray(inner, _)) => {
            items.iter_mut().for_each(|item| plain(item, inner, generator, used, own));
        }
        (Value::Tuple(items), Type::Tuple { fields, .. }) => {
            for (item, field) in items.iter_mut().zip(fields) {
                plain(item, &field.ty, generator, used, own);
            }
        }
        _ => {}
    }
}

/// An amount of tokens of which there is enough for everybody: a million with 18 decimals. Chosen by hand.
const PLENTY: u128 = 1_000_000_000_000_000_000_000_000;
/// A number for anything smaller; chosen by hand.
const PLAIN_NUMBER: u64 = 100;
