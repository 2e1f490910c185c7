//! A [`State`] is a snapshot worth starting from, and the sequence that reached it. States share their common prefix.

use super::{
    keys::Keys,
    memory::{self, MemoryAccount, MemoryCharge},
};
use crate::{
    evm::Snapshot,
    input::{Sequence, Setup, Transaction},
};
use std::sync::Arc;

/// A state of the chain, and the sequence that reached it.
#[derive(Debug)]
pub struct State {
    /// The accounts and storage.
    pub snapshot: Snapshot,
    /// The setup of its world.
    pub setup: Arc<Setup>,
    /// The state before, and the transaction that led here; none right after the setup.
    pub from: Option<(Arc<State>, Transaction)>,
    /// What later calls can name of that transaction.
    pub keys: Keys,
    /// The number of transactions that led here.
    pub depth: usize,
    /// The memory charge of the difference from the state before.
    pub(crate) charge: MemoryCharge,
}

impl State {
    /// The state right after a setup.
    pub fn root(snapshot: Snapshot, setup: Setup, meter: &Arc<MemoryAccount>) -> Self {
        let charge = meter.charge(size_of::<Self>() as u64 + memory::of_setup(&setup) + snapshot.bytes_beside(None));
        Self { snapshot, setup: Arc::new(setup), from: None, keys: Keys::default(), depth: 0, charge }
    }

    /// The state that a transaction leads to, which is known by these keys.
    pub fn after(
        before: &Arc<Self>,
        transaction: Transaction,
        keys: Keys,
        snapshot: Snapshot,
        meter: &Arc<MemoryAccount>,
    ) -> Self {
        let own = size_of::<Self>() as u64 + memory::of_transaction(&transaction) + keys.bytes();
        let charge = meter.charge(own + snapshot.bytes_beside(Some(&before.snapshot)));
        Self {
            snapshot,
            setup: before.setup.clone(),
            charge,
            keys,
            from: Some((before.clone(), transaction)),
            depth: before.depth + 1,
        }
    }

    /// This state, and those before it back to the deployment.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |state| state.from.as_ref().map(|(before, _)| &**before))
    }

    /// The last `count` transactions that led here, or fewer, in order.
    pub(crate) fn last_calls(&self, count: usize) -> Vec<&Transaction> {
        let calls = self.ancestors().filter_map(|state| state.from.as_ref()).map(|(_, call)| call);
        let mut calls: Vec<_> = calls.take(count).collect();
        calls.reverse();
        calls
    }

    /// The sequence that leads here.
    pub fn sequence(&self) -> Sequence {
        let transactions = self.last_calls(self.depth).into_iter().cloned().collect();
        Sequence { setup: (*self.setup).clone(), transactions }
    }

    /// The sequence that leads here, and then `transaction`.
    pub fn sequence_with(&self, transaction: &Transaction) -> Sequence {
        let mut sequence = self.sequence();
        sequence.transactions.push(transaction.clone());
        sequence
    }

    /// The state after the first `depth` transactions of this state's sequence.
    pub fn ancestor(self: &Arc<Self>, depth: usize) -> Arc<Self> {
        let mut state = self;
        while let Some((before, _)) = &state.from {
            if state.depth <= depth {
                break;
            }
            state = before;
        }
        state.clone()
    }
}
