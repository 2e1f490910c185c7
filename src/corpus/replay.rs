//! A [`ReplayQueue`] is the corpus of other code, of an earlier build or of an earlier day, that is still to be run on this one: sequences in
//! the order in which they are worth it. Most of them begin alike; what they have in common is run once.

use super::state::State;
use crate::input::{BlockWords, CallId, Deployment, Sequence, Setup, SetupStep, Transaction, Value, encode::encode};
use alloy_primitives::map::HashMap;
use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hasher},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

/// So many transactions are run again before anything else is done. They are those of the entries that reached the most; whoever
/// waits for what an edit broke does not wait for all others, too.
const FIRST: u64 = 256;

/// What is to be run, and the states that what was run already led to.
#[derive(Debug, Default)]
pub(crate) struct ReplayQueue {
    parts: Mutex<Parts>,
    /// How many sequences are left: fuzzers ask at every step.
    left: AtomicUsize,
    /// Transactions that were run again.
    transactions: AtomicU64,
}

#[derive(Debug, Default)]
struct Parts {
    left: VecDeque<Sequence>,
    /// By [`PrefixHash`].
    states: HashMap<u64, Arc<State>>,
}

impl ReplayQueue {
    pub(crate) fn of(sequences: Vec<Sequence>) -> Self {
        let left = AtomicUsize::new(sequences.len());
        let parts = Mutex::new(Parts { left: sequences.into(), states: HashMap::default() });
        Self { parts, left, transactions: AtomicU64::new(0) }
    }

    /// How many sequences are left.
    pub(crate) fn len(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    /// Counts a transaction.
    pub(crate) fn count(&self) {
        self.transactions.fetch_add(1, Ordering::Relaxed);
    }

    /// How many transactions were run again.
    pub(crate) fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    /// Whether what it still has may wait while something else is done.
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
        self.left.store(parts.left.len(), Ordering::Relaxed);
        next
    }

    /// It could not be run to its end: it goes first next time.
    pub(crate) fn put_back(&self, sequence: Sequence) {
        let mut parts = self.lock();
        parts.left.push_front(sequence);
        self.left.store(parts.left.len(), Ordering::Relaxed);
    }

    /// Whether nothing is left to be run. The count is enough, without the lock: it changes under the lock alone, and a
    /// fuzzer sees at least what it wrote itself, so that whoever took the last sequence knows that it was the last one.
    pub(crate) fn is_done(&self) -> bool {
        self.len() == 0
    }

    /// What is left to be run.
    pub(crate) fn left(&self) -> Vec<Sequence> {
        self.lock().left.iter().cloned().collect()
    }

    /// The state at the end of a way that was gone already.
    pub(crate) fn state(&self, way: PrefixHash) -> Option<Arc<State>> {
        self.lock().states.get(&way.0).cloned()
    }

    /// Notes where a way led, for as long as there is something left to start from there: then only what the corpus keeps is kept.
    pub(crate) fn note(&self, way: PrefixHash, state: &Arc<State>) {
        let mut parts = self.lock();
        if parts.left.is_empty() {
            parts.states = HashMap::default();
        } else {
            parts.states.insert(way.0, state.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A setup and the transactions after it, as a hash. Where two ways have the same one, a sequence starts where it was not
/// meant to; it is a way to start from all the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrefixHash(u64);

impl PrefixHash {
    pub(crate) fn of(setup: &Setup) -> Self {
        setup.steps().iter().fold(Self(0), |way, step| match step {
            SetupStep::Deploy(deployment) => way.behind(deployment),
            SetupStep::Call(transaction) => way.then(transaction),
        })
    }

    /// A deployment further.
    fn behind(self, deployment: &Deployment) -> Self {
        let Deployment { instance, arguments, sender, value } = deployment;
        let numbers = [self.0, u64::from(instance.0)].map(u64::to_le_bytes);
        Self::hash(&[numbers.as_flattened(), sender.as_slice(), value.as_le_slice()], arguments)
    }

    /// A transaction further.
    pub(crate) fn then(self, transaction: &Transaction) -> Self {
        let Transaction { call, arguments, sender, value, env } = transaction;
        let CallId { target, function } = *call;
        let called = u64::from(target.0) << 16 | u64::from(function.0);
        let BlockWords { prevrandao, base_fee, coinbase } = env.block;
        let said = [prevrandao.is_some(), base_fee.is_some(), coinbase.is_some()].map(u8::from);
        let numbers = [self.0, called, env.seconds, env.blocks, base_fee.unwrap_or_default()].map(u64::to_le_bytes);
        let (prevrandao, coinbase) = (prevrandao.unwrap_or_default(), coinbase.unwrap_or_default());
        let words = [sender.as_slice(), value.as_le_slice(), prevrandao.as_le_slice(), coinbase.as_slice()].concat();
        Self::hash(&[&said, numbers.as_flattened(), &words], arguments)
    }

    /// Of one function, arguments are the same where their encoding is.
    fn hash(parts: &[&[u8]], arguments: &[Value]) -> Self {
        let mut bytes = parts.concat();
        encode(arguments, &mut bytes);
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        Self(hasher.finish())
    }
}
