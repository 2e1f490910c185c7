//! Executing: one transaction is run on a state, judged by the oracles, and kept if it shows something new.

use super::{
    budget::TransactionBudget,
    fuzzer::{Fuzzer, InFlight},
    session::Session,
    steer::distance_to_target,
};
use crate::{
    corpus::{Entry, Keys, Objective, PathInfo, Shared, State},
    evm::{Edge, Executor, FailureKind, Observation, Outcome, SlotWrite, Status, spread},
    harness::Action,
    input::{CallId, CallTable, Field, Parameter, Transaction, Type},
    oracle::WriteGoal,
    search::KeepState,
    world::is_deployer,
};
use alloy_primitives::{Address, U256};
use rand::RngExt;
use std::{
    collections::{BTreeSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::Arc,
};

/// What came of a transaction.
pub(super) struct Executed {
    pub(super) succeeded: bool,
    /// The state after it, if it succeeded, its function can change state, and that state was asked for, or is on a new path.
    pub(super) next: Option<Arc<State>>,
}

impl Fuzzer {
    /// The open objectives that a run came close to, each with its distance: edges, except those of the dispatcher, which are
    /// taken by calling another function, and the write goals of oracles.
    fn missed_objectives(&self, executor: &Executor, outcome: &Outcome) -> Vec<(Objective, U256)> {
        let session = &self.session;
        let mut missed: Vec<(Objective, U256)> = Vec::new();
        let mut note = |goal: Objective, cost: U256| match missed.iter_mut().find(|(known, _)| *known == goal) {
            Some((_, known)) => *known = cost.min(*known),
            None => missed.push((goal, cost)),
        };
        let mut before = None;
        let mut turns = 0;
        for branch in &executor.observation().branches {
            let edge = Edge::of(branch).other();
            let goal = Objective::Edge(edge);
            let turn = before.map(|context| Objective::EdgeInContext { context, edge });
            if branch.in_source {
                before = Some(Edge::of(branch));
            } else if self.selectors.contains(&branch.left) || self.selectors.contains(&branch.right) {
                continue;
            }
            if goal.is_open(&session.coverage) {
                note(goal, branch.cost());
            }
            // The same edge in this context may be open even if the edge itself is not.
            if let Some(turn) = turn
                && turns < self.tuning.max_contexts_per_run
                && turn.is_open(&session.coverage)
            {
                turns += 1;
                note(turn, branch.cost());
            }
        }
        for WriteGoal { program, pc, distance } in self.oracles.goals(executor, outcome) {
            let goal = Objective::ArbitraryWrite { program, pc };
            if goal.is_open(&session.coverage) {
                note(goal, distance);
            }
        }
        missed
    }

    /// Adds the objectives that an entry missed to the queue. Returns whether it is the first entry to come to a branch at a
    /// target.
    pub(super) fn queue_objectives(&mut self, entry: &Arc<Entry>) -> bool {
        let session = &self.session;
        let (written, distance_to_target) =
            (|goal| is_written(session, goal), |goal| distance_to_target(session, goal));
        self.search.queue.add(entry, &session.coverage, written, distance_to_target)
    }

    /// Adds words that the contract stored to the dictionary.
    fn learn_words(&mut self, writes: &[SlotWrite]) {
        for write in writes.iter().filter(|write| write.value >= U256::from(self.tuning.least_learned_word)) {
            self.generator.dictionary.insert(write.value);
        }
    }

    /// Runs a transaction on a state, and judges it.
    pub(super) fn run_and_judge(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: &Transaction,
    ) -> Outcome {
        let session = self.session.clone();
        session.count();
        self.in_flight = InFlight::Call(state.clone(), transaction.clone());
        let call = session.harness.call(Action::Call(transaction), state.snapshot.moment());
        let outcome = executor.run(&state.snapshot, &call);
        if outcome.status == Status::Success {
            session.shared.count_success();
        }
        let path = executor.observation().path;
        for violation in self.oracles.judge(executor, &outcome) {
            let way = || way(state, transaction, path, &session.harness.calls);
            if session.claim(violation, way) && session.confirm_call(&mut self.oracles, state, transaction, violation) {
                session.refresh();
            }
        }
        outcome
    }

    /// Runs a transaction on a state, judges it, and keeps it as an entry if it shows something new.
    pub(super) fn execute(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        mut transaction: Transaction,
        keep: KeepState,
        budget: &mut TransactionBudget<'_>,
    ) -> Executed {
        budget.spend();
        let state = &self.start_of(state, &transaction);
        if self.session.harness.calls.property(transaction.call).is_some() {
            self.call_as_asked(&mut transaction);
        } else {
            self.direct(state, &mut transaction);
            self.keep_within_limits(&mut transaction);
        }
        let session = self.session.clone();
        let harness = &session.harness;
        let outcome = self.run_and_judge(executor, state, &transaction);
        self.record(executor, state, &transaction, &outcome);
        let observation = executor.observation();
        let covers_more = session.cover(observation);
        if self.guidance.is_on {
            self.guidance.schedule.count(observation);
        }
        self.stale = if covers_more { 0 } else { self.stale + 1 };
        // What goes around and is stored is another path: what follows from it is worth a state of its own.
        let stores = outcome.status == Status::Success && !observation.writes.is_empty();
        let wraps = if stores { wraps(observation) } else { 0 };
        let (path, edges, length) = (observation.path ^ wraps, observation.edges ^ wraps, observation.length);
        let new_path = (covers_more || !session.shared.knows_path(path))
            && self.corpus.wants(edges, length, covers_more)
            && session.shared.add_path(path, &session.meter);
        let comes_nearer =
            session.techniques.just_missed && self.search.approach.comes_nearer(observation, &session.coverage);
        let unpaid = observation.unpaid;
        self.note_codeless(observation, state, &transaction, new_path);
        self.note_unpaid(unpaid, state, &transaction, new_path);
        if outcome.status == Status::Success {
            let sender = transaction.sender;
            let balances = || [state.snapshot.balance(sender), executor.after().balance(sender)];
            self.withdrawals.note(&transaction, executor.observation(), new_path, &harness.calls, balances);
        }
        let mut keys = Keys::default();
        if covers_more {
            self.search.approach.forget_taken(&session.coverage);
        }
        if new_path || covers_more {
            session.refresh();
        }
        if new_path || covers_more || comes_nearer {
            let missed = self.missed_objectives(executor, &outcome);
            let taken = PathInfo { path, edges, length, covers_more, missed };
            let entry = Arc::new(Entry::new(state.clone(), transaction.clone(), taken, &session.meter));
            if comes_nearer {
                self.keep_start(state);
            }
            if self.queue_objectives(&entry) {
                // No other objective of the search is as close to a target.
                self.search.break_off();
            }
            self.keep_entry(entry.clone());
            session.share(self.index, Shared::Entry(entry));
            self.follow_evictions();
            keys = self.keys(executor, state, &transaction);
            if keys != Keys::default() {
                self.hashing.insert(transaction.call);
            }
        }

        let changes = outcome.status == Status::Success
            && harness.calls.can_change_state(transaction.call)
            && state.depth < self.max_depth;
        if !changes {
            self.wanted_keys.note(&keys.words, &transaction);
        }
        let is_asked = keep != KeepState::IfNewPath || new_path;
        let may_break = changes && self.may_break_properties(&executor.observation().writes);
        let succeeded = outcome.status == Status::Success;
        if !changes || !(is_asked || may_break) {
            return Executed { succeeded, next: None };
        }
        let snapshot = executor.commit();
        if !snapshot.has_created_the_same(&state.snapshot) {
            self.know_created(&snapshot);
        }
        let writes = &executor.observation().writes;
        let unchecked = may_break.then(|| writes.clone());
        // A state that was changed on a new path is worth starting from, whatever the change.
        let new_words = match keep {
            KeepState::IfNewPath | KeepState::Yes if is_asked => {
                self.corpus.new_words(&state.snapshot, &snapshot, writes)
            }
            _ => Vec::new(),
        };
        let is_new = !new_words.is_empty()
            || (new_path
                && state.snapshot.differs_at(&snapshot, writes.iter().map(|write| (write.address, write.slot))));
        self.search.writers.note(&mut self.rng, state, &transaction, &snapshot, writes);
        if is_new && session.techniques.dictionary {
            self.learn_words(writes);
        }
        if !(new_path || covers_more) && self.hashing.contains(&transaction.call) {
            keys = self.keys(executor, state, &transaction);
        }
        if is_new {
            self.oracles.note_made(&transaction, &harness.calls);
            keys = keys.with_returned(self.returned(&transaction, &outcome));
        }
        let next = Arc::new(State::after(state, transaction, keys, snapshot, &session.meter));
        // Nobody in a test is somebody else than its author says.
        if is_new && new_path && harness.calls.rules().bare.is_none() {
            self.withdrawals.follow(&next);
        }
        if is_new {
            self.keep_state(&next);
            self.search.queue.reactivate(&next, &new_words);
        }
        if let Some(writes) = unchecked {
            // Called after this step: the search still looks at what was observed.
            self.unchecked.push((next.clone(), writes));
        }
        Executed { succeeded, next: is_asked.then_some(next) }
    }

    /// What later calls can name of a transaction by the hashes that it computes, which takes another run.
    fn keys(&self, executor: &mut Executor, state: &State, transaction: &Transaction) -> Keys {
        let harness = &self.session.harness;
        let words = transaction.words(&harness.calls);
        let arguments = words.into_iter().filter(|(field, _)| matches!(field, Field::Argument { .. }));
        let arguments: Vec<U256> = arguments.map(|(_, word)| word).collect();
        executor.set_detailed(true);
        executor.run(&state.snapshot, &harness.call(Action::Call(transaction), state.snapshot.moment()));
        executor.set_detailed(false);
        Keys::new(&arguments, &executor.observation().preimages)
    }

    /// The words that a transaction returned which may be ids.
    fn returned(&self, transaction: &Transaction, outcome: &Outcome) -> Vec<U256> {
        let function = self.session.harness.calls.function(transaction.call);
        let words = outcome.output.chunks_exact(32).map(U256::from_be_slice);
        // An id is counted, or a hash; what lies between is an amount.
        let is_id = |(output, word): &(&Parameter, U256)| {
            matches!(output.ty, Type::Uint(256) | Type::FixedBytes(32)) && !(32..=200).contains(&word.bit_len())
        };
        function.outputs.iter().zip(words).filter(is_id).map(|(_, word)| word).collect()
    }

    /// Keeps the state from which a run came nearer to an objective: what led there may lead further.
    fn keep_start(&mut self, state: &Arc<State>) {
        if state.depth > 0 && !self.corpus.states.iter().any(|kept| Arc::ptr_eq(kept, state)) {
            self.keep_state(state);
        }
    }

    /// Keeps a state to start from, and shares it with the other fuzzers.
    pub(super) fn keep_state(&mut self, state: &Arc<State>) {
        let rng = &mut self.rng;
        self.corpus.keep_state(state.clone(), |count| rng.random_range(0..count));
        self.session.share(self.index, Shared::State(state.clone()));
        self.follow_evictions();
    }
}

/// A hash over the set of instructions whose results went around; 0 if none did, or nothing looks at results.
fn wraps(observation: &Observation) -> u64 {
    let wraps = observation.failures.iter().filter(|failure| matches!(failure.kind, FailureKind::Wrap(_)));
    let sites: BTreeSet<u64> = wraps.map(|wrap| u64::from(wrap.program.0) << 32 | u64::from(wrap.pc)).collect();
    // Apart from the numbers of edges, which go into the same hash.
    sites.into_iter().fold(0, |hash, site| hash ^ spread(!site))
}

/// Who makes an earlier call, as it counts for how a later one comes about: any user is as good as another.
#[derive(Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Caller {
    Same,
    Deployer,
    Another,
}

