//! Deployments: constructor arguments are tried until the contract is deployed, and from time to time others.

use crate::{
    corpus::State,
    evm::{Call, CallTarget, Executor, Outcome, Snapshot},
    fuzz::{
        budget::TransactionBudget,
        fuzzer::{Fuzzer, InFlight},
        refusal::{Refusal, Refusals},
    },
    input::{Deployment, Instance, InstanceId, Sequence, Setup, SetupStep},
    world::World,
};
use rand::RngExt;
use std::{mem, sync::Arc};

/// Deployments that are tried, each with other arguments, before the contract is given up. Chosen by hand.
const MAX_DEPLOYMENTS: u32 = 4_000;
/// Gas that one fuzzer spends on deployments: a constructor that loops until it is out of gas takes a second each time. Chosen
/// by hand.
const MAX_DEPLOYMENT_GAS: u64 = 4_000_000_000;
/// This many deployments of all instances are tried before the main one is tried alone every second time. Chosen by hand.
const PATIENT_DEPLOYMENTS: u32 = 16;
/// This many deployments are tried before the loop starts with those that succeeded. Chosen by hand.
const EAGER_DEPLOYMENTS: u32 = 64;
/// Steps of setups, after which the loop starts with those that succeeded: in a world of many contracts, a setup takes as long as
/// hundreds of transactions. Chosen by hand.
const EAGER_STEPS: usize = 128;
/// About so many deployments, and so many calls, have other words in a setup that is drawn. Chosen by hand.
const VARIED: usize = 2;

impl Fuzzer {
    /// Tries constructor arguments until the contract is deployed.
    pub(super) fn first_deployments(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        self.try_deployments(executor, budget);
        self.deploy_with_small_numbers(executor, budget);
        if let Some(root) = self.roots.first().cloned() {
            self.check_all_properties(executor, &root, budget);
        }
    }

    fn try_deployments(&mut self, executor: &mut Executor, budget: &TransactionBudget<'_>) {
        let mut refusals = Refusals::default();
        let attempts = if self.has_choice() { MAX_DEPLOYMENTS } else { 1 };
        for attempt in 0..attempts {
            if budget.is_stopped() || self.deployment_gas > MAX_DEPLOYMENT_GAS {
                break;
            }
            if attempt == PATIENT_DEPLOYMENTS && self.roots.is_empty() {
                // Perhaps one of the addresses has to be a contract, such as an implementation that a stand-in answers.
                self.know_instances();
            }
            // Where the others cannot be deployed, the main instance may work without them.
            let alone = attempt >= PATIENT_DEPLOYMENTS && attempt % 2 == 1 && self.roots.is_empty();
            match self.deploy(executor, alone) {
                Ok(()) if self.roots.len() >= self.tuning.roots => return,
                Ok(()) => {}
                Err(refusal) => refusal.into_iter().for_each(|refusal| refusals.add(refusal)),
            }
            // One deployment is enough to start; others are tried later.
            let is_enough = attempt >= EAGER_DEPLOYMENTS || self.setup_steps >= EAGER_STEPS;
            if is_enough && !self.roots.is_empty() {
                return;
            }
        }
        if self.roots.is_empty() && !budget.is_stopped() {
            self.session.give_up(refusals.explain(&self.session.harness));
        }
    }

    /// Whether two setups can differ.
    pub(super) fn has_choice(&self) -> bool {
        let harness = &self.session.harness;
        if harness.has_fixed_setup() {
            return false;
        }
        let has_choice = |instance: &Instance| {
            let constructor = &instance.interface.constructor;
            !constructor.inputs.is_empty() || constructor.is_payable()
        };
        let found = harness.setup.steps().len() - harness.configured_calls;
        let calls = harness.setup.steps()[..found].iter().any(|step| matches!(step, SetupStep::Call(_)));
        calls || harness.calls.instances().iter().any(has_choice)
    }

    /// Tries one setup with new arguments, of the main instance `alone` or of all. If it fails at the main instance, the error
    /// holds its refusal.
    pub(super) fn deploy(&mut self, executor: &mut Executor, alone: bool) -> Result<(), Option<Box<Refusal>>> {
        let setup = self.draw_setup(alone);
        let (outcome, snapshot) = self.set_up(executor, &setup);
        self.deployment_gas = self.deployment_gas.saturating_add(outcome.gas);
        let Some(snapshot) = snapshot else {
            let harness = &self.session.harness;
            let creates_main =
                |call: &Call| matches!(call.target, CallTarget::Create(at, _) if at == harness.calls.main().address);
            let is_main = executor.call().is_some_and(creates_main);
            let refused = setup.main().filter(|_| is_main);
            return Err(refused.map(|main| Box::new(Refusal::new(harness, main.clone(), &outcome, executor))));
        };
        self.keep_root(Arc::new(State::root(snapshot, setup, &self.session.meter)));
        Ok(())
    }

