//! A [`Getter`] is a call that returns a variable, as far as the text of its function tells: it names the variable, and not what the
//! variable is written as.

use super::evidence::{Getter, Replay};
use crate::{
    code::Definitions,
    evm::{Call, CallTarget, Snapshot, Status},
    harness::Harness,
    input::InstanceId,
};
use alloy_json_abi::StateMutability;
use alloy_primitives::{Address, Bytes, U256};

/// `balanceOf(address)`.
const BALANCE_OF: [u8; 4] = [0x70, 0xa0, 0x82, 0x31];
/// Words of a call that are tried as the key of a getter; chosen by hand.
const MAX_KEYS: usize = 8;

impl Getter {
    /// The calls of an instance that may return its variable of this name.
    pub(super) fn candidates(
        replay: &Replay<'_>,
        instance: InstanceId,
        name: &str,
        written: Option<&str>,
    ) -> Vec<Self> {
        let (build, programs) = (&replay.harness.build, &replay.harness.programs);
        let definitions: &Definitions = programs.definitions(build);
        let tells = |selector: [u8; 4]| {
            let texts = definitions.with_selector(selector).iter();
            let mut texts = texts.map(|(source, span)| span.text(&build.source(*source).text));
            let other = written.filter(|written| *written != name);
            texts.any(|text| mentions(text, name) && !other.is_some_and(|other| mentions(text, other)))
        };
        let data = match &replay.call.target {
            CallTarget::Account(_, data) => data.get(4..).unwrap_or_default(),
            CallTarget::Create(..) => &[],
        };
        let sender = U256::from_be_slice(replay.call.sender.as_slice());
        let keys = || std::iter::once(sender).chain(data.chunks_exact(32).map(U256::from_be_slice)).take(MAX_KEYS);
        let mut candidates = Vec::new();
        let Some(contract) = replay.harness.contract_of(instance) else { return candidates };
        for function in build.contract(contract).abi.functions() {
            let selector = function.selector().0;
            let only_reads = matches!(function.state_mutability, StateMutability::View | StateMutability::Pure);
            match function.inputs.len() {
                _ if !only_reads || !tells(selector) => {}
                0 => candidates.push(Self { instance, selector, key: None }),
                1 => candidates.extend(keys().map(|key| Self { instance, selector, key: Some(key) })),
                _ => {}
            }
        }
        candidates
    }

    /// The call that returns how many tokens an account has: `balanceOf(address)`.
    pub(super) fn balance(token: InstanceId, of: Address) -> Self {
        Self { instance: token, selector: BALANCE_OF, key: Some(of.into_word().into()) }
    }

    /// The calldata.
    pub fn calldata(&self) -> Bytes {
        let key = self.key.map(|key| key.to_be_bytes::<32>());
        [&self.selector[..], key.as_ref().map_or(&[], |key| &key[..])].concat().into()
    }

    /// The call, made by somebody at the moment of a state.
    pub(super) fn call(&self, harness: &Harness, sender: Address, state: &Snapshot) -> Call {
        self.call_of(harness.calls.instance(self.instance).address, sender, state)
    }

    /// The same of a contract at any address.
    fn call_of(&self, contract: Address, sender: Address, state: &Snapshot) -> Call {
        Call {
            sender,
            target: CallTarget::Account(contract, self.calldata()),
            value: U256::ZERO,
            moment: state.moment(),
            scripted: None,
        }
    }
}

/// The call that returns how many tokens an account has, made by that account.
pub(super) fn balance_call(token: Address, of: Address, state: &Snapshot) -> Call {
    Getter::balance(InstanceId::MAIN, of).call_of(token, of, state)
}

impl Replay<'_> {
    /// Whether a getter returns something else after the call than before.
    pub(super) fn alters(&self, getter: &Getter) -> bool {
        let mut executor = self.harness.executor();
        let call = getter.call(self.harness, self.call.sender, &self.after);
        let mut returned = |state| {
            let outcome = executor.run(state, &call);
            (outcome.status == Status::Success && !outcome.output.is_empty()).then_some(outcome.output)
        };
        let (before, after) = (returned(&self.before), returned(&self.after));
        before.is_some() && after.is_some() && before != after
    }
}

/// Whether a text has a word.
fn mentions(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    text.split(|letter| !is_letter(letter)).any(|part| part == word)
}
