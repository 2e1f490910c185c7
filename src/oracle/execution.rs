//! An [`Execution`] is one executed transaction as oracles see it: the call, its outcome, the states before and after it, and
//! the observation. It holds facts only.

use crate::{
    code::Programs,
    compile::Build,
    evm::{Call, CallTree, Executor, Observation, Outcome, Snapshot},
    harness::Harness,
    world::attacker,
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// One executed transaction.
#[derive(Debug)]
pub struct Execution<'a> {
    /// The build that ran.
    pub build: &'a Build,
    /// Its code.
    pub programs: &'a Arc<Programs>,
    /// The contract with its world; none where only code is known.
    pub harness: Option<&'a Harness>,
    /// The transaction: sender, recipient, data, ether and block.
    pub call: &'a Call,
    /// How it ended: status, output, logs.
    pub outcome: &'a Outcome,
    /// The executor, whose last run it is.
    executor: &'a Executor,
}

impl<'a> Execution<'a> {
    /// The last run of an executor, with its outcome; `None` if it ran nothing yet.
    pub(super) fn last(
        build: &'a Build,
        programs: &'a Arc<Programs>,
        harness: Option<&'a Harness>,
        executor: &'a Executor,
        outcome: &'a Outcome,
    ) -> Option<Self> {
        Some(Self { build, programs, harness, call: executor.call()?, outcome, executor })
    }

    /// The state before it.
    pub fn before(&self) -> &Snapshot {
        self.executor.before()
    }

    /// The state after it. The first one to ask waits as long as for a commit, so ask for it last.
    pub fn after(&self) -> &Snapshot {
        self.executor.after()
    }

    /// The value of a storage slot after it.
    pub fn slot_after(&self, address: Address, slot: U256) -> U256 {
        self.executor.slot_after(address, slot)
    }

    /// The balance of an account after it, in wei.
    pub fn balance_after(&self, address: Address) -> U256 {
        self.executor.balance_after(address)
    }

    /// Whether it changed storage.
    pub fn changes_storage(&self) -> bool {
        let is_changed = |address, slot| self.before().slot(address, slot) != self.slot_after(address, slot);
        self.observation().writes.iter().any(|write| is_changed(write.address, write.slot))
    }

    /// Whether the account of a person is an attacker's, whose call succeeded in it.
    pub fn called_back(&self, account: Address) -> bool {
        attacker::tells_success(self.slot_after(account, attacker::SUCCESS_SLOT)) && self.before().has_code(account)
    }

    /// The observation.
    pub fn observation(&self) -> &Observation {
        self.executor.observation()
    }

    /// The calls in it, as far as the oracle's needs ask for them.
    pub fn calls(&self) -> &CallTree {
        &self.observation().calls
    }
}
