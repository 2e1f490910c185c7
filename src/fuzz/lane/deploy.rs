//! Deployments: constructor arguments are tried until the contract stands, and what other code knew is run again.

use super::{Allowance, Lane, Trying, attempt::Go};
use crate::{
    evm::{Executor, Outcome, Snapshot},
    fuzz::{
        corpus::State,
        refusal::{Refusal, Refusals},
        rerun::Way,
    },
    input::{Sequence, Setup},
    world::World,
};
use rand::RngExt;
use std::sync::Arc;

/// How often a constructor is tried with other arguments before the contract is given up.
const MAX_DEPLOYMENTS: u32 = 4_000;
/// So much gas is spent on constructors that refuse: one that loops until its gas is gone takes a second each time.
const MAX_DEPLOYMENT_GAS: u64 = 4_000_000_000;
/// So many deployments are tried before the loop begins with what stands.
const EAGER_DEPLOYMENTS: u32 = 64;
/// How many deployments with other arguments are fuzzed side by side.
const ROOTS: usize = 8;

impl Lane {
    /// Tries constructor arguments until the contract stands.
    pub(super) fn first_deployments(&mut self, executor: &mut Executor, allowance: &Allowance<'_>) {
        let mut refusals = Refusals::default();
        let attempts = if self.has_choice() { MAX_DEPLOYMENTS } else { 1 };
        for attempt in 0..attempts {
            if (allowance.stop)() || self.deployment_gas > MAX_DEPLOYMENT_GAS {
                break;
            }
            match self.deploy(executor) {
                Ok(()) if self.roots.len() >= ROOTS => return,
                Ok(()) => {}
                Err(refusal) => refusals.add(refusal),
            }
            // One that works is enough to begin with; others come on the way.
            if attempt >= EAGER_DEPLOYMENTS && !self.roots.is_empty() {
                return;
            }
        }
        if self.roots.is_empty() && !(allowance.stop)() {
            self.session.give_up(refusals.explain(&self.session.subject));
        }
    }

    /// Whether two setups can differ.
    pub(super) fn has_choice(&self) -> bool {
        let constructor = &self.session.subject.interface().constructor;
        !constructor.inputs.is_empty() || constructor.is_payable()
    }

    pub(super) fn deploy(&mut self, executor: &mut Executor) -> Result<(), Box<Refusal>> {
        let mut deployment = self.generator.deployment(&mut self.rng);
        deployment.sender = World::owner();
        let setup = Setup::of(deployment);
        let (outcome, snapshot) = self.set_up(executor, &setup);
        self.deployment_gas = self.deployment_gas.saturating_add(outcome.gas);
        let Some(snapshot) = snapshot else {
            let subject = &self.session.subject;
            return Err(Box::new(Refusal::new(subject, setup.main().clone(), &outcome, executor)));
        };
        self.know_instances();
        let root = Arc::new(State::root(snapshot, setup, &self.session.meter));
        if self.roots.len() < ROOTS {
            self.roots.push(root);
        } else {
            let at = self.rng.random_range(0..ROOTS);
            self.roots[at] = root;
        }
        Ok(())
    }

    /// Runs a setup, with what it covers and what is wrong with it.
    fn set_up(&mut self, executor: &mut Executor, setup: &Setup) -> (Outcome, Option<Snapshot>) {
        self.trying = Trying::Setup(setup.clone());
        let session = self.session.clone();
        session.subject.set_up(executor, setup, |step| {
            let observation = step.executor.observation();
            session.cover(observation);
            for violation in self.oracles.judge(step.executor, step.outcome) {
                if session.claim(violation) {
                    let sequence = Sequence { setup: setup.clone(), transactions: Vec::new() };
                    session.confirm(&mut self.oracles, &sequence, violation);
                }
            }
        })
    }

    /// The instances are accounts that arguments may name.
    fn know_instances(&mut self) {
        for instance in self.session.subject.calls.instances() {
            if !self.generator.accounts.contains(&instance.address) {
                self.generator.accounts.push(instance.address);
            }
        }
    }

    /// Runs a sequence of an earlier build, from where it parts from all that were run before.
    pub(super) fn run_again(&mut self, executor: &mut Executor, sequence: Sequence, allowance: &mut Allowance<'_>) {
        let session = self.session.clone();
        let rerun = &session.learned.rerun;
        let mut way = Way::of(&sequence.setup);
        let Some(mut state) = rerun.state(way).or_else(|| self.deploy_again(executor, &sequence.setup, allowance))
        else {
            return;
        };
        rerun.note(way, &state);
        self.know_instances();
        if self.roots.len() < ROOTS && !self.roots.iter().any(|root| root.setup == state.setup) {
            self.roots.push(state.clone());
        }
        for transaction in &sequence.transactions {
            way = way.then(transaction);
            if let Some(known) = rerun.state(way) {
                state = known;
                continue;
            }
            if allowance.is_spent() {
                return rerun.put_back(sequence);
            }
            rerun.count();
            if let Some(next) = self.try_one(executor, &state, transaction.clone(), Go::On, allowance) {
                state = next;
            }
            rerun.note(way, &state);
        }
    }

    /// The state behind a setup that an earlier build knew, or, where a constructor refuses it now, behind another one.
    fn deploy_again(
        &mut self,
        executor: &mut Executor,
        setup: &Setup,
        allowance: &Allowance<'_>,
    ) -> Option<Arc<State>> {
        if let (_, Some(snapshot)) = self.set_up(executor, setup) {
            return Some(Arc::new(State::root(snapshot, setup.clone(), &self.session.meter)));
        }
        if self.roots.is_empty() {
            self.first_deployments(executor, allowance);
        }
        self.roots.first().cloned()
    }
}
