//! States and entries for tests; no code was run to make them.

use super::{
    entry::{Entry, PathInfo},
    keys::Keys,
    memory::MemoryAccount,
    objective::Objective,
    state::State,
};
use crate::{
    evm::{Moment, Snapshot},
    input::{CallId, Deployment, EnvStep, FunctionId, InstanceId, Setup, Transaction, Value},
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// A transaction with this many bytes of arguments.
fn transaction(bytes: usize) -> Transaction {
    Transaction {
        call: CallId::main(FunctionId(0)),
        arguments: vec![Value::Bytes(vec![0; bytes])],
        sender: Address::ZERO,
        value: U256::ZERO,
        env: EnvStep::default(),
        at: None,
        reaction: None,
    }
}

pub(crate) fn root(meter: &Arc<MemoryAccount>) -> Arc<State> {
    let instance = InstanceId::MAIN;
    let deployment = Deployment { instance, arguments: Vec::new(), sender: Address::ZERO, value: U256::ZERO };
    let snapshot = Snapshot::empty(Moment::new(1, 1));
    Arc::new(State::root(snapshot, Setup::of(deployment), meter))
}

/// A state whose transaction takes this many bytes.
pub(crate) fn after(state: &Arc<State>, bytes: usize, meter: &Arc<MemoryAccount>) -> Arc<State> {
    Arc::new(State::after(state, transaction(bytes), Keys::default(), state.snapshot.clone(), meter))
}

pub(crate) fn entry(
    state: &Arc<State>,
    covers_more: bool,
    missed: Vec<(Objective, U256)>,
    meter: &Arc<MemoryAccount>,
) -> Arc<Entry> {
    let taken = PathInfo { path: 0, edges: 0, length: 0, covers_more, missed };
    Arc::new(Entry::new(state.clone(), transaction(0), taken, meter))
}