/// The way in which a call that took this path came about: which functions were called before it, by whom, and whether somebody else
/// named who makes it, who may have been given something.
fn way(before: &State, last: &Transaction, path: u64, calls: &CallTable) -> u64 {
    let caller = |sender: Address| match sender {
        same if same == last.sender => Caller::Same,
        other if is_deployer(other) => Caller::Deployer,
        _ => Caller::Another,
    };
    let made = before.ancestors().filter_map(|state| state.from.as_ref());
    let gives = |call: &Transaction| call.sender != last.sender && call.names(last.sender, calls);
    let made: BTreeSet<(CallId, Caller, bool)> =
        made.map(|(_, call)| (call.call, caller(call.sender), gives(call))).collect();
    let mut hasher = DefaultHasher::new();
    (path, is_deployer(last.sender), made).hash(&mut hasher);
    hasher.finish()
}

/// Whether the branch or write that decides an objective is in the source, not generated by the compiler.
fn is_written(session: &Session, goal: Objective) -> bool {
    let (program, pc) = match goal {
        Objective::Edge(Edge { program, pc, .. }) | Objective::EdgeInContext { edge: Edge { program, pc, .. }, .. } => {
            (program, pc)
        }
        Objective::ArbitraryWrite { program, pc } => (program, pc),
        Objective::StorageValue { .. } => return true,
    };
    session.harness.programs.get(program).is_in_source(pc)
}
