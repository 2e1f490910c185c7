//! How cheatcodes change the state: by the journal, so that a frame that is reverted takes back what they did in it.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall},
    returns,
};
use crate::evm::{hooks::Machine, snapshot::Snapshot};
use alloy_primitives::{Address, U256};
use revm::{context::JournalTr, context_interface::journaled_state::account::JournaledAccount};
use std::collections::BTreeSet;

/// Gas of a slot or an account that is looked at: what it costs a contract once it is warm.
pub(super) const SLOT_GAS: u64 = 100;

/// An account, loaded.
pub(super) fn account(machine: &mut Machine, at: Address) -> JournaledAccount<'_, Snapshot> {
    let Ok(load) = machine.journaled_state.load_account_mut(at);
    load.data
}

/// The word in a slot.
pub(super) fn load(machine: &mut Machine, at: Address, slot: U256) -> U256 {
    let loaded = account(machine, at).sload_concrete_error(slot, false).map(|slot| slot.data.present_value());
    // Nothing else goes wrong than that a cold slot is not to be loaded.
    loaded.unwrap_or_default()
}

/// Puts a word into a slot.
pub(super) fn store(machine: &mut Machine, at: Address, slot: U256, word: U256) {
    let _ = account(machine, at).sstore_concrete_error(slot, word, false);
}

/// The slots of an account that may hold something, in order.
pub(super) fn slots(machine: &mut Machine, at: Address) -> BTreeSet<U256> {
    let journal = &machine.journaled_state;
    let is_created = journal.state.get(&at).is_some_and(revm::state::Account::is_created);
    let before = journal.database.accounts().get(&at).filter(|_| !is_created);
    let before = before.into_iter().flat_map(|account| account.storage.iter().map(|(slot, _)| *slot));
    let loaded = journal.state.get(&at).into_iter().flat_map(|account| account.storage.keys().copied());
    before.chain(loaded).collect()
}

/// A cheatcode that does nothing and returns nothing.
pub(super) fn nothing(_: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::nothing())
}

/// A cheatcode that does nothing and returns a zero.
pub(super) fn zero(_: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(U256::ZERO))
}
