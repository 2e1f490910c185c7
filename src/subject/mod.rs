//! A [`Subject`] is one contract of a build with all it takes to run sequences on it: programs, world and interface.
//! It runs what it is given, from the start or from a snapshot, and chooses nothing.

use crate::{
    code::{ProgramId, Programs, Stage},
    compile::{Build, Contract, ContractId, NodeKind, Span},
    evm::{Call, Executor, Moment, Outcome, Snapshot, Status, Target, World, WorldError},
    input::{Delay, Deployment, FunctionId, Interface, Kind, Sequence, Transaction},
};
use alloy_primitives::{Address, Bytes};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A contract, ready to be deployed and called.
#[derive(Debug)]
pub struct Subject {
    /// The build it is from.
    pub build: Arc<Build>,
    /// All code of the build.
    pub programs: Arc<Programs>,
    /// Which contract.
    pub contract: ContractId,
    /// What surrounds it.
    pub world: World,
    /// What can be called.
    pub interface: Arc<Interface>,
}

/// A contract that was deployed.
#[derive(Debug, Clone)]
pub struct Deployed {
    /// Where it is.
    pub address: Address,
    /// The state right after its constructor.
    pub state: Snapshot,
}

/// One step of a sequence that was run: the deployment, then each transaction.
#[derive(Debug)]
pub struct Step<'a> {
    /// The transaction; none for the deployment.
    pub transaction: Option<&'a Transaction>,
    /// How it ended.
    pub outcome: &'a Outcome,
    /// The state before it.
    pub before: &'a Snapshot,
    /// The state after it.
    pub after: &'a Snapshot,
    /// What it showed is here.
    pub executor: &'a Executor,
}

impl Subject {
    /// Makes the contract ready.
    ///
    /// # Errors
    ///
    /// If a library that it is linked to cannot be deployed.
    pub fn new(build: Arc<Build>, programs: Arc<Programs>, contract: ContractId) -> Result<Self, WorldError> {
        let world = World::new(&build, &programs, contract)?;
        let enums: BTreeMap<String, u16> = build
            .sources
            .iter()
            .flat_map(|source| &source.ast.enums)
            .map(|definition| (definition.name.clone(), definition.members))
            .collect();
        let members = |internal: &str| enums.get(internal.strip_prefix("enum ").unwrap_or(internal)).copied();
        let interface = Arc::new(Interface::new(&build.contract(contract).abi, &members));
        Ok(Self { build, programs, contract, world, interface })
    }

    /// The compiled contract.
    pub fn compiled(&self) -> &Arc<Contract> {
        self.build.contract(self.contract)
    }

    /// The programs that sequences on it may run: its own, those of libraries that it is linked to, and of contracts whose
    /// code any of them holds.
    pub fn code(&self) -> BTreeSet<ProgramId> {
        let own = [Stage::Creation, Stage::Runtime].map(|stage| self.programs.id(self.contract, stage));
        let mut found = BTreeSet::from(own);
        let mut open = Vec::from(own);
        while let Some(id) = open.pop() {
            let program = self.programs.get(id);
            let contract = self.build.contract(program.contract);
            let links =
                if program.stage == Stage::Creation { &contract.creation.links } else { &contract.runtime.links };
            let libraries = links.iter().filter_map(|link| self.build.find_contract(&link.file, &link.library));
            let libraries = libraries.map(|library| self.programs.id(library, Stage::Runtime));
            for next in libraries.chain(self.programs.embedded(id).iter().copied()) {
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }

    /// Whether whatever is run on one of them does on the other exactly what it does there: the same code in the same world, by
    /// the same rules, under the same ids. Where it stands in the source, and how it is called there, may differ.
    pub fn runs_the_same(&self, other: &Self) -> bool {
        let stages = [Stage::Creation, Stage::Runtime];
        self.compiled().evm_version == other.compiled().evm_version
            && self.world.creation == other.world.creation
            && self.world.genesis == other.world.genesis
            && self.interface.takes_the_same(&other.interface)
            && stages
                .iter()
                .all(|stage| self.programs.id(self.contract, *stage) == other.programs.id(other.contract, *stage))
            && other.code().into_iter().all(|id| self.programs.agree_on(&other.programs, id))
    }

    /// An executor that follows the rules that the contract was compiled for.
    pub fn executor(&self) -> Executor {
        let mut executor = Executor::new(self.programs.clone(), self.compiled().evm_version);
        executor.prefer(self.contract);
        executor
    }

    /// Runs the constructor on the world's first state. The executor holds what it showed.
    pub fn deploy(&self, executor: &mut Executor, deployment: &Deployment) -> (Outcome, Option<Deployed>) {
        let mut code = self.world.creation.to_vec();
        deployment.encode_into(&mut code);
        let moment = self.world.genesis.moment();
        let call =
            Call { sender: deployment.sender, target: Target::Create(code.into()), value: deployment.value, moment };
        let outcome = executor.run(&self.world.genesis, &call);
        let deployed = outcome
            .created
            .filter(|_| outcome.status == Status::Success)
            .map(|address| Deployed { address, state: executor.commit() });
        (outcome, deployed)
    }

    /// The call that a transaction is, on a state at `now`.
    pub fn call(&self, address: Address, transaction: &Transaction, now: Moment) -> Call {
        let mut data = Vec::new();
        transaction.encode_into(&self.interface, &mut data);
        Call {
            sender: transaction.sender,
            target: Target::Account(address, Bytes::from(data)),
            value: transaction.value,
            moment: later(now, transaction.delay),
        }
    }

    /// Runs a whole sequence from the start and shows every step. A transaction that fails changes nothing but the
    /// time. Ends early where the contract cannot be deployed.
    pub fn run(&self, executor: &mut Executor, sequence: &Sequence, mut each: impl FnMut(&Step<'_>)) {
        let (outcome, deployed) = self.deploy(executor, &sequence.deployment);
        let genesis = &self.world.genesis;
        let after = deployed.as_ref().map_or(genesis, |deployed| &deployed.state);
        each(&Step { transaction: None, outcome: &outcome, before: genesis, after, executor });
        let Some(Deployed { address, mut state }) = deployed else { return };
        for transaction in &sequence.transactions {
            let call = self.call(address, transaction, state.moment());
            let outcome = executor.run(&state, &call);
            // Committing empties the journal, not the observation.
            let after = executor.commit();
            each(&Step { transaction: Some(transaction), outcome: &outcome, before: &state, after: &after, executor });
            state = after;
        }
    }

    /// Where a function is defined: its source path and span, as far as the syntax tree tells.
    pub fn definition(&self, function: FunctionId) -> Option<(crate::compile::SourceId, Span)> {
        let function = self.interface.function(function);
        let is_it = |node: &crate::compile::Node| match function.kind {
            Kind::Function => node.selector.is_some() && node.selector == function.selector,
            _ => node.kind == NodeKind::Function && node.name == function.name,
        };
        let own = self.compiled().source;
        let sources = std::iter::once(own).chain((0..self.build.sources.len() as u32).map(crate::compile::SourceId));
        sources.into_iter().find_map(|id| {
            let source = self.build.source(id);
            let inside = |node: &&crate::compile::Node| id != own || self.compiled().span.contains(node.span);
            source.ast.nodes.iter().filter(inside).find(|node| is_it(node)).map(|node| (id, node.span))
        })
    }
}

/// A moment after a delay.
fn later(now: Moment, delay: Delay) -> Moment {
    Moment { timestamp: now.timestamp.saturating_add(delay.seconds), number: now.number.saturating_add(delay.blocks) }
}
