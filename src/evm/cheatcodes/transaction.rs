//! What cheatcodes do before a transaction: the block and the transaction are as the state before says.

use super::block::set_blob_base_fee;
use crate::evm::hooks::Machine;
use revm::context_interface::block::BlobExcessGasAndPrice;

/// `block.chainid` in Foundry's tests, unless a test chooses another one.
const CHAIN_ID: u64 = 31_337;

/// A transaction begins. The block and the transaction are set already, as far as calls say.
pub(in crate::evm) fn begin(machine: &mut Machine) {
    let Some(mut cheats) = machine.chain.cheats.take() else { return };
    cheats.begin(machine.journaled_state.database.cheats(), machine.tx.caller);
    let state = cheats.state();
    machine.cfg.chain_id = state.chain_id.unwrap_or(CHAIN_ID);
    match state.blob_base_fee {
        Some(fee) => set_blob_base_fee(machine, fee),
        None => {
            machine.block.blob_excess_gas_and_price =
                Some(BlobExcessGasAndPrice { excess_blob_gas: 0, blob_gasprice: 1 })
        }
    }
    machine.tx.blob_hashes.clone_from(&state.blob_hashes);
    machine.chain.cheats = Some(cheats);
}
