//! Cheatcodes that read and write accounts: balances, code, nonces, storage and labels.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, ignored, supported, unsupported},
    error::{CheatError, ensure},
    journal::{self, account},
    returns,
};
use crate::evm::cheats::{CREATE2_FACTORY, MAX_NAMED};
use alloy_primitives::{Address, Bytes, U256};
use revm::{bytecode::Bytecode, context_interface::journaled_state::account::JournaledAccountTr};
use std::sync::Arc;

/// Longest label that is kept, in bytes; chosen by hand.
const MAX_LABEL: usize = 256;
/// Slots that `copyStorage` copies at most; chosen by hand.
const MAX_COPIED: usize = 1 << 16;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Accounts",
    about: "",
    cheatcodes: &[
        supported("deal(address,uint256)", "", deal, "Sets the balance of an account."),
        supported("etch(address,bytes)", "", etch, "Sets the code of an account."),
        supported("load(address,bytes32)", "bytes32", load, "Reads a slot of an account's storage."),
        supported("store(address,bytes32,bytes32)", "", store, "Writes a slot of an account's storage."),
        supported(
            "copyStorage(address,address)",
            "",
            copy_storage,
            "Copies the storage of one account to another one.",
        ),
        supported(
            "cloneAccount(address,address)",
            "",
            clone_account,
            "Copies balance, code and storage of an account.",
        ),
        supported("getNonce(address)", "uint64", get_nonce, "The nonce of an account."),
        supported("getNonce(Wallet)", "uint64", get_nonce, ""),
        supported("setNonce(address,uint64)", "", set_nonce, "Raises the nonce of an account."),
        supported("setNonceUnsafe(address,uint64)", "", set_nonce_unsafe, "Sets the nonce of an account."),
        supported(
            "resetNonce(address)",
            "",
            reset_nonce,
            "Sets the nonce of a contract to 1, of another account to 0.",
        ),
        supported("label(address,string)", "", label, "Names an account in traces and messages."),
        supported("getLabel(address)", "string", get_label, "The name of an account."),
        supported(
            "computeCreateAddress(address,uint256)",
            "address",
            compute_create,
            "The address of a contract that an account creates with this nonce.",
        ),
        supported(
            "computeCreate2Address(bytes32,bytes32,address)",
            "address",
            compute_create2,
            "The address of a contract that an account creates by CREATE2, from the salt and the hash of the creation code.",
        ),
        supported(
            "computeCreate2Address(bytes32,bytes32)",
            "address",
            compute_create2_of_factory,
            "The same for the deterministic deployment proxy.",
        ),
        supported("cool(address)", "", cool, "Makes the slots of an account cost as much gas as at their first use."),
        supported("coolSlot(address,bytes32)", "", cool_slot, "The same for one slot."),
        supported("warmSlot(address,bytes32)", "", warm_slot, "Makes a slot cost as much gas as after its first use."),
        ignored("accessList(AccessListItem[])", "", journal::nothing, "Only gas depends on it."),
        ignored("noAccessList()", "", journal::nothing, ""),
        ignored("allowCheatcodes(address)", "", journal::nothing, "Every account may call cheatcodes."),
        unsupported("setArbitraryStorage(address)", "", ARBITRARY),
        unsupported("setArbitraryStorage(address,bool)", "", ARBITRARY),
        unsupported("dumpState(string)", "", "files are not written"),
        unsupported("loadAllocs(string)", "", "files are not read"),
    ],
};

const ARBITRARY: &str = "storage that was never written is zero";

/// Precompiles have no storage and no code that could be changed.
fn ensure_no_precompile(address: Address) -> Result<(), CheatError> {
    let number = U256::from_be_slice(address.as_slice());
    if number.is_zero() || number > U256::from(0x11) {
        return Ok(());
    }
    Err(CheatError::new(format!("cannot use precompile {address} as an argument")))
}

fn deal(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, balance) = (arguments.address(0)?, arguments.word(1)?);
    account(call.machine, at).set_balance(balance);
    Ok(returns::nothing())
}

fn etch(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, code) = (arguments.address(0)?, arguments.bytes(1)?);
    ensure_no_precompile(at)?;
    let code = Bytecode::new_raw_checked(Bytes::copy_from_slice(code))
        .map_err(|error| CheatError::new(format!("this is not code: {error}")))?;
    account(call.machine, at).set_code_and_hash_slow(code);
    Ok(returns::nothing())
}

fn load(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, slot) = (arguments.address(0)?, arguments.word(1)?);
    ensure_no_precompile(at)?;
    Ok(returns::word(journal::load(call.machine, at, slot)))
}

