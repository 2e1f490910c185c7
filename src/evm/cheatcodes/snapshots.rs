//! Cheatcodes that keep a state and go back to it. Going back is a change like any other: it is made by the journal, account by account and
//! slot by slot, so that a frame that reverts afterwards takes it back.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported},
    error::CheatError,
    journal::{self, account},
    returns,
};
use crate::evm::{
    account_state::AccountState,
    cheats::{CHEATCODE_ADDRESS, FAILED_SLOT, KeptState},
    hooks::Machine,
    moment::Moment,
    shared_map::SharedMap,
};
use alloy_primitives::{Address, U256};
use revm::context_interface::journaled_state::account::JournaledAccountTr;
use std::{collections::BTreeSet, sync::Arc};

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Snapshots of the state",
    about: "Accounts and the block are kept, 64 times at most; mocks, pranks and labels are not. A failure that the test recorded before it \
            goes back stays recorded.",
    cheatcodes: &[
        supported("snapshotState()", "uint256", keep, "Keeps the state, and returns its number."),
        supported("revertToState(uint256)", "bool", go_back, "Goes back to a state."),
        supported("revertToStateAndDelete(uint256)", "bool", go_back_and_forget, "The same, and deletes it."),
        supported("deleteStateSnapshot(uint256)", "bool", forget, "Deletes a kept state."),
        supported("deleteStateSnapshots()", "", forget_all, "Deletes all kept states."),
        supported("snapshot()", "uint256", keep, "The older name of `snapshotState`."),
        supported("revertTo(uint256)", "bool", go_back, "The older name of `revertToState`."),
        supported(
            "revertToAndDelete(uint256)",
            "bool",
            go_back_and_forget,
            "The older name of `revertToStateAndDelete`.",
        ),
        supported("deleteSnapshot(uint256)", "bool", forget, "The older name of `deleteStateSnapshot`."),
        supported("deleteSnapshots()", "", forget_all, "The older name of `deleteStateSnapshots`."),
    ],
};

/// The block of the machine, as far as states keep it.
pub(in crate::evm) fn moment(machine: &Machine) -> Moment {
    let block = &machine.block;
    Moment {
        timestamp: block.timestamp.saturating_to(),
        number: block.number.saturating_to(),
        prevrandao: block.prevrandao.unwrap_or_default().into(),
        base_fee: block.basefee,
        coinbase: block.beneficiary,
    }
}

fn keep(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    let loaded = call.machine.journaled_state.state.values().map(|account| 1 + account.storage.len() as u64);
    let loaded: u64 = loaded.sum();
    call.charge(journal::SLOT_GAS * loaded)?;
    let moment = moment(call.machine);
    let journal = &call.machine.journaled_state;
    let now = journal.database.with(journal.state.clone(), moment);
    let bytes = now.bytes_beside(Some(&journal.database));
    let id = call.cheats.state_mut().keep(KeptState { accounts: now.accounts().share(), moment, bytes });
    let id = id.ok_or(CheatError::new("64 states are kept already; go back to one of them, or delete some"))?;
    Ok(returns::word(U256::from(id)))
}

/// The number of a kept state, if there is one.
fn known(call: &CheatCall<'_>, arguments: Arguments<'_>) -> Result<Option<u64>, CheatError> {
    let id = u64::try_from(arguments.word(0)?).ok();
    Ok(id.filter(|id| call.cheats.state().kept.contains_key(id)))
}

fn go_back(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let id = known(call, arguments)?;
    let state = id.and_then(|id| call.cheats.state().kept.get(&id).cloned());
    if let Some(state) = &state {
        restore(call, state)?;
    }
    Ok(returns::boolean(state.is_some()))
}

fn go_back_and_forget(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let answer = go_back(call, arguments)?;
    forget(call, arguments)?;
    Ok(answer)
}

fn forget(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let id = known(call, arguments)?;
    if let Some(id) = id {
        Arc::make_mut(&mut call.cheats.state_mut().kept).remove(&id);
    }
    Ok(returns::boolean(id.is_some()))
}

fn forget_all(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    if !call.cheats.state().kept.is_empty() {
        call.cheats.state_mut().kept = Arc::default();
    }
    Ok(returns::nothing())
}

/// Makes the state what it was.
fn restore(call: &mut CheatCall<'_>, kept: &KeptState) -> Result<(), CheatError> {
    let mut slots_of = Vec::new();
    for at in changed(call.machine, &kept.accounts) {
        let account = kept.accounts.get(&at).map(Arc::as_ref);
        let mut slots = journal::slots(call.machine, at);
        slots.extend(account.into_iter().flat_map(|account| account.storage.iter().map(|(slot, _)| *slot)));
        call.charge(journal::SLOT_GAS * (1 + slots.len() as u64))?;
        slots_of.push((at, account, slots));
    }
    for (at, account, slots) in slots_of {
        restore_account(call.machine, at, account, slots);
    }
    let machine = &mut *call.machine;
    let Moment { timestamp, number, prevrandao, base_fee, coinbase } = kept.moment;
    machine.block.timestamp = U256::from(timestamp);
    machine.block.number = U256::from(number);
    machine.block.prevrandao = Some(prevrandao.into());
    (machine.block.basefee, machine.block.beneficiary) = (base_fee, coinbase);
    Ok(())
}

/// The accounts that may differ from what they were.
fn changed(machine: &Machine, kept: &SharedMap<Address, Arc<AccountState>>) -> BTreeSet<Address> {
    let now = machine.journaled_state.database.accounts();
    let differs = |(at, _): &(&Address, &Arc<AccountState>)| match (now.get(at), kept.get(at)) {
        (Some(now), Some(kept)) => !Arc::ptr_eq(now, kept),
        _ => true,
    };
    let committed = now.iter().chain(kept.iter()).filter(differs).map(|(at, _)| *at);
    committed.chain(machine.journaled_state.state.keys().copied()).collect()
}

/// Makes an account what it was, with these slots, which are all that may differ.
fn restore_account(machine: &mut Machine, at: Address, kept: Option<&AccountState>, slots: BTreeSet<U256>) {
    let nobody = AccountState::default();
    let kept = kept.unwrap_or(&nobody);
    let mut now = account(machine, at);
    if *now.balance() != kept.info.balance {
        now.set_balance(kept.info.balance);
    }
    if now.nonce() != kept.info.nonce {
        now.set_nonce(kept.info.nonce);
    }
    if *now.code_hash() != kept.info.code_hash {
        now.set_code(kept.info.code_hash, kept.info.code.clone().unwrap_or_default());
    }
    for slot in slots {
        let (now, word) = (journal::load(machine, at, slot), kept.storage.get(&slot).copied().unwrap_or_default());
        let is_failure = (at, slot) == (CHEATCODE_ADDRESS, FAILED_SLOT) && !now.is_zero();
        if now != word && !is_failure {
            journal::store(machine, at, slot, word);
        }
    }
    if let Some(account) = machine.journaled_state.state.get_mut(&at)
        && account.is_selfdestructed()
    {
        account.unmark_selfdestruct();
        account.unmark_selfdestructed_locally();
    }
}
