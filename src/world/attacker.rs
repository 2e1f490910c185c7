//! The attacker: the account of a person who is a contract, and reacts when it is called. Its code is compiled once and kept with its
//! source, `attacker.sol`; a test compiles the source again.

use crate::{
    evm::{AccountCode, Scripted, Snapshot},
    input::{CallTable, Deed, Reaction, Transaction},
};
use alloy_primitives::{Address, Bytes, U256, hex};
use std::sync::LazyLock;

/// Its source.
pub const SOURCE: &str = include_str!("attacker.sol");

/// Its runtime code, as solc 0.8.30 makes it for Byzantium with 200 optimizer runs and without metadata.
const CODE: &str = include_str!("attacker.hex");

/// The code of an account that refuses every call: `revert(0, 0)`.
const REFUSE: [u8; 5] = hex!("60006000fd");

/// The code of an account that uses up the gas of every call: `INVALID`.
const BURN: [u8; 1] = hex!("fe");

/// The code of an account that returns as many bytes as the gas of the call pays for, which its caller has no gas left to copy: it adds
/// an eighth to their number, from 64 on, as long as there is more gas than such a memory costs, `bytes * bytes / 524288 + bytes / 8`.
const BOMB: [u8; 39] = hex!("60405b8060089004018080026208000090048160089004015a11600257600802600990046000f3");

/// The slot that says whether the attacker's call succeeded.
pub const SUCCESS_SLOT: U256 = U256::ZERO;
/// What it holds before that call, and then once it succeeded.
const READY: U256 = U256::ONE;
const SUCCEEDED: U256 = U256::from_limbs([3, 0, 0, 0]);

/// Its first slots where it makes no call.
const NO_CALL: [U256; 4] = [U256::ZERO; 4];

static ATTACKER: LazyLock<AccountCode> = LazyLock::new(|| {
    let code = hex::decode(CODE.trim()).expect("hexadecimal digits");
    Bytes::from(code).into()
});
static REFUSING: LazyLock<AccountCode> = LazyLock::new(|| Bytes::from_static(&REFUSE).into());
static BURNING: LazyLock<AccountCode> = LazyLock::new(|| Bytes::from_static(&BURN).into());
static BOMBING: LazyLock<AccountCode> = LazyLock::new(|| Bytes::from_static(&BOMB).into());

/// The runtime code.
///
/// # Panics
///
/// Never: the file holds hexadecimal digits.
pub fn code() -> AccountCode {
    ATTACKER.clone()
}

/// The account of a reaction as a transaction finds it.
pub fn script(reaction: &Reaction, transaction: &Transaction, calls: &CallTable) -> Scripted {
    let Reaction { account, deed, answer } = reaction;
    let call = match deed {
        Deed::Refuse => return coded(*account, &REFUSING),
        Deed::BurnGas => return coded(*account, &BURNING),
        Deed::Bomb => return coded(*account, &BOMBING),
        Deed::Answer => return scripted(*account, NO_CALL, *answer, &[]),
        Deed::Repeat => transaction,
        Deed::Call(call) => call,
    };
    let data = call.calldata(calls);
    let target = call.at.unwrap_or_else(|| calls.instance(call.call.target).address);
    scripted(*account, [READY, target.into_word().into(), call.value, U256::from(data.len())], *answer, &data)
}

/// An account with this code, and no script.
fn coded(account: Address, code: &AccountCode) -> Scripted {
    Scripted { account, code: code.clone(), storage: Vec::new() }
}

/// An account that accepts every call, and answers with the selector that it is called with.
pub fn answering(account: Address) -> Scripted {
    scripted(account, NO_CALL, None, &[])
}

/// An account with the attacker's code, and its script: the call that it makes, the word that it answers with, and the calldata.
fn scripted(account: Address, call: [U256; 4], answer: Option<U256>, data: &[u8]) -> Scripted {
    let answer = [U256::from(u8::from(answer.is_some())), answer.unwrap_or_default()];
    let words = data.chunks(32).map(|chunk| {
        let mut word = [0; 32];
        word[..chunk.len()].copy_from_slice(chunk);
        U256::from_be_bytes(word)
    });
    let storage = (0_u64..).map(U256::from).zip(call.into_iter().chain(answer).chain(words)).collect();
    Scripted { account, code: code(), storage }
}

/// Whether an account accepts every call, and makes none.
pub fn only_answers(scripted: &Scripted) -> bool {
    !lets_calls_fail(scripted) && scripted.storage.first().is_none_or(|(_, word)| *word != READY)
}

/// Whether an account makes calls of it fail: it refuses them, or leaves no gas.
pub fn lets_calls_fail(scripted: &Scripted) -> bool {
    [&REFUSING, &BURNING, &BOMBING].into_iter().any(|failing| **failing == scripted.code)
}

/// Whether the account of a person is an attacker whose call succeeded.
pub fn has_succeeded(state: &Snapshot, account: Address) -> bool {
    tells_success(state.slot(account, SUCCESS_SLOT)) && state.has_code(account)
}

/// Whether the word that an attacker's account has at [`SUCCESS_SLOT`] says that its call succeeded.
pub fn tells_success(word: U256) -> bool {
    word == SUCCEEDED
}