    /// Keeps the state after a setup as a starting point; one of the others makes room for it.
    pub(super) fn keep_root(&mut self, root: Arc<State>) {
        self.know_created(&root.snapshot);
        self.know_instances();
        if self.roots.len() < self.tuning.roots {
            self.roots.push(root);
        } else {
            let at = self.rng.random_range(0..self.tuning.roots);
            self.roots[at] = root;
        }
    }

    /// A variation of the planned setup: the main instance with other words, half of the time, and other words in some of the
    /// other steps. Or the main instance `alone`.
    fn draw_setup(&mut self, alone: bool) -> Setup {
        let harness = self.session.harness.clone();
        let planned = &harness.setup;
        if harness.has_fixed_setup() {
            return planned.clone();
        }
        if planned.main().is_some() && (alone || planned.steps().len() == 1) {
            let main = self.generator.deployment(&mut self.rng);
            let sender = planned.main().map_or_else(World::owner, |main| main.sender);
            return Setup::of(Deployment { sender, ..main });
        }
        if self.roots.is_empty() && self.deployment_gas == 0 {
            return planned.clone();
        }
        // What the setup prepares may hide what happens before.
        let is_bare = planned.main().is_some() && self.rng.random_range(0..8_u32) == 0;
        let (found, configured) = planned.steps().split_at(planned.steps().len() - harness.configured_calls);
        let kept = found.iter().filter(|step| !is_bare || matches!(step, SetupStep::Deploy(_)));
        let deployments = planned.deployments().count();
        let shares = [deployments, found.len().saturating_sub(deployments)].map(|steps| (steps / VARIED) as u32);
        let mut steps: Vec<SetupStep> = kept.map(|step| self.vary(step, shares)).collect();
        steps.extend_from_slice(configured);
        Setup::new(steps).expect("the main instance is deployed once")
    }

    /// A step of a setup, with other words now and then: in one of so many deployments, or calls, at most.
    fn vary(&mut self, step: &SetupStep, [deployments, calls]: [u32; 2]) -> SetupStep {
        match step {
            SetupStep::Deploy(deployment) => {
                let share = if deployment.instance == InstanceId::MAIN { 2 } else { deployments.max(8) };
                if self.rng.random_range(0..share) > 0_u32 {
                    return step.clone();
                }
                let drawn = self.generator.deployment_of(&mut self.rng, deployment.instance);
                SetupStep::Deploy(Deployment { sender: deployment.sender, ..drawn })
            }
            SetupStep::Call(transaction) => {
                let mut transaction = transaction.clone();
                if self.rng.random_range(0..calls.max(4)) == 0 {
                    self.generator.mutate_transaction(&mut self.rng, &mut transaction);
                }
                SetupStep::Call(transaction)
            }
        }
    }

    /// Runs a setup, adding its coverage and confirming the violations that it shows. What it has in common with the first one
    /// is not run again.
    pub(super) fn set_up(&mut self, executor: &mut Executor, setup: &Setup) -> (Outcome, Option<Snapshot>) {
        self.in_flight = InFlight::Setup(setup.clone());
        let session = self.session.clone();
        let mut first = mem::take(&mut self.first_setup);
        let ended = session.harness.set_up_from(executor, setup, &mut first, |step| {
            let observation = step.executor.observation();
            let path = observation.path;
            session.cover(observation);
            self.setup_steps += 1;
            // A finding is shown by the last step of its sequence.
            let judged = if step.left == 0 { self.oracles.judge(step.executor, step.outcome) } else { Vec::new() };
            for violation in judged {
                if session.claim(violation, || path) {
                    let sequence = Sequence { setup: setup.clone(), transactions: Vec::new() };
                    session.confirm(&mut self.oracles, &sequence, violation);
                }
            }
        });
        self.first_setup = first;
        ended
    }

    /// Adds the instances to the accounts that arguments may name.
    pub(super) fn know_instances(&mut self) {
        let calls = &self.session.harness.calls;
        for (id, instance) in (0..).map(InstanceId).zip(calls.instances()) {
            if !calls.is_created(id) && !self.generator.accounts.contains(&instance.address) {
                self.generator.accounts.push(instance.address);
            }
        }
    }
}
