//! A [`Draft`] is a world that is being tried out: instances are deployed and called in it, with plain words first and with others
//! where those fail.

use super::{
    action::Action, blueprint::Blueprint, companions::Companions, ground::World, plain::Plain, wanted_type::ANYTHING,
};
use crate::{
    code::{Programs, Stage},
    compile::{Build, ContractId},
    evm::{Executor, Outcome, Snapshot, Status},
    input::{CallId, Deployment, Dictionary, EnvStep, Field, Generator, InstanceId, Transaction, Type, Value},
};
use alloy_json_abi::Function as AbiFunction;
use alloy_primitives::U256;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{collections::BTreeSet, mem, sync::Arc};

/// How often the deployment of a companion is tried, each time with other words; chosen by hand.
const COMPANION_TRIES: usize = 24;
/// How often the deployment of the main instance is tried here; the fuzzers try on. Chosen by hand.
const MAIN_TRIES: usize = 64;
/// Gas that deployments may use for one plan; chosen by hand. A constructor that loops uses all of a creation's gas.
const MAX_GAS: u64 = 2_000_000_000;

/// A world that is being tried out.
pub(super) struct Draft<'a> {
    pub(super) companions: Companions,
    pub(super) world: World,
    pub(super) generator: Generator,
    pub(super) rng: ChaCha8Rng,
    executor: Executor,
    gas: u64,
    pub(super) build: &'a Build,
    pub(super) programs: &'a Arc<Programs>,
    pub(super) main: ContractId,
    /// The functions that deployments of the main instance that failed called on the stand-in for anything.
    pub(super) asked: Vec<AbiFunction>,
}

/// Calls that belong to a setup.
pub(super) struct Prepared {
    pub(super) calls: Vec<Transaction>,
    /// The state after them.
    pub(super) state: Snapshot,
}

impl<'a> Draft<'a> {
    /// A world of these companions, in which nothing is deployed.
    pub(super) fn new(companions: Companions, world: World, build: &'a Build, programs: &'a Arc<Programs>) -> Self {
        let main = companions.blueprints[0].contract().expect("the main instance is of a contract");
        let mut executor = Executor::new(programs.clone(), build.contract(main).evm_version);
        executor.prefer(main);
        executor.set_detailed(companions.stand_in_for_anything().is_some());
        let generator = generator(&companions, build, programs);
        let rng = ChaCha8Rng::seed_from_u64(1);
        Self { companions, world, generator, rng, executor, gas: 0, build, programs, main, asked: Vec::new() }
    }

    /// Makes calls as the companions are now.
    pub(super) fn renew_calls(&mut self) {
        self.generator = generator(&self.companions, self.build, self.programs);
    }

    /// A deployment of an instance that succeeds, and the state after it.
    pub(super) fn deploy(&mut self, id: InstanceId, state: &Snapshot) -> Option<(Deployment, Snapshot)> {
        let constructor = &self.generator.calls.instance(id).interface.constructor;
        let has_choice = !constructor.inputs.is_empty() || constructor.is_payable();
        let tries = if id == InstanceId::MAIN { MAIN_TRIES } else { COMPANION_TRIES };
        let is_proxy = matches!(self.companions.blueprints[usize::from(id.0)], Blueprint::Proxy { .. });
        for attempt in 0..if has_choice { tries } else { 1 } {
            if self.gas > MAX_GAS {
                return None;
            }
            let mut deployment =
                if attempt == 0 || is_proxy { self.first_deployment(id) } else { self.other_deployment(id) };
            if is_proxy {
                self.set_first_call(&mut deployment, attempt);
            }
            let (outcome, after) = self.act(Action::Deploy(&deployment), state);
            if outcome.status == Status::Success {
                return Some(self.with_owners(deployment, after, state));
            }
            if id == InstanceId::MAIN && self.asked.is_empty() {
                self.learn_asked();
            }
        }
        None
    }

    /// A deployment with the owner in place of contracts of which nothing is known, as far as it succeeds with that, and the state
    /// after it: whoever is to own something can be anybody, but not a contract that never calls.
    fn with_owners(&mut self, mut deployment: Deployment, after: Snapshot, state: &Snapshot) -> (Deployment, Snapshot) {
        let parameters = &self.generator.calls.instance(deployment.instance).interface.constructor.inputs;
        let is_anything = |ty: &Type| matches!(ty, Type::Contract { name, .. } if name == ANYTHING);
        let places: Vec<usize> = (0..parameters.len()).filter(|at| is_anything(&parameters[*at].ty)).collect();
        let mut found = after;
        for at in places {
            let given = mem::replace(&mut deployment.arguments[at], Value::Address(World::owner()));
            match self.act(Action::Deploy(&deployment), state) {
                (outcome, after) if outcome.status == Status::Success => found = after,
                _ => deployment.arguments[at] = given,
            }
        }
        (deployment, found)
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
        let mut plain = Plain { generator: &self.generator, own: instance.address, used: BTreeSet::new() };
        plain.replace_all(&mut transaction.arguments, &instance.interface.function(call.function).inputs);
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
    pub(super) fn first_deployment(&mut self, id: InstanceId) -> Deployment {
        let mut deployment = self.other_deployment(id);
        let instance = self.generator.calls.instance(id);
        let mut plain = Plain { generator: &self.generator, own: instance.address, used: BTreeSet::new() };
        plain.replace_all(&mut deployment.arguments, &instance.interface.constructor.inputs);
        deployment.value = U256::ZERO;
        deployment
    }
}

/// The source of calls in a world of these companions.
fn generator(companions: &Companions, build: &Build, programs: &Programs) -> Generator {
    let calls = companions.calls(build);
    let mut accounts = World::senders();
    let there = (0..).map(InstanceId).zip(calls.instances()).filter(|(id, _)| !calls.is_created(*id));
    accounts.extend(there.map(|(_, instance)| instance.address));
    let mut generator = Generator::new(Arc::new(calls), vec![World::owner()], accounts);
    let code = companions.blueprints.iter().flat_map(Blueprint::code);
    let stages = code.flat_map(|contract| [Stage::Creation, Stage::Runtime].map(|stage| programs.id(contract, stage)));
    generator.dictionary = Dictionary::from_words(stages.flat_map(|id| programs.get(id).constants().iter().copied()));
    generator
}
