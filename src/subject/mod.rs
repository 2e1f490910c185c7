//! A [`Subject`] is one contract of a build with all it takes to run sequences on it: programs, world and interface.
//! It runs what it is given, from the start or from a snapshot, and chooses nothing.

use crate::{
    code::{ProgramId, Programs, Stage},
    compile::{Build, Contract, ContractId, NodeKind, Span},
    evm::{Call, Executor, Moment, Outcome, Snapshot, Status, Target, World, WorldError},
    input::{Delay, Deployment, FunctionId, Interface, Kind, Sequence, Transaction},
};
use alloy_primitives::{Address, Bytes};
use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

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
        let definitions = programs.definitions(&build);
        let members = |internal: &str| definitions.members(internal.strip_prefix("enum ").unwrap_or(internal));
        let interface = Arc::new(Interface::new(&build.contract(contract).abi, &members));
        Ok(Self { build, programs, contract, world, interface })
    }

    /// The compiled contract.
    pub fn compiled(&self) -> &Arc<Contract> {
        self.build.contract(self.contract)
    }

    /// The programs that sequences on it may run: its own, those of libraries that it is linked to, and of contracts whose
    /// code any of them holds. Of programs with the same code it is the first, or its own.
    pub fn code(&self) -> BTreeSet<ProgramId> {
        let own = [Stage::Creation, Stage::Runtime].map(|stage| self.programs.id(self.contract, stage));
        let mut seen = BTreeSet::from(own.map(|id| self.programs.first_like(id)));
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
                let next = self.programs.first_like(next);
                if seen.insert(next) {
                    found.insert(next);
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

    /// The call that a deployment is.
    pub fn creation(&self, deployment: &Deployment) -> Call {
        let mut code = self.world.creation.to_vec();
        deployment.encode_into(&mut code);
        let moment = self.world.genesis.moment();
        Call { sender: deployment.sender, target: Target::Create(code.into()), value: deployment.value, moment }
    }

    /// Runs the constructor on the world's first state. The executor holds what it showed.
    pub fn deploy(&self, executor: &mut Executor, deployment: &Deployment) -> (Outcome, Option<Deployed>) {
        let outcome = executor.run(&self.world.genesis, &self.creation(deployment));
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
        let _ = self.run_while(executor, sequence, |step| {
            each(step);
            ControlFlow::Continue(())
        });
    }

    /// The same, for as long as `each` wants to go on: whether it broke off.
    pub fn run_while(
        &self,
        executor: &mut Executor,
        sequence: &Sequence,
        mut each: impl FnMut(&Step<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (outcome, deployed) = self.deploy(executor, &sequence.deployment);
        let genesis = &self.world.genesis;
        let after = deployed.as_ref().map_or(genesis, |deployed| &deployed.state);
        each(&Step { transaction: None, outcome: &outcome, before: genesis, after, executor })?;
        let Some(Deployed { address, mut state }) = deployed else { return ControlFlow::Continue(()) };
        for transaction in &sequence.transactions {
            let call = self.call(address, transaction, state.moment());
            let outcome = executor.run(&state, &call);
            // Committing empties the journal, not the observation.
            let after = executor.commit();
            each(&Step { transaction: Some(transaction), outcome: &outcome, before: &state, after: &after, executor })?;
            state = after;
        }
        ControlFlow::Continue(())
    }

    /// Where a function is defined: its source path and span, as far as the syntax tree tells.
    pub fn definition(&self, function: FunctionId) -> Option<(crate::compile::SourceId, Span)> {
        let function = self.interface.function(function);
        let is_it = |node: &crate::compile::Node| match function.kind {
            Kind::Function => node.selector.is_some() && node.selector == function.selector,
            _ => node.kind == NodeKind::Function && node.name == function.name,
        };
        let own = self.compiled();
        let inside = |span: Span| own.span.contains(span);
        let nodes = &self.build.source(own.source).ast.nodes;
        if let Some(node) = nodes.iter().find(|node| inside(node.span) && is_it(node)) {
            return Some((own.source, node.span));
        }
        let definitions = self.programs.definitions(&self.build);
        let elsewhere = match (function.kind, function.selector) {
            (Kind::Function, Some(selector)) => definitions.with_selector(selector),
            (Kind::Function, None) => &[],
            _ => definitions.with_name(&function.name),
        };
        elsewhere.iter().find(|(source, _)| *source != own.source).copied()
    }
}

/// A moment after a delay.
fn later(now: Moment, delay: Delay) -> Moment {
    Moment { timestamp: now.timestamp.saturating_add(delay.seconds), number: now.number.saturating_add(delay.blocks) }
}
