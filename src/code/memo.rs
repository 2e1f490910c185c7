//! A [`Memo`] keeps answers that are worked out when they are asked for.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Answers by what was asked for. Threads may share it.
#[derive(Debug)]
pub(super) struct Memo<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// The answer for a key. It may ask for others while it is worked out; two threads may work out the same one.
    pub(super) fn get(&self, key: K, work_out: impl FnOnce(&K) -> V) -> V {
        if let Some(answer) = self.answers().get(&key) {
            return answer.clone();
        }
        let answer = work_out(&key);
        self.answers().insert(key, answer.clone());
        answer
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
