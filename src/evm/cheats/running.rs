//! [`Cheats`] are the cheatcodes of an executor: what outlives its transactions, and what belongs to the one that runs. They ride beside
//! the recorder in the EVM's context.

use super::{
    artifacts::Artifacts,
    expected_calls::{ExpectedCall, ExpectedCreate},
    expected_emits::ExpectedEmits,
    expected_revert::{AssumedNoRevert, ExpectedRevert},
    prank::{Broadcast, Pranks},
    state::CheatState,
};
use alloy_primitives::{Address, Log, U256};
use std::{
    ops::Range,
    sync::{Arc, LazyLock},
};

/// Calls and contracts that are expected of one transaction, each; chosen by hand, above what any test needs.
pub(in crate::evm) const MAX_EXPECTED: usize = 1_024;

/// What a snapshot without cheatcodes keeps.
static NOTHING: LazyLock<CheatState> = LazyLock::new(CheatState::default);

/// A frame that stands in the place of another one, whose end its caller sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) struct Deployment {
    /// Its depth.
    pub(in crate::evm) depth: usize,
    /// What it stands for.
    pub(in crate::evm) stands_for: StandsFor,
}

/// What a frame stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) enum StandsFor {
    /// A constructor for the call of a cheatcode.
    Cheatcode {
        /// Where the caller expects what it returns.
        memory: Range<usize>,
        /// `tx.origin` before it.
        origin: Address,
    },
    /// A call of the contract that deploys for others, for a creation by CREATE2.
    Create2,
}

/// The cheatcodes of an executor.
#[derive(Default)]
pub(in crate::evm) struct Cheats {
    /// What outlives the transaction; none is the default.
    state: Option<Arc<CheatState>>,
    /// The pranks that are on.
    pub(in crate::evm) pranks: Pranks,
    /// The broadcast that is on.
    pub(in crate::evm) broadcast: Option<Broadcast>,
    /// The revert that is expected of the next call.
    pub(in crate::evm) expected_revert: Option<ExpectedRevert>,
    /// The call whose revert drops the run.
    pub(in crate::evm) assumed_no_revert: Option<AssumedNoRevert>,
    /// The logs that are expected.
    pub(in crate::evm) expected_emits: ExpectedEmits,
    /// The calls that are expected.
    pub(in crate::evm) expected_calls: Vec<ExpectedCall>,
    /// The contracts that are expected to be created.
    pub(in crate::evm) expected_creates: Vec<ExpectedCreate>,
    /// Whether the next contract is not created: its code is given to who creates it.
    pub(in crate::evm) intercepts_creation: bool,
    /// The frames that stand in the place of others now, the innermost last.
    pub(in crate::evm) deployments: Vec<Deployment>,
    /// Whether reads and writes of storage are recorded.
    pub(in crate::evm) records_storage: bool,
    /// The contracts that can be asked for by name.
    pub(in crate::evm) artifacts: Option<Arc<dyn Artifacts>>,
    /// Whether a revert that is expected may be one of the test itself.
    pub(in crate::evm) allows_internal_reverts: bool,
    /// Whether only calls of the test contract can cheat, and what it creates: people's own calls are those of a chain.
    pub(in crate::evm) only_in_tests: bool,
    /// The sender of the transaction.
    pub(in crate::evm) sender: Address,
}

impl std::fmt::Debug for Cheats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cheats").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Cheats {
    /// A transaction of `sender` begins on a state that keeps this.
    pub(in crate::evm) fn begin(&mut self, state: Option<&Arc<CheatState>>, sender: Address) {
        self.state = state.cloned();
        let state = self.state.as_deref().unwrap_or(&NOTHING);
        self.pranks.clone_from(&state.pranks);
        self.broadcast = state.broadcast;
        self.records_storage = state.accesses.is_on;
        self.expected_revert = None;
        self.assumed_no_revert = None;
        self.expected_emits.clear();
        self.expected_calls.clear();
        self.expected_creates.clear();
        self.intercepts_creation = false;
        self.deployments.clear();
        self.sender = sender;
    }

    /// What outlives the transaction.
    pub(in crate::evm) fn state(&self) -> &CheatState {
        self.state.as_deref().unwrap_or(&NOTHING)
    }

    /// What outlives the transaction, to be changed.
    pub(in crate::evm) fn state_mut(&mut self) -> &mut CheatState {
        Arc::make_mut(self.state.get_or_insert_default())
    }

    /// What the state after the transaction keeps.
    pub(in crate::evm) fn kept(&self) -> Option<Arc<CheatState>> {
        let state = self.state();
        if state.pranks == self.pranks && state.broadcast == self.broadcast {
            return self.state.clone();
        }
        let (pranks, broadcast) = (self.pranks.clone(), self.broadcast);
        Some(Arc::new(CheatState { pranks, broadcast, ..state.clone() }))
    }

    /// A slot was read.
    pub(in crate::evm) fn note_read(&mut self, account: Address, slot: U256) {
        Arc::make_mut(&mut self.state_mut().accesses).read(account, slot);
    }

    /// A slot was written.
    pub(in crate::evm) fn note_write(&mut self, account: Address, slot: U256) {
        Arc::make_mut(&mut self.state_mut().accesses).write(account, slot);
    }

    /// A log was emitted.
    ///
    /// # Errors
    ///
    /// The message with which the frame that emits it reverts.
    pub(in crate::evm) fn note_log(&mut self, log: &Log) -> Result<(), &'static str> {
        let expected = if self.expected_emits.is_empty() { Ok(()) } else { self.expected_emits.emitted(log) };
        if self.state().logs.is_on {
            Arc::make_mut(&mut self.state_mut().logs).add(log);
        }
        expected
    }
}