fn store(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, slot, word) = (arguments.address(0)?, arguments.word(1)?, arguments.word(2)?);
    ensure_no_precompile(at)?;
    journal::store(call.machine, at, slot, word);
    Ok(returns::nothing())
}

/// Copies all slots of one account to another one.
fn copy_slots(call: &mut CheatCall<'_>, from: Address, to: Address) -> Result<(), CheatError> {
    let slots = journal::slots(call.machine, from);
    if slots.len() > MAX_COPIED {
        return Err(CheatError::new(format!("{from} has more than {MAX_COPIED} slots")));
    }
    call.charge(journal::SLOT_GAS * slots.len() as u64)?;
    for slot in slots {
        let word = journal::load(call.machine, from, slot);
        journal::store(call.machine, to, slot, word);
    }
    Ok(())
}

fn copy_storage(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (from, to) = (arguments.address(0)?, arguments.address(1)?);
    ensure_no_precompile(to)?;
    copy_slots(call, from, to)?;
    Ok(returns::nothing())
}

fn clone_account(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (from, to) = (arguments.address(0)?, arguments.address(1)?);
    ensure_no_precompile(to)?;
    let (balance, nonce, code) = {
        let from = account(call.machine, from);
        (*from.balance(), from.nonce(), from.code().cloned().unwrap_or_default())
    };
    let mut copy = account(call.machine, to);
    copy.set_balance(balance);
    copy.set_nonce(nonce);
    copy.set_code_and_hash_slow(code);
    copy_slots(call, from, to)?;
    Ok(returns::nothing())
}

fn get_nonce(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::word(U256::from(account(call.machine, arguments.address(0)?).nonce())))
}

fn set_nonce(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, nonce) = (arguments.address(0)?, arguments.u64(1)?);
    let current = account(call.machine, at).nonce();
    if nonce < current {
        return Err(CheatError::new(format!(
            "new nonce ({nonce}) must be strictly equal to or higher than the account's current nonce ({current})"
        )));
    }
    account(call.machine, at).set_nonce(nonce);
    Ok(returns::nothing())
}

fn set_nonce_unsafe(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, nonce) = (arguments.address(0)?, arguments.u64(1)?);
    account(call.machine, at).set_nonce(nonce);
    Ok(returns::nothing())
}

fn reset_nonce(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let mut account = account(call.machine, arguments.address(0)?);
    let has_code = account.code().is_some_and(|code| !code.is_empty());
    account.set_nonce(u64::from(has_code));
    Ok(returns::nothing())
}

fn label(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, label) = (arguments.address(0)?, arguments.text(1)?);
    ensure(label.len() <= MAX_LABEL, "the label is longer than 256 bytes")?;
    let labels = &call.cheats.state().labels;
    let known = labels.get(&at).map(String::as_str);
    if known != Some(label.as_ref()) {
        ensure(known.is_some() || labels.len() < MAX_NAMED, "there are too many labels")?;
        Arc::make_mut(&mut call.cheats.state_mut().labels).insert(at, label.into_owned());
    }
    Ok(returns::nothing())
}

fn get_label(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let at = arguments.address(0)?;
    let label = call.cheats.state().labels.get(&at);
    Ok(returns::text(&label.cloned().unwrap_or_else(|| format!("unlabeled:{at}"))))
}

fn compute_create(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (creator, nonce) = (arguments.address(0)?, arguments.word(1)?);
    let nonce = u64::try_from(nonce).map_err(|_| CheatError::new("nonce must be less than 2^64"))?;
    Ok(returns::address(creator.create(nonce)))
}

fn compute_create2(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::address(arguments.address(2)?.create2(arguments.b256(0)?, arguments.b256(1)?)))
}

fn compute_create2_of_factory(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::address(CREATE2_FACTORY.create2(arguments.b256(0)?, arguments.b256(1)?)))
}

fn cool(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let at = arguments.address(0)?;
    if let Some(account) = call.machine.journaled_state.state.get_mut(&at) {
        account.storage.values_mut().for_each(|slot| slot.mark_cold());
    }
    Ok(returns::nothing())
}

fn cool_slot(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (at, slot) = (arguments.address(0)?, arguments.word(1)?);
    let account = call.machine.journaled_state.state.get_mut(&at);
    if let Some(slot) = account.and_then(|account| account.storage.get_mut(&slot)) {
        slot.mark_cold();
    }
    Ok(returns::nothing())
}

fn warm_slot(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    journal::load(call.machine, arguments.address(0)?, arguments.word(1)?);
    Ok(returns::nothing())
}
