//! A [`Harness`] is the subject of a session: one contract of a build, with everything needed to run sequences on it:
//! programs, world and call table. It runs the sequences given to it, from the start or from a snapshot, and chooses
//! nothing.

mod checkpoints;
mod members;
mod step;

pub use checkpoints::Checkpoints;
pub use members::Member;
pub use step::Step;

pub use crate::world::Action;
use crate::{
    code::{ProgramId, Programs, Stage},
    compile::{Build, Contract, ContractId, NodeKind, Span},
    evm::{Call, Executor, Moment, Outcome, Snapshot, Status},
    input::{
        BlockReads, CallId, CallRules, CallTable, FunctionKind, InstanceId, Interface, Origin, Property, PropertyKind,
        Sequence, Setup,
    },
    project::{Config, PropertyConfig, TestMode, WorldConfig},
    world::{
        Blueprint, INITIAL_BALANCE, Plan, Plans, World, WorldError,
        foundry::{SetUpWorld, is_suite},
        minimal_proxy_of,
    },
};
use alloy_primitives::{Address, Bytes};
use revm::bytecode::opcode;
use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

/// A contract, ready to be deployed and called.
#[derive(Debug)]
pub struct Harness {
    /// The build that it belongs to.
    pub build: Arc<Build>,
    /// All code of the build.
    pub programs: Arc<Programs>,
    /// The contract.
    pub contract: ContractId,
    /// The accounts around it.
    pub world: World,
    /// The functions that can be called.
    pub calls: Arc<CallTable>,
    /// A setup that makes this world, as far as one was found: every other setup is a variation of it.
    pub setup: Setup,
    /// How many calls at the end of it a person asked for: they belong to every variation as they are.
    pub configured_calls: usize,
    /// The origin of each instance.
    blueprints: Vec<Blueprint>,
    code: BTreeSet<ProgramId>,
    /// Whether some of the code asks who sent the transaction.
    reads_origin: bool,
    kind: HarnessKind,
    /// The test contract whose `setUp()` makes the world, where the contract itself is none.
    suite: Option<ContractId>,
}

/// What a session is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HarnessKind {
    /// A contract in a world that was made for it.
    Contract,
    /// A test contract of Foundry, in the world that its `setUp()` makes.
    Test,
    /// A contract with properties of its own, as Echidna and Medusa read them.
    Properties,
}

impl HarnessKind {
    /// What a session of a contract is about.
    pub fn of(build: &Build, contract: ContractId) -> Self {
        let functions = &build.contract(contract).abi.functions;
        if is_suite(build, contract) {
            Self::Test
        } else if functions.keys().any(|name| is_name_of_property(build, name)) {
            Self::Properties
        } else {
            Self::Contract
        }
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Test => "test",
            Self::Properties => "properties",
        }
    }
}

/// The identity of a fuzzed contract in one of its worlds over builds and days, as long as it keeps its name and its file. Sessions,
/// files on disk and findings are looked up by it. Of the worlds of one contract, its own one comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The name of its source.
    pub file: String,
    /// Its name.
    pub name: String,
    /// The source and the name of the test contract whose `setUp()` makes the world; none for the contract's own world.
    pub suite: Option<(String, String)>,
}

impl Harness {
    /// Prepares the contract.
    ///
    /// # Errors
    ///
    /// If a library that it is linked to cannot be deployed.
    pub fn new(build: Arc<Build>, programs: Arc<Programs>, contract: ContractId) -> Result<Self, WorldError> {
        Self::with_config(build, programs, contract, &Config::default())
    }

    /// Prepares the contract, in the world that a configuration asks for.
    ///
    /// # Errors
    ///
    /// If a library that it is linked to cannot be deployed, or its world cannot be as it is configured.
    pub fn with_config(
        build: Arc<Build>,
        programs: Arc<Programs>,
        contract: ContractId,
        config: &Config,
    ) -> Result<Self, WorldError> {
        Self::planned_by(&Plans::default(), build, programs, contract, config)
    }

