//! The search stage: one attempt at an objective that was just missed.

use crate::{
    corpus::{Objective, State, exchange::GoalPart},
    evm::{Executor, Observation, Preimage, Snapshot},
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    harness::Action,
    input::{Setup, Transaction},
    search::{self, KeepState, Lent, Reached, Runner},
};
use std::sync::Arc;

impl Fuzzer {
    /// Whether the search runs next.
    pub(super) fn is_search_due(&self) -> bool {
        let queue = &self.search.queue;
        let has_edge_in_context =
            || (self.stale >= self.tuning.stale_after && self.share.is_left()) || queue.is_near_target();
        self.session.techniques.just_missed && queue.has_due(self.clock) && has_edge_in_context()
    }

    /// Makes one attempt at an objective that was just missed, and adjusts the share of the search.
    pub(super) fn search(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        let session = self.session.clone();
        let (goals, programs) = (session.goals_here(), &session.harness.programs);
        let falls_here = |goal: Objective| goals == GoalPart::ALL || goals.has(goal.number(programs));
        let picked = self.search.queue.pick(&session.coverage, self.clock, falls_here, &mut self.rng);
        let Some(candidate) = picked else { return };
        let (objective, before) = (candidate.objective, budget.left());
        let reached = search::attempt(&mut Running { fuzzer: self, executor, budget }, candidate);
        match reached {
            // The share grows with new code, not with a new context of known code.
            Reached::Yes(_) if matches!(objective, Objective::EdgeInContext { .. }) => {}
            Reached::Yes(_) => self.share.grow(),
            Reached::Closer(_) | Reached::No { .. } => self.share.shrink(),
        }
        let cost = before - budget.left();
        self.share.count_search(cost);
        if !matches!(reached, Reached::Yes(_)) {
            self.search.queue.record_cost(objective, cost);
        }
    }
}

/// Runs the transactions of the search on a fuzzer.
struct Running<'a, 'b> {
    fuzzer: &'a mut Fuzzer,
    executor: &'a mut Executor,
    budget: &'a mut TransactionBudget<'b>,
}

impl Runner for Running<'_, '_> {
    fn lend(&mut self) -> Lent<'_> {
        let Fuzzer { rng, generator, search, .. } = &mut *self.fuzzer;
        Lent { rng, generator, search }
    }

    fn observation(&self) -> &Observation {
        self.executor.observation()
    }

    fn may_run(&self) -> bool {
        !self.budget.is_spent()
    }

    fn run(&mut self, state: &Arc<State>, transaction: Transaction, keep: KeepState) -> Option<Arc<State>> {
        self.fuzzer.execute(self.executor, state, transaction, keep, self.budget).next
    }

    fn peek(&mut self, snapshot: &Snapshot, transaction: &Transaction) {
        self.budget.spend();
        let session = &self.fuzzer.session;
        session.count();
        let call = session.harness.call(Action::Call(transaction), snapshot.moment());
        self.executor.run(snapshot, &call);
    }

    fn peek_preimages(&mut self, snapshot: &Snapshot, transaction: &Transaction) -> Vec<Preimage> {
        self.executor.set_detailed(true);
        self.peek(snapshot, transaction);
        self.executor.set_detailed(false);
        self.executor.observation().preimages.clone()
    }

    fn set_up(&mut self, setup: Setup) -> Option<Arc<State>> {
        if self.budget.left() <= setup.steps().len() as u64 {
            return None;
        }
        for _ in setup.steps() {
            self.budget.spend();
            self.fuzzer.session.count();
        }
        let (_, snapshot) = self.fuzzer.set_up(self.executor, &setup);
        Some(Arc::new(State::root(snapshot?, setup, &self.fuzzer.session.meter)))
    }

    fn roots(&self) -> &[Arc<State>] {
        &self.fuzzer.roots
    }

    fn keep_root(&mut self, root: Arc<State>) {
        self.fuzzer.keep_root(root);
    }

    fn fixed_steps(&self) -> usize {
        self.fuzzer.session.harness.configured_calls
    }

    fn keep_state(&mut self, state: &Arc<State>) {
        self.fuzzer.keep_state(state);
    }

    fn states(&self) -> &[Arc<State>] {
        &self.fuzzer.corpus.states
    }

    fn max_depth(&self) -> usize {
        self.fuzzer.max_depth
    }
}
