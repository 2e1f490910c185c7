//! Deployments: constructor arguments are tried until the contract stands, and what an earlier build knew is run again.

use super::{Allowance, Lane, Trying, attempt::Go};
use crate::{
    evm::{Executor, World},
    fuzz::corpus::State,
    input::Sequence,
    subject::Deployed,
};
use alloy_primitives::Address;
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
        let mut why = String::new();
        let attempts = if self.has_choice() { MAX_DEPLOYMENTS } else { 1 };
        let mut tried = 0;
        for attempt in 0..attempts {
            if (allowance.stop)() || self.deployment_gas > MAX_DEPLOYMENT_GAS {
                break;
            }
            tried += 1;
            match self.deploy(executor) {
                Ok(()) if self.roots.len() >= ROOTS => return,
                Ok(()) => {}
                Err(reason) => why = reason,
            }
            // One that works is enough to begin with; others come on the way.
            if attempt >= EAGER_DEPLOYMENTS && !self.roots.is_empty() {
                return;
            }
        }
        if self.roots.is_empty() && !(allowance.stop)() {
            self.session.give_up(format!("its constructor does not succeed ({tried} tries; the last: {why})"));
        }
    }

    /// Whether two deployments can differ.
    pub(super) fn has_choice(&self) -> bool {
        let constructor = &self.session.subject.interface.constructor;
        !constructor.inputs.is_empty() || constructor.is_payable()
    }

    pub(super) fn deploy(&mut self, executor: &mut Executor) -> Result<(), String> {
        let mut deployment = self.generator.deployment(&mut self.rng);
        deployment.sender = World::owner();
        let subject = self.session.subject.clone();
        self.trying = Trying::Deployment(deployment.clone());
        let (outcome, deployed) = subject.deploy(executor, &deployment);
        self.deployment_gas = self.deployment_gas.saturating_add(outcome.gas);
        self.session.coverage.add(executor.observation());
        for violation in self.bench.judge(executor.observation()) {
            if self.session.claim(violation) {
                let sequence = Sequence { deployment: deployment.clone(), transactions: Vec::new() };
                self.session.confirm(&mut self.bench, &sequence, violation);
            }
        }
        let Some(Deployed { address, state }) = deployed else {
            return Err(crate::finding::result(&subject, &outcome));
        };
        self.know(address);
        let root = Arc::new(State::root(state, address, deployment, &self.session.meter));
        if self.roots.len() < ROOTS {
            self.roots.push(root);
        } else {
            let at = self.rng.random_range(0..ROOTS);
            self.roots[at] = root;
        }
        Ok(())
    }

    /// The contract is an account that arguments may name.
    fn know(&mut self, address: Address) {
        if !self.generator.accounts.contains(&address) {
            self.generator.accounts.push(address);
        }
    }

    /// Runs a sequence of an earlier build, or of an earlier process. One that is interrupted comes again.
    pub(super) fn replay(&mut self, executor: &mut Executor, sequence: Sequence, allowance: &mut Allowance<'_>) {
        let subject = self.session.subject.clone();
        let (_, deployed) = subject.deploy(executor, &sequence.deployment);
        let Some(Deployed { address, state }) = deployed else { return };
        self.know(address);
        let mut state = Arc::new(State::root(state, address, sequence.deployment.clone(), &self.session.meter));
        if self.roots.len() < ROOTS && !self.roots.iter().any(|root| root.deployment == state.deployment) {
            self.roots.push(state.clone());
        }
        for transaction in &sequence.transactions {
            if allowance.is_spent() {
                return self.replays.push_front(sequence);
            }
            if let Some(next) = self.try_one(executor, &state, transaction.clone(), Go::On, allowance) {
                state = next;
            }
        }
    }
}