    /// Prepares the contract, in the world that a configuration asks for and that was planned for it before, as far as it still is
    /// what it was.
    ///
    /// # Errors
    ///
    /// If a library that it is linked to cannot be deployed, or its world cannot be as it is configured.
    pub fn planned_by(
        plans: &Plans,
        build: Arc<Build>,
        programs: Arc<Programs>,
        contract: ContractId,
        config: &Config,
    ) -> Result<Self, WorldError> {
        let unchanged = WorldConfig::default();
        let wanted = config.world.get(&build.contract(contract).name).unwrap_or(&unchanged);
        let Plan { world, calls, setup, configured_calls, blueprints } =
            plans.plan(&build, &programs, contract, wanted)?;
        let contracts: Vec<ContractId> = blueprints.iter().flat_map(Blueprint::code).collect();
        let code = code_of(&build, &programs, &contracts);
        let kind = HarnessKind::of(&build, contract);
        let config = build.properties.of_contract(build.contract(contract).abi.functions.keys());
        let (world, setup, calls) = match config.filter(|_| kind == HarnessKind::Properties) {
            Some(config) => (funded(world, config), deployed_by(setup, config), with_properties(calls, config)),
            None if world.has_cheatcodes() => (world, setup, calls),
            None => {
                let all_contracts = kind != HarnessKind::Properties;
                (world, setup, with_properties(calls, &PropertyConfig { all_contracts, ..PropertyConfig::default() }))
            }
        };
        let calls = Arc::new(calls.with_block_reads(block_reads(&programs, &code)));
        let reads_origin = reads(&programs, &code, opcode::ORIGIN);
        Ok(Self {
            build,
            programs,
            contract,
            blueprints,
            world,
            calls,
            setup,
            configured_calls,
            code,
            reads_origin,
            kind,
            suite: None,
        })
    }

    /// The same world with one of the contracts that are made in it as the subject: that of a test contract, as its `setUp()` makes it.
    /// `None` if the contract is not made there.
    pub fn made_in(suite: &Self, contract: ContractId) -> Option<Self> {
        let Self { build, programs, world, calls, setup, blueprints, .. } = suite;
        let set_up = SetUpWorld { world, calls, setup, blueprints };
        let Plan { world, calls, setup, configured_calls, blueprints } = set_up.with_main(contract, build, programs)?;
        // Words of the tests are no words of the contracts, and neither are lines of tests to be reached.
        let called = calls.calls().iter().map(|call| usize::from(call.target.0));
        let called: BTreeSet<usize> = called.chain([usize::from(InstanceId::MAIN.0)]).collect();
        let contracts: Vec<ContractId> = called.into_iter().flat_map(|at| blueprints[at].code()).collect();
        let code = code_of(build, programs, &contracts);
        let block_reads = block_reads(programs, &code);
        let reads_origin = reads(programs, &code, opcode::ORIGIN);
        Some(Self {
            build: build.clone(),
            programs: programs.clone(),
            contract,
            world,
            calls: Arc::new(calls.with_block_reads(block_reads)),
            setup,
            configured_calls,
            blueprints,
            code,
            reads_origin,
            kind: HarnessKind::Contract,
            suite: Some(suite.contract),
        })
    }

    /// The test contract whose `setUp()` makes the world of a contract that is none itself.
    pub fn suite(&self) -> Option<&Arc<Contract>> {
        self.suite.map(|suite| self.build.contract(suite))
    }

    /// Whether there is one setup and no variation of it: a person wrote it.
    pub fn has_fixed_setup(&self) -> bool {
        self.world.has_cheatcodes()
    }

    /// Whether some of its code asks who sent the transaction (`tx.origin`).
    pub fn reads_origin(&self) -> bool {
        self.reads_origin
    }

    /// What the session is about.
    pub fn kind(&self) -> HarnessKind {
        self.kind
    }

    /// Who makes the calls: whom people name, or everybody.
    pub fn senders(&self) -> Vec<Address> {
        let said = &self.calls.rules().senders;
        if said.is_empty() { World::senders() } else { said.clone() }
    }

    /// Its identity over builds.
    pub fn key(&self) -> Key {
        let qualified = |contract| {
            let (file, name) = self.build.qualified_name(contract);
            (file.to_owned(), name.to_owned())
        };
        let (file, name) = qualified(self.contract);
        Key { file, name, suite: self.suite.map(qualified) }
    }

    /// The functions of the main instance.
    pub fn interface(&self) -> &Arc<Interface> {
        &self.calls.main().interface
    }

    /// The compiled contract.
    pub fn compiled(&self) -> &Arc<Contract> {
        self.build.contract(self.contract)
    }

    /// The contract of an instance; none for a stand-in.
    pub fn contract_of(&self, instance: InstanceId) -> Option<ContractId> {
        self.blueprints[usize::from(instance.0)].contract()
    }

    /// The contract whose creation code deploys an instance; none if that is not of the build.
    pub fn deployed_contract(&self, instance: InstanceId) -> Option<ContractId> {
        self.blueprints[usize::from(instance.0)].deployed()
    }

