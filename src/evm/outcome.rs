//! An [`Outcome`] is the end of a call: how it ended, and what it returned.

use super::{
    cheats::{ASSUME, SKIP},
    instrument::TRANSFER_EVENT,
    panic,
};
use alloy_primitives::{Address, Bytes, Log, U256, hex};
use revm::context::result::HaltReason;

/// Characters of a revert reason that are shown; chosen by hand.
const MAX_REASON: usize = 200;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It came to its end.
    Success,
    /// REVERT.
    Revert,
    /// It consumed all its gas: INVALID, a bad jump, or out of gas.
    Halt(HaltReason),
    /// It could not start: the sender cannot pay.
    Refused,
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The data that it returned or reverted with.
    pub output: Bytes,
    /// The contract that it created.
    pub created: Option<Address>,
    /// Gas used.
    pub gas: u64,
    /// Its logs, in order; none if it failed.
    pub logs: Vec<Log>,
}

impl Outcome {
    /// Whether a test gave it up: an assumption does not hold, or the test skips itself.
    pub fn is_given_up(&self) -> bool {
        self.status == Status::Revert && (self.output.as_ref() == ASSUME || self.output.starts_with(SKIP))
    }

    /// Whether an account gets more of a token than it gives, as the token's `Transfer` events tell (ERC-20 and ERC-721).
    pub fn gives_tokens(&self, token: Address, account: Address) -> bool {
        let moves = self.logs.iter().filter(|log| log.address == token).filter_map(|log| match log.topics() {
            [event, from, to, number @ ..] if U256::from_be_bytes(event.0) == TRANSFER_EVENT => {
                let amount = || log.data.data.get(..32).map(U256::from_be_slice);
                // The number of a token is a topic, and the amount is data.
                let amount = if number.is_empty() { amount()? } else { U256::from(1) };
                Some((Address::from_word(*from), Address::from_word(*to), amount))
            }
            _ => None,
        });
        let (gets, gives) = moves.fold((U256::ZERO, U256::ZERO), |(gets, gives), (from, to, amount)| {
            let of = |whose: Address, sum: U256| if whose == account { sum.saturating_add(amount) } else { sum };
            (of(to, gets), of(from, gives))
        });
        gets > gives
    }

    /// The end of a call that changed nothing.
    pub(super) fn failed(status: Status, output: Bytes, gas: u64) -> Self {
        Self { status, output, created: None, gas, logs: Vec::new() }
    }

    /// The end for people: as [`told`](Self::told), and what a panic means.
    pub fn told_in_words(&self, error: impl FnOnce([u8; 4]) -> Option<String>) -> String {
        let told = self.told(error);
        let code = told.strip_prefix("panic 0x").and_then(|code| u64::from_str_radix(code, 16).ok());
        match code.and_then(panic::words) {
            Some(words) => format!("{told}: {words}"),
            None => told,
        }
    }

    /// The end in words, as the JSON output has them: `ok`, `panic 0x01`, `revert "reason"`, `revert Error`, `invalid`.
    /// `error` tells the name of a custom error by its selector.
    pub fn told(&self, error: impl FnOnce([u8; 4]) -> Option<String>) -> String {
        match &self.status {
            Status::Success => "ok".to_owned(),
            Status::Refused => "refused: the sender cannot pay".to_owned(),
            Status::Halt(reason) => match reason {
                HaltReason::InvalidFEOpcode => "invalid".to_owned(),
                HaltReason::OutOfGas(_) => "out of gas".to_owned(),
                other => format!("halt {other:?}"),
            },
            Status::Revert => match self.output.split_first_chunk::<4>() {
                Some(([0x4e, 0x48, 0x7b, 0x71], code)) if code.len() == 32 => {
                    format!("panic {:#04x}", U256::from_be_slice(code))
                }
                // The second one is how cheatcodes revert.
                Some(([0x08, 0xc3, 0x79, 0xa0] | [0xee, 0xaa, 0x9e, 0x6f], message)) => {
                    let decoded = alloy_dyn_abi::DynSolType::Bytes.abi_decode(message);
                    let bytes = decoded.ok().and_then(|value| value.as_bytes().map(<[u8]>::to_vec)).unwrap_or_default();
                    match std::str::from_utf8(&bytes) {
                        Ok(text) => format!("revert {:?}", shortened(text)),
                        Err(_) => format!("revert {}", shortened(&hex::encode_prefixed(&bytes))),
                    }
                }
                Some((selector, _)) => {
                    error(*selector).map_or_else(|| "revert".to_owned(), |name| format!("revert {name}"))
                }
                None => "revert".to_owned(),
            },
        }
    }
}

/// The beginning of a reason, which can be as long as gas allows.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_text_if_it_can_be_read() {
        for (reason, told) in [(&b"early"[..], "revert \"early\""), (&[0x92, 0x2c, 0x1e, 0x6f], "revert 0x922c1e6f")] {
            let mut output = vec![0x08, 0xc3, 0x79, 0xa0];
            output.extend(U256::from(32).to_be_bytes::<32>());
            output.extend(U256::from(reason.len()).to_be_bytes::<32>());
            output.extend(reason);
            output.resize(4 + 96, 0);
            assert_eq!(Outcome::failed(Status::Revert, output.into(), 0).told(|_| None), told);
        }
    }

    #[test]
    fn a_panic_is_told_in_words() {
        for (code, told) in [
            (0x01, "panic 0x01: assertion failed"),
            (0x11, "panic 0x11: arithmetic overflow"),
            (0x32, "panic 0x32: index out of bounds"),
            (0x99, "panic 0x99"),
        ] {
            let output = [[0x4e, 0x48, 0x7b, 0x71].as_slice(), &U256::from(code).to_be_bytes::<32>()].concat();
            assert_eq!(Outcome::failed(Status::Revert, output.into(), 0).told_in_words(|_| None), told);
        }
        assert_eq!(Outcome::failed(Status::Revert, Bytes::new(), 0).told_in_words(|_| None), "revert");
    }
}
