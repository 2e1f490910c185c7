//! Cheatcodes that have calls made by other accounts: pranks, and broadcasts, which are pranks of `msg.sender` and `tx.origin` here.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported, unsupported},
    error::{CheatError, ensure},
    journal::account,
    keys, returns,
};
use crate::evm::cheats::{Broadcast, DEFAULT_SENDER, Prank};
use alloy_primitives::{Address, U256};
use revm::context_interface::journaled_state::account::JournaledAccountTr;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Callers",
    about: "A prank applies to calls of the contract that asks for it, and not to cheatcodes. A broadcast is a prank of \
            sender and origin: no transaction is sent.",
    cheatcodes: &[
        supported("prank(address)", "", prank, "The next call is made by this account."),
        supported("prank(address,address)", "", prank_origin, "The same, with another `tx.origin`."),
        supported("prank(address,bool)", "", prank_delegate, "The same, also for a DELEGATECALL if the flag is true."),
        supported("prank(address,address,bool)", "", prank_origin_delegate, ""),
        supported("startPrank(address)", "", start_prank, "All calls are made by this account until `stopPrank`."),
        supported("startPrank(address,address)", "", start_prank_origin, ""),
        supported("startPrank(address,bool)", "", start_prank_delegate, ""),
        supported("startPrank(address,address,bool)", "", start_prank_origin_delegate, ""),
        supported("stopPrank()", "", stop_prank, "Ends the prank."),
        supported(
            "readCallers()",
            "uint8,address,address",
            read_callers,
            "Who makes the next call: 0 the contract itself, 1 and 2 a broadcast for one call or for all, 3 and 4 a prank; then `msg.sender` and `tx.origin`.",
        ),
        supported("broadcast()", "", broadcast, "The next call is made by the default sender of scripts."),
        supported("broadcast(address)", "", broadcast_of, "The same for this account."),
        supported("broadcast(uint256)", "", broadcast_of_key, "The same for the account of this key."),
        supported("startBroadcast()", "", start_broadcast, "The same for all calls until `stopBroadcast`."),
        supported("startBroadcast(address)", "", start_broadcast_of, ""),
        supported("startBroadcast(uint256)", "", start_broadcast_of_key, ""),
        supported("stopBroadcast()", "", stop_broadcast, "Ends the broadcast."),
        unsupported("broadcastRawTransaction(bytes)", "", "no transaction is run inside of another one"),
        unsupported("executeTransaction(bytes)", "bytes", "no transaction is run inside of another one"),
        unsupported("attachBlob(bytes)", "", "no transaction is sent"),
        unsupported("attachDelegation(SignedDelegation)", "", DELEGATION),
        unsupported("attachDelegation(SignedDelegation,bool)", "", DELEGATION),
        unsupported("signDelegation(address,uint256)", "SignedDelegation", DELEGATION),
        unsupported("signDelegation(address,uint256,uint64)", "SignedDelegation", DELEGATION),
        unsupported("signDelegation(address,uint256,bool)", "SignedDelegation", DELEGATION),
        unsupported("signAndAttachDelegation(address,uint256)", "SignedDelegation", DELEGATION),
        unsupported("signAndAttachDelegation(address,uint256,uint64)", "SignedDelegation", DELEGATION),
        unsupported("signAndAttachDelegation(address,uint256,bool)", "SignedDelegation", DELEGATION),
    ],
};

const DELEGATION: &str = "delegations of EIP-7702 belong to transactions that are sent";