    /// The contracts of the instances that the `setUp()` of a test contract makes.
    pub fn members_made_by_setup(&self) -> impl Iterator<Item = ContractId> {
        self.blueprints.iter().filter_map(|blueprint| match blueprint {
            Blueprint::SetUp(contract) => Some(*contract),
            _ => None,
        })
    }

    /// Whether a contract of another build runs the same code as this one.
    pub fn runs_code_of(&self, other: ContractId, programs: &Programs) -> bool {
        [Stage::Creation, Stage::Runtime].iter().all(|stage| {
            let id = self.programs.id(self.contract, *stage);
            id == programs.id(other, *stage) && self.programs.agree_on(programs, id)
        })
    }

    /// The instances of its world, the main one first.
    pub fn members(&self) -> Vec<Member> {
        (0..self.calls.instances().len() as u16).map(|id| self.member(InstanceId(id))).collect()
    }

    /// The world in one line: `Pool(stakeToken_ = token, feed_ = a stand-in for IPriceFeed)`.
    pub fn told_world(&self) -> String {
        let main = self.member(InstanceId::MAIN);
        match self.suite() {
            Some(suite) => format!("{}, in the world that setUp() of {} makes", main.contract, suite.name),
            None => members::told(&self.calls, &main),
        }
    }

    fn member(&self, id: InstanceId) -> Member {
        let deployed = self.deployed_contract(id).map(|contract| self.build.contract(contract).name.as_str());
        members::member(&self.calls, &self.setup, id, deployed)
    }

    /// The instance that stands for created contracts with this code; none if the world expects none of it.
    pub fn created_kind(&self, code: &Bytes) -> Option<InstanceId> {
        let contracts: Vec<ContractId> = match minimal_proxy_of(code) {
            Some(implementation) => {
                self.calls.at(implementation).and_then(|id| self.contract_of(id)).into_iter().collect()
            }
            None => {
                self.programs.recognise(code, Stage::Runtime).iter().map(|id| self.programs.get(*id).contract).collect()
            }
        };
        let kinds = (0..).map(InstanceId).zip(&self.blueprints);
        kinds.into_iter().find_map(|(id, blueprint)| match blueprint {
            Blueprint::Created(contract) if contracts.contains(contract) => Some(id),
            _ => None,
        })
    }

    /// The programs that sequences on it may run: its own, those of other instances, those of linked libraries, and those
    /// of contracts whose code any of them contains. Of programs with the same code, the first is taken, or its own.
    pub fn code(&self) -> &BTreeSet<ProgramId> {
        &self.code
    }

    /// Whether every run has exactly the same effect on both: the same code in the same world, by the same rules, under the
    /// same ids. Source positions and names may differ.
    pub fn runs_the_same(&self, other: &Self) -> bool {
        self.compiled().evm_version == other.compiled().evm_version
            && self.world.creations == other.world.creations
            && self.world.genesis == other.world.genesis
            && self.setup == other.setup
            && self.suite.is_some() == other.suite.is_some()
            && self.calls.takes_the_same(&other.calls)
            && self.runs_code_of(other.contract, &other.programs)
            && other.code.iter().all(|id| self.programs.agree_on(&other.programs, *id))
    }

    /// An executor with the rules of the EVM version that the contract was compiled for.
    pub fn executor(&self) -> Executor {
        let mut executor = self.world.executor(&self.programs);
        executor.prefer(self.contract);
        executor
    }

    /// The call of an action, on a state at `now`.
    pub fn call(&self, action: Action<'_>, now: Moment) -> Call {
        self.world.call(&self.calls, action, now)
    }

