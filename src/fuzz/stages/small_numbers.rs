//! The world in which the main instance is deployed with small numbers: with few seats, short terms and low bounds, what is counted up to
//! them comes to its end.

use crate::{
    corpus::State,
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    input::{Field, InstanceId, SetupStep, Type},
};
use alloy_primitives::U256;
use std::sync::Arc;

/// The largest number that is tried as the smallest that a constructor accepts; chosen by hand.
const MAX_SMALL: u64 = 3;
/// Steps of setups that are run for it; chosen by hand.
const MAX_STEPS: usize = 128;

impl Fuzzer {
    /// Adds the world in which each number that the main instance is deployed with is the smallest that its constructor accepts. Zero is
    /// tried, but not kept: it often means that there is none of something.
    pub(super) fn deploy_with_small_numbers(&mut self, executor: &mut Executor, budget: &TransactionBudget<'_>) {
        let harness = self.session.harness.clone();
        let Some(first) = self.roots.first().filter(|_| !harness.has_fixed_setup()).cloned() else { return };
        let Some(at) = first.setup.steps().iter().position(deploys_main) else { return };
        let constructor = &harness.calls.main().interface.constructor;
        let most_steps = self.setup_steps + MAX_STEPS;
        let (mut smallest, mut calls) = (None, first.setup.as_calls());
        let is_number = |field: &Field| matches!(field.leaf(constructor), Some(Type::Uint(_) | Type::Int(_)));
        let words = calls[at].words(&harness.calls).into_iter();
        let numbers: Vec<(Field, U256)> = words.filter(|(field, _)| is_number(field)).collect();
        for (field, word) in numbers {
            for number in (0..=MAX_SMALL).map(U256::from).take_while(|number| *number < word) {
                if budget.is_stopped() || self.setup_steps >= most_steps {
                    break;
                }
                let mut tried = calls.clone();
                tried[at].set_word(constructor, &field, number);
                let setup = first.setup.with_words_of(&tried);
                let (outcome, snapshot) = self.set_up(executor, &setup);
                self.deployment_gas = self.deployment_gas.saturating_add(outcome.gas);
                if let Some(snapshot) = snapshot.filter(|_| !number.is_zero()) {
                    smallest = Some(State::root(snapshot, setup, &self.session.meter));
                    calls = tried;
                    break;
                }
            }
        }
        if let Some(smallest) = smallest {
            self.keep_root(Arc::new(smallest));
        }
    }
}

fn deploys_main(step: &SetupStep) -> bool {
    matches!(step, SetupStep::Deploy(deployment) if deployment.instance == InstanceId::MAIN)
}