/// Begins a prank.
fn begin(
    call: &mut CheatCall<'_>,
    sender: Address,
    origin: Option<Address>,
    is_single: bool,
    delegates: bool,
) -> Answer {
    if delegates {
        let has_code = account(call.machine, sender).code().is_some_and(|code| !code.is_empty());
        ensure(has_code, "cannot `prank` delegate call from an EOA")?;
    }
    if let Some(current) = call.cheats.pranks.at(call.depth) {
        ensure(current.is_used, "cannot overwrite a prank until it is applied at least once")?;
        ensure(
            current.is_single == is_single,
            "cannot override an ongoing prank with a single vm.prank; use vm.startPrank to override the current prank",
        )?;
    }
    ensure(
        call.cheats.broadcast.is_none(),
        "cannot `prank` for a broadcasted transaction; pass the desired `tx.origin` into the `broadcast` cheatcode call",
    )?;
    call.cheats.pranks.set(Prank {
        of: call.caller,
        origin_before: call.machine.tx.caller,
        sender,
        origin,
        depth: call.depth,
        is_single,
        delegates,
        is_used: false,
    });
    Ok(returns::nothing())
}

fn prank(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, None, true, false)
}

fn prank_origin(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, Some(arguments.address(1)?), true, false)
}

fn prank_delegate(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, None, true, arguments.boolean(1)?)
}

fn prank_origin_delegate(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, Some(arguments.address(1)?), true, arguments.boolean(2)?)
}

fn start_prank(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, None, false, false)
}

fn start_prank_origin(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, Some(arguments.address(1)?), false, false)
}

fn start_prank_delegate(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, None, false, arguments.boolean(1)?)
}

fn start_prank_origin_delegate(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin(call, arguments.address(0)?, Some(arguments.address(1)?), false, arguments.boolean(2)?)
}

fn stop_prank(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    call.cheats.pranks.remove(call.depth);
    Ok(returns::nothing())
}

fn read_callers(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    let now = call.machine.tx.caller;
    let (mode, sender, origin) = match (call.cheats.pranks.at(call.depth), call.cheats.broadcast) {
        (Some(prank), _) => (if prank.is_single { 3 } else { 4 }, prank.sender, prank.origin.unwrap_or(now)),
        (None, Some(broadcast)) => (if broadcast.is_single { 1 } else { 2 }, broadcast.sender, broadcast.sender),
        (None, None) => (0, now, now),
    };
    Ok(returns::words(&[U256::from(mode), sender.into_word().into(), origin.into_word().into()]))
}

/// Begins a broadcast.
fn begin_broadcast(call: &mut CheatCall<'_>, sender: Option<Address>, is_single: bool) -> Answer {
    ensure(
        call.cheats.pranks.at(call.depth).is_none(),
        "you have an active prank; broadcasting and pranks are not compatible",
    )?;
    ensure(call.cheats.broadcast.is_none(), "a broadcast is active already")?;
    let only_key = || {
        let mut remembered = call.cheats.state().keys.keys();
        remembered.next().filter(|_| remembered.next().is_none()).copied()
    };
    let sender = sender.or_else(only_key).unwrap_or(DEFAULT_SENDER);
    call.cheats.broadcast = Some(Broadcast {
        of: call.caller,
        origin_before: call.machine.tx.caller,
        sender,
        depth: call.depth,
        is_single,
    });
    Ok(returns::nothing())
}

/// The account of a private key, which is remembered.
fn of_key(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Result<Address, CheatError> {
    keys::remember(call, arguments.word(0)?)
}

fn broadcast(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    begin_broadcast(call, None, true)
}

fn broadcast_of(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin_broadcast(call, Some(arguments.address(0)?), true)
}

fn broadcast_of_key(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let sender = of_key(call, arguments)?;
    begin_broadcast(call, Some(sender), true)
}

fn start_broadcast(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    begin_broadcast(call, None, false)
}

fn start_broadcast_of(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    begin_broadcast(call, Some(arguments.address(0)?), false)
}

fn start_broadcast_of_key(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let sender = of_key(call, arguments)?;
    begin_broadcast(call, Some(sender), false)
}

fn stop_broadcast(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    ensure(call.cheats.broadcast.is_some(), "no broadcast in progress to stop")?;
    call.cheats.broadcast = None;
    Ok(returns::nothing())
}