    /// Runs a setup on the world's first state and passes every step to `each`. Returns the result of the last step, and
    /// the state after the setup, or none if a deployment failed. A call that fails changes nothing but the time. The
    /// executor holds the observation of the last step.
    pub fn set_up(
        &self,
        executor: &mut Executor,
        setup: &Setup,
        each: impl FnMut(&Step<'_>),
    ) -> (Outcome, Option<Snapshot>) {
        self.set_up_from(executor, setup, &mut Checkpoints::default(), each)
    }

    /// Like [`set_up`](Self::set_up), without the steps that it has in common with the first setup that was run with these
    /// checkpoints.
    pub fn set_up_from(
        &self,
        executor: &mut Executor,
        setup: &Setup,
        checkpoints: &mut Checkpoints,
        mut each: impl FnMut(&Step<'_>),
    ) -> (Outcome, Option<Snapshot>) {
        let actions: Vec<Action<'_>> = setup.steps().iter().map(Action::of).collect();
        let (common, before) = checkpoints.resume(&self.world.genesis, &actions);
        let is_first = checkpoints.is_empty();
        let mut last = None;
        let ended = self.act_in_turn(executor, before, &actions[common..], |step| {
            each(step);
            last = Some(step.outcome.clone());
            if is_first {
                checkpoints.push(step);
            }
            ControlFlow::Continue(())
        });
        let state = ended.continue_value().flatten().filter(|state| self.has_main_instance(state));
        (last.expect("a setup deploys the main instance"), state)
    }

    /// The state after a setup, which is run only if it is not known from the last run with these checkpoints; none if a deployment
    /// failed.
    pub fn state_after(
        &self,
        executor: &mut Executor,
        setup: &Setup,
        checkpoints: &mut Checkpoints,
    ) -> Option<Snapshot> {
        match checkpoints.state_after(setup) {
            Some(state) => Some(state).filter(|state| self.has_main_instance(state)),
            None => {
                *checkpoints = Checkpoints::default();
                self.set_up_from(executor, setup, checkpoints, |_| ()).1
            }
        }
    }

    /// Whether the main instance is there after a setup that may or may not create it.
    fn has_main_instance(&self, state: &Snapshot) -> bool {
        let main = self.calls.main();
        let is_made = matches!(main.origin, Origin::Created | Origin::SetUp);
        !is_made || state.has_code(main.address)
    }

    /// Runs actions in turn on a state, for as long as `each` continues. Returns the state after all of them, or none if a
    /// deployment failed.
    fn act_in_turn(
        &self,
        executor: &mut Executor,
        mut state: Snapshot,
        actions: &[Action<'_>],
        mut each: impl FnMut(&Step<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Snapshot>> {
        for (action, left) in actions.iter().copied().zip((0..actions.len()).rev()) {
            let (outcome, after) = self.world.act(executor, &self.calls, action, &state);
            each(&Step { action, outcome: &outcome, before: &state, after: &after, executor, left })?;
            if outcome.status != Status::Success && matches!(action, Action::Deploy(_)) {
                return ControlFlow::Continue(None);
            }
            state = after;
        }
        ControlFlow::Continue(Some(state))
    }

    /// Runs a whole sequence from the start and passes every step to `each`. A transaction that fails changes nothing but
    /// the time. Ends early if the contract cannot be deployed.
    pub fn run(&self, executor: &mut Executor, sequence: &Sequence, mut each: impl FnMut(&Step<'_>)) {
        let _ = self.run_while(executor, sequence, &mut Checkpoints::default(), |step| {
            each(step);
            ControlFlow::Continue(())
        });
    }

    /// Like [`run`](Self::run), for as long as `each` continues, and without the steps that the sequence has in common with the
    /// last one that was run with these checkpoints. Returns whether it was broken off.
    pub fn run_while(
        &self,
        executor: &mut Executor,
        sequence: &Sequence,
        checkpoints: &mut Checkpoints,
        mut each: impl FnMut(&Step<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let setup = sequence.setup.steps().iter().map(Action::of);
        let actions: Vec<Action<'_>> = setup.chain(sequence.transactions.iter().map(Action::Call)).collect();
        let (common, before) = checkpoints.resume(&self.world.genesis, &actions);
        checkpoints.truncate(common);
        self.act_in_turn(executor, before, &actions[common..], |step| {
            each(step)?;
            checkpoints.push(step);
            ControlFlow::Continue(())
        })
        .map_continue(drop)
    }

    /// The definition of a function: its source and span, as far as the syntax tree shows them.
    pub fn definition(&self, call: CallId) -> Option<(crate::compile::SourceId, Span)> {
        let function = self.calls.function(call);
        let is_it = |node: &crate::compile::Node| match function.kind {
            FunctionKind::Function => node.selector.is_some() && node.selector == function.selector,
            _ => node.kind == NodeKind::Function && node.name == function.name,
        };
        let own = self.build.contract(self.contract_of(call.target)?);
        let inside = |span: Span| own.span.contains(span);
        let nodes = &self.build.source(own.source).ast.nodes;
        if let Some(node) = nodes.iter().find(|node| inside(node.span) && is_it(node)) {
            return Some((own.source, node.span));
        }
        let definitions = self.programs.definitions(&self.build);
        let elsewhere = match (function.kind, function.selector) {
            (FunctionKind::Function, Some(selector)) => definitions.with_selector(selector),
            (FunctionKind::Function, None) => &[],
            _ => definitions.with_name(&function.name),
        };
        elsewhere.iter().find(|(source, _)| *source != own.source).copied()
    }
}

/// Whether a function of this name is meant to be a property of a contract.
fn is_name_of_property(build: &Build, name: &str) -> bool {
    let configs = [&build.properties.echidna, &build.properties.medusa];
    let mut prefixes = configs.into_iter().flatten().flat_map(|config| &config.prefixes);
    PropertyKind::is_name_of_property(name) || prefixes.any(|prefix| !prefix.is_empty() && name.starts_with(prefix))
}

/// The world, in which those who call have ether.
fn funded(mut world: World, config: &PropertyConfig) -> World {
    for sender in config.senders.iter().chain(&config.deployer) {
        world.genesis = world.genesis.with_balance(*sender, INITIAL_BALANCE);
    }
    world
}

/// The setup, in which the main instance is deployed by whom the configuration names.
fn deployed_by(mut setup: Setup, config: &PropertyConfig) -> Setup {
    if let Some(deployer) = config.deployer {
        let main = setup.deployments_mut().find(|deployment| deployment.instance == InstanceId::MAIN);
        main.into_iter().for_each(|main| main.sender = deployer);
    }
    setup
}

/// The calls of a world, in which some functions of the main instance state something. What it creates it calls itself, within the limits
/// that it sets, unless the configuration says that everybody does.
fn with_properties(calls: CallTable, config: &PropertyConfig) -> CallTable {
    let functions = calls.main().interface.functions.iter();
    let property = |function: &crate::input::Function| {
        Some(Property { call: CallId::main(function.id), kind: PropertyKind::of_contract(function, &config.prefixes)? })
    };
    let is_tested = |property: &Property| match config.mode {
        TestMode::Properties => true,
        TestMode::Optimization => property.kind == PropertyKind::Maximised,
        TestMode::Assertions => false,
    };
    let properties: Vec<Property> = functions.filter_map(property).filter(is_tested).collect();
    let is_allowed = |call: &CallId| {
        let (instance, function) = (calls.instance(call.target), calls.function(*call));
        config.functions.calls(&instance.contract, &function.signature)
            && (config.all_contracts || !calls.is_created(call.target))
    };
    let is_filtered = calls.calls().iter().any(|call| !is_allowed(call));
    if properties.is_empty() && !is_filtered {
        return calls;
    }
    let allowed = is_filtered.then(|| calls.calls().iter().copied().filter(is_allowed).collect());
    let rules = CallRules {
        properties,
        allowed,
        caller: config.property_sender,
        senders: config.senders.clone(),
        max_delay: config.max_delay,
        max_value: config.max_value,
        max_calls: config.max_calls,
        ..CallRules::default()
    };
    calls.with_rules(rules)
}

/// The programs that sequences in a world of these contracts may run; see [`Harness::code`].
fn code_of(build: &Build, programs: &Programs, contracts: &[ContractId]) -> BTreeSet<ProgramId> {
    let stages = |contract: &ContractId| [Stage::Creation, Stage::Runtime].map(|stage| programs.id(*contract, stage));
    let mut open: Vec<ProgramId> = contracts.iter().flat_map(stages).collect();
    let mut seen: BTreeSet<ProgramId> = open.iter().map(|id| programs.first_like(*id)).collect();
    let mut found: BTreeSet<ProgramId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let program = programs.get(id);
        let compiled = build.contract(program.contract);
        let links = if program.stage == Stage::Creation { &compiled.creation.links } else { &compiled.runtime.links };
        let libraries = links.iter().filter_map(|link| build.find_contract(&link.file, &link.library));
        let libraries = libraries.map(|library| programs.id(library, Stage::Runtime));
        for next in libraries.chain(programs.embedded(id).iter().copied()) {
            let next = programs.first_like(next);
            if seen.insert(next) {
                found.insert(next);
                open.push(next);
            }
        }
    }
    found
}

/// The fields of a block that the programs read.
fn block_reads(programs: &Programs, ids: &BTreeSet<ProgramId>) -> BlockReads {
    let reads = |opcode| reads(programs, ids, opcode);
    BlockReads {
        prevrandao: reads(opcode::DIFFICULTY),
        base_fee: reads(opcode::BASEFEE),
        coinbase: reads(opcode::COINBASE),
        timestamp: reads(opcode::TIMESTAMP),
        number: reads(opcode::NUMBER) || reads(opcode::BLOCKHASH),
    }
}

/// Whether some of the programs have this opcode.
fn reads(programs: &Programs, ids: &BTreeSet<ProgramId>, opcode: u8) -> bool {
    ids.iter().any(|id| programs.get(*id).has_opcode(opcode))
}
