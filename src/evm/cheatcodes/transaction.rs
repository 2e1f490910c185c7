//! What cheatcodes do before and after a transaction: the block and the transaction are as tests chose them in the state before.

use super::block::{set_blob_hashes, set_excess_blob_gas};
use crate::evm::{cheats::Cheats, hooks::Machine};
use revm::context_interface::transaction::TransactionType;

/// `block.chainid` in Foundry's tests, unless a test chooses another one.
const CHAIN_ID: u64 = 31_337;

/// A transaction begins. The block and the transaction are set already, as far as calls say.
pub(in crate::evm) fn begin(machine: &mut Machine) {
    let Some(mut cheats) = machine.chain.cheats.take() else { return };
    cheats.begin(machine.journaled_state.database.cheats(), machine.tx.caller);
    let state = cheats.state();
    machine.cfg.chain_id = state.chain_id.unwrap_or(CHAIN_ID);
    set_excess_blob_gas(machine, state.excess_blob_gas.unwrap_or(0));
    machine.chain.cheats = Some(cheats);
}

/// The transaction's own call begins. It was checked and paid for already; from here on code reads what tests chose.
pub(super) fn enter(machine: &mut Machine, cheats: &Cheats) {
    let state = cheats.state();
    if let Some(price) = state.gas_price {
        machine.tx.gas_price = price.into();
    }
    if !state.blob_hashes.is_empty() {
        set_blob_hashes(machine, &state.blob_hashes);
    }
}

/// The transaction's own call ends. Who pays for it, and how much, is what it was before.
pub(super) fn leave(machine: &mut Machine, cheats: &Cheats) {
    let tx = &mut machine.tx;
    (tx.caller, tx.gas_price, tx.tx_type) = (cheats.sender, 0, TransactionType::Legacy.into());
}
