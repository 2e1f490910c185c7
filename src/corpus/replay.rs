//! A [`ReplayQueue`] holds the corpus of an earlier build or an earlier day that is still to be replayed on this build:
//! sequences in order of priority. Most of them share a prefix; a shared prefix is run once.

use super::state::State;
use crate::input::{
    BlockWords, CallId, Deed, Deployment, Sequence, Setup, SetupStep, Transaction, Value, encode::encode,
};
use alloy_primitives::map::HashMap;
use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hasher},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

/// Transactions that are replayed before any other work; chosen by hand. They belong to the entries that reached the most,
/// so a user who waits for the effect of an edit need not wait for the whole corpus.
const FIRST: u64 = 256;
/// Sequences that wait to be replayed, beyond which none of other machines is added; chosen by hand, twice what a folder keeps of a
/// contract.
const MAX_ADDED: usize = 2048;

/// The sequences to replay, and the states that replayed prefixes led to.
#[derive(Debug, Default)]
pub(crate) struct ReplayQueue {
    parts: Mutex<Parts>,
    /// The number of sequences left, read by fuzzers at every step.
    left: AtomicUsize,
    /// Transactions that were replayed.
    transactions: AtomicU64,
}

#[derive(Debug, Default)]
struct Parts {
    left: VecDeque<Sequence>,
    /// The state after each prefix, by [`PrefixHash`].
    states: HashMap<u64, Arc<State>>,
}

impl ReplayQueue {
    pub(crate) fn of(sequences: Vec<Sequence>) -> Self {
        let left = AtomicUsize::new(sequences.len());
        let parts = Mutex::new(Parts { left: sequences.into(), ..Parts::default() });
        Self { parts, left, transactions: AtomicU64::new(0) }
    }

    /// The number of sequences left.
    pub(crate) fn len(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    /// Counts a replayed transaction.
    pub(crate) fn count(&self) {
        self.transactions.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of transactions that were replayed.
    pub(crate) fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    /// Whether the rest of the queue may wait for other work.
    pub(crate) fn may_wait(&self) -> bool {
        self.transactions() >= FIRST
    }

    /// The next sequence, if there is one.
    pub(crate) fn next(&self) -> Option<Sequence> {
        if self.is_done() {
            return None;
        }
        let mut parts = self.lock();
        let next = parts.left.pop_front();
        self.note_left(&parts);
        next
    }

    /// Adds sequences of other machines, those that show findings as the next ones. Beyond a bound they are left out: they come faster
    /// than they are run.
    pub(crate) fn add(&self, findings: Vec<Sequence>, entries: Vec<Sequence>) {
        let mut parts = self.lock();
        let room = MAX_ADDED.saturating_sub(parts.left.len());
        findings.into_iter().take(room).rev().for_each(|sequence| parts.left.push_front(sequence));
        let room = MAX_ADDED.saturating_sub(parts.left.len());
        parts.left.extend(entries.into_iter().take(room));
        self.note_left(&parts);
    }

    /// Puts back a sequence that was not replayed to its end, as the next one.
    pub(crate) fn put_back(&self, sequence: Sequence) {
        let mut parts = self.lock();
        parts.left.push_front(sequence);
        self.note_left(&parts);
    }

    /// Whether no sequence is left. The count alone is enough, without the lock: it changes only under the lock, and a
    /// fuzzer sees at least its own writes, so the fuzzer that took the last sequence knows that it was the last.
    pub(crate) fn is_done(&self) -> bool {
        self.len() == 0
    }

    /// The sequences left to replay.
    pub(crate) fn left(&self) -> Vec<Sequence> {
        self.lock().left.iter().cloned().collect()
    }

    /// The state at the end of a prefix that was replayed already.
    pub(crate) fn state(&self, way: PrefixHash) -> Option<Arc<State>> {
        self.lock().states.get(&way.0).cloned()
    }

    /// Records the state that a prefix leads to, while sequences are left that can start from it; after that, only the
    /// corpus keeps states.
    pub(crate) fn note(&self, way: PrefixHash, state: &Arc<State>) {
        let mut parts = self.lock();
        if parts.left.is_empty() {
            parts.states = HashMap::default();
        } else {
            parts.states.insert(way.0, state.clone());
        }
    }

    fn note_left(&self, parts: &Parts) {
        self.left.store(parts.left.len(), Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The hash of a setup and the transactions after it. If two prefixes have the same hash, a sequence starts from the wrong
/// state, which is still a valid state to start from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrefixHash(u64);

impl PrefixHash {
    pub(crate) fn of(setup: &Setup) -> Self {
        setup.steps().iter().fold(Self(0), |way, step| match step {
            SetupStep::Deploy(deployment) => way.behind(deployment),
            SetupStep::Call(transaction) => way.then(transaction),
        })
    }

    /// The hash with one more deployment.
    fn behind(self, deployment: &Deployment) -> Self {
        let Deployment { instance, arguments, sender, value } = deployment;
        let numbers = [self.0, u64::from(instance.0)].map(u64::to_le_bytes);
        Self::hash(&[numbers.as_flattened(), sender.as_slice(), value.as_le_slice()], arguments)
    }

    /// The hash with one more transaction.
    pub(crate) fn then(self, transaction: &Transaction) -> Self {
        let Transaction { call, arguments, sender, value, env, at, reaction } = transaction;
        let CallId { target, function } = *call;
        let called = u64::from(target.0) << 16 | u64::from(function.0);
        let BlockWords { prevrandao, base_fee, coinbase } = env.block;
        let said = [prevrandao.is_some(), base_fee.is_some(), coinbase.is_some()].map(u8::from);
        let numbers = [self.0, called, env.seconds, env.blocks, base_fee.unwrap_or_default()].map(u64::to_le_bytes);
        let (prevrandao, coinbase) = (prevrandao.unwrap_or_default(), coinbase.unwrap_or_default());
        let words = [sender.as_slice(), value.as_le_slice(), prevrandao.as_le_slice(), coinbase.as_slice()].concat();
        let words = at.map_or(words.clone(), |at| [&words, at.as_slice()].concat());
        let hash = Self::hash(&[&said, numbers.as_flattened(), &words], arguments);
        let Some(reaction) = reaction else { return hash };
        let (deed, call) = match &reaction.deed {
            Deed::Refuse => (0_u8, None),
            Deed::Repeat => (1, None),
            Deed::Call(call) => (2, Some(call)),
            Deed::Answer => (3, None),
            Deed::BurnGas => (4, None),
            Deed::Bomb => (5, None),
        };
        let answer = reaction.answer.map(|word| word.to_le_bytes::<32>()).unwrap_or_default();
        let kind = [deed, u8::from(reaction.answer.is_some())];
        let reacting = Self::hash(&[&hash.0.to_le_bytes(), reaction.account.as_slice(), &kind, &answer], &[]);
        call.map_or(reacting, |call| reacting.then(call))
    }

    /// For one function, arguments are equal if their encodings are.
    fn hash(parts: &[&[u8]], arguments: &[Value]) -> Self {
        let mut bytes = parts.concat();
        encode(arguments, &mut bytes);
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        Self(hasher.finish())
    }
}
