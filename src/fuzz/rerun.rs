//! A [`Rerun`] is the corpus of other code, of an earlier build or of an earlier day, that is still to be run on this one: sequences in
//! the order in which they are worth it. Most of them begin alike; what they have in common is run once.

use super::corpus::State;
use crate::input::{Deployment, Sequence, Transaction, Value, encode::encode};
use alloy_primitives::map::HashMap;
use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What is to be run, and the states that what was run already led to.
#[derive(Debug, Default)]
pub(super) struct Rerun(Mutex<Parts>);

#[derive(Debug, Default)]
struct Parts {
    left: VecDeque<Sequence>,
    /// By [`Way`].
    states: HashMap<u64, Arc<State>>,
}

impl Rerun {
    pub(super) fn of(sequences: Vec<Sequence>) -> Self {
        Self(Mutex::new(Parts { left: sequences.into(), states: HashMap::default() }))
    }

    /// The next sequence, if there is one. With the last one go the states: from then on only what the corpus keeps is kept.
    pub(super) fn next(&self) -> Option<Sequence> {
        let mut parts = self.lock();
        let next = parts.left.pop_front();
        if next.is_none() && !parts.states.is_empty() {
            parts.states = HashMap::default();
        }
        next
    }

    /// It could not be run to its end: it goes first next time.
    pub(super) fn put_back(&self, sequence: Sequence) {
        self.lock().left.push_front(sequence);
    }

    /// Whether nothing is left to be run.
    pub(super) fn is_done(&self) -> bool {
        self.lock().left.is_empty()
    }

    /// What is left to be run.
    pub(super) fn left(&self) -> Vec<Sequence> {
        self.lock().left.iter().cloned().collect()
    }

    /// The state at the end of a way that was gone already.
    pub(super) fn state(&self, way: Way) -> Option<Arc<State>> {
        self.lock().states.get(&way.0).cloned()
    }

    /// Notes where a way led.
    pub(super) fn note(&self, way: Way, state: &Arc<State>) {
        self.lock().states.insert(way.0, state.clone());
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A deployment and the transactions after it, as a hash. Where two ways have the same one, a sequence starts where it was not
/// meant to; it is a way to start from all the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way(u64);

impl Way {
    pub(super) fn of(deployment: &Deployment) -> Self {
        let Deployment { arguments, sender, value } = deployment;
        Self::hash(&[sender.as_slice(), value.as_le_slice()], arguments)
    }

    /// A transaction further.
    pub(super) fn then(self, transaction: &Transaction) -> Self {
        let Transaction { function, arguments, sender, value, delay } = transaction;
        let numbers = [self.0, u64::from(function.0), delay.seconds, delay.blocks].map(u64::to_le_bytes);
        Self::hash(&[numbers.as_flattened(), sender.as_slice(), value.as_le_slice()], arguments)
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
