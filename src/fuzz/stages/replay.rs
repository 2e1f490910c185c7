//! Replaying: the corpus of other code, from an earlier build or an earlier process, is run on this build.

use crate::{
    corpus::{PrefixHash, State},
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    input::{Sequence, Setup},
    search::KeepState,
};
use std::sync::Arc;

impl Fuzzer {
    /// Runs a sequence of an earlier build, starting after the longest prefix that was replayed before.
    pub(super) fn replay(&mut self, executor: &mut Executor, sequence: Sequence, budget: &mut TransactionBudget<'_>) {
        let session = self.session.clone();
        let rerun = &session.shared.replays;
        let mut way = PrefixHash::of(&sequence.setup);
        let Some(mut state) = rerun.state(way).or_else(|| self.deploy_again(executor, &sequence.setup, budget)) else {
            return;
        };
        rerun.note(way, &state);
        self.know_instances();
        if self.roots.len() < self.tuning.roots && !self.roots.iter().any(|root| root.setup == state.setup) {
            self.roots.push(state.clone());
        }
        for transaction in &sequence.transactions {
            way = way.then(transaction);
            if let Some(known) = rerun.state(way) {
                state = known;
                continue;
            }
            if budget.is_spent() {
                return rerun.put_back(sequence);
            }
            rerun.count();
            if let Some(next) = self.execute(executor, &state, transaction.clone(), KeepState::Yes, budget).next {
                state = next;
            }
            rerun.note(way, &state);
        }
    }

    /// The state after a setup of an earlier build, or after another setup if a constructor fails with that one now.
    fn deploy_again(
        &mut self,
        executor: &mut Executor,
        setup: &Setup,
        budget: &mut TransactionBudget<'_>,
    ) -> Option<Arc<State>> {
        if let (_, Some(snapshot)) = self.set_up(executor, setup) {
            self.know_created(&snapshot);
            return Some(Arc::new(State::root(snapshot, setup.clone(), &self.session.meter)));
        }
        if self.roots.is_empty() {
            self.first_deployments(executor, budget);
        }
        self.roots.first().cloned()
    }
}
