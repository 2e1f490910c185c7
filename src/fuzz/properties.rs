//! Properties: functions that state something about the world are called where that may have changed, and unit tests once.

use super::{budget::TransactionBudget, fuzzer::Fuzzer};
use crate::{
    corpus::State,
    evm::{Executor, Outcome, SlotWrite},
    input::{CallId, EnvStep, Property, PropertyKind, Transaction},
    search::KeepState,
};
use alloy_primitives::U256;
use std::sync::Arc;

impl Fuzzer {
    /// The state that a transaction starts from: a test starts right after the setup.
    pub(super) fn start_of(&self, state: &Arc<State>, transaction: &Transaction) -> Arc<State> {
        match self.session.harness.calls.property(transaction.call) {
            Some(kind) if !kind.holds_in_all_states() => state.ancestor(0),
            _ => state.clone(),
        }
    }

    /// Who calls a property, and when, is nobody's choice.
    pub(super) fn call_as_asked(&self, transaction: &mut Transaction) {
        (transaction.value, transaction.env, transaction.reaction) = (U256::ZERO, EnvStep::default(), None);
        if let Some(caller) = self.session.harness.calls.rules().caller {
            transaction.sender = caller;
        }
    }

    /// Notes how a call ended. A state in which a number is larger than before is worth starting from.
    pub(super) fn record(
        &mut self,
        executor: &Executor,
        state: &Arc<State>,
        transaction: &Transaction,
        outcome: &Outcome,
    ) {
        let kind = self.session.harness.calls.property(transaction.call);
        let ended = (outcome, executor.observation());
        if self.records.note(transaction.call, kind, ended, || state.sequence_with(transaction)) {
            self.keep_state(state);
        }
    }

    /// No more passes before a call, and no more ether is sent, than somebody allows.
    pub(super) fn keep_within_limits(&self, transaction: &mut Transaction) {
        let rules = self.session.harness.calls.rules();
        let (seconds, blocks) = rules.max_delay;
        if let Some(most) = rules.max_value {
            transaction.value = transaction.value.min(U256::from(most));
        }
        let env = &mut transaction.env;
        env.seconds = env.seconds.min(seconds.unwrap_or(u64::MAX));
        env.blocks = env.blocks.min(blocks.unwrap_or(u64::MAX));
    }

    /// The properties that are about every state and may say something else after these writes.
    fn affected(&self, writes: &[SlotWrite]) -> impl Iterator<Item = &Property> {
        let properties = self.session.harness.calls.rules().properties.iter();
        let lasting = properties.filter(|property| property.kind.holds_in_all_states());
        lasting.filter(|property| self.property_reads.get(&property.call).is_none_or(|reads| reads.may_change(writes)))
    }

    /// Whether any property may say something else after these writes.
    pub(super) fn may_break_properties(&self, writes: &[SlotWrite]) -> bool {
        self.affected(writes).next().is_some()
    }

    /// Calls the properties that may say something else in the states to which the last step led.
    pub(super) fn check_properties(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        while let Some((state, writes)) = self.unchecked.pop() {
            let affected: Vec<Property> = self.affected(&writes).copied().collect();
            if budget.left() < affected.len() as u64 {
                self.unchecked.push((state, writes));
                return;
            }
            for property in affected {
                self.call_property(executor, &state, property.call, budget);
            }
        }
    }

    /// Calls every property that takes nothing, in the state right after a setup.
    pub(super) fn check_all_properties(
        &mut self,
        executor: &mut Executor,
        root: &Arc<State>,
        budget: &mut TransactionBudget<'_>,
    ) {
        let properties: Vec<Property> = self.session.harness.calls.rules().properties.clone();
        for property in properties {
            let is_now = !property.kind.is_drawn() && property.kind != PropertyKind::AfterInvariant;
            if is_now && !budget.is_spent() {
                self.call_property(executor, root, property.call, budget);
            }
        }
    }

    fn call_property(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        property: CallId,
        budget: &mut TransactionBudget<'_>,
    ) {
        let transaction: Transaction = self.generator.transaction(&mut self.rng, property);
        self.execute(executor, state, transaction, KeepState::IfNewPath, budget);
        self.property_reads.entry(property).or_default().learn(executor.observation(), &self.session.harness.programs);
    }
}
