//! An [`ExpectedRevert`] is a revert that a test says the next call will end with. An [`AssumedNoRevert`] drops a run in which the next
//! call reverts.

use alloy_primitives::{Address, Bytes, hex};

/// The selector of `Error(string)`.
const ERROR: [u8; 4] = [0x08, 0xc3, 0x79, 0xa0];
/// The selector of `CheatcodeError(string)`.
const CHEATCODE_ERROR: [u8; 4] = [0xee, 0xaa, 0x9e, 0x6f];

/// A revert that would be accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::evm) struct AcceptedRevert {
    /// The data, or the message of an `Error(string)`; none for any.
    pub(in crate::evm) reason: Option<Bytes>,
    /// Whether only the first four bytes count.
    pub(in crate::evm) is_partial: bool,
    /// The contract that reverts; none for any.
    pub(in crate::evm) reverter: Option<Address>,
}

impl AcceptedRevert {
    /// Whether a revert is this one; else what differs.
    fn check(&self, output: &[u8], reverter: Option<Address>, is_cheatcode: bool) -> Result<(), String> {
        if let (Some(expected), Some(actual)) = (self.reverter, reverter)
            && expected != actual
        {
            return Err(format!("Reverter != expected reverter: {actual} != {expected}"));
        }
        let Some(expected) = &self.reason else { return Ok(()) };
        if !expected.is_empty() && output.is_empty() {
            return Err("call reverted as expected, but without data".to_owned());
        }
        if self.is_partial && output.get(..4) == expected.get(..4) {
            return Ok(());
        }
        let actual = message(output);
        let contains = || !expected.is_empty() && actual.windows(expected.len()).any(|part| part == expected.as_ref());
        if actual == expected.as_ref() || (is_cheatcode && contains()) {
            return Ok(());
        }
        Err(format!("Error != expected error: {} != {}", readable(actual), readable(expected)))
    }
}

/// The message of an `Error(string)`, or else the data itself.
fn message(output: &[u8]) -> &[u8] {
    let inner = || {
        let (selector, rest) = output.split_first_chunk::<4>()?;
        if !matches!(*selector, ERROR | CHEATCODE_ERROR) {
            return None;
        }
        let word = |at: usize| {
            let (high, low) = rest.get(at..at + 32)?.split_at(24);
            high.iter().all(|byte| *byte == 0).then(|| u64::from_be_bytes(low.try_into().unwrap_or_default()))
        };
        let at = usize::try_from(word(0)?).ok()?;
        let length = usize::try_from(word(at)?).ok()?;
        rest.get(at.checked_add(32)?..)?.get(..length)
    };
    inner().unwrap_or(output)
}

/// Data as text where it is text.
fn readable(data: &[u8]) -> String {
    match std::str::from_utf8(data) {
        Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
        _ => hex::encode_prefixed(data),
    }
}

/// A revert that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) struct ExpectedRevert {
    /// The revert.
    pub(in crate::evm) revert: AcceptedRevert,
    /// The depth of the call that is to revert.
    pub(in crate::evm) depth: usize,
    /// The depth of the innermost call since.
    pub(in crate::evm) max_depth: usize,
    /// How often; 0 for never.
    pub(in crate::evm) count: u64,
    /// How often it happened.
    pub(in crate::evm) seen: u64,
    /// The contract that reverted.
    pub(in crate::evm) reverted_by: Option<Address>,
    /// Whether the test itself may revert.
    pub(in crate::evm) may_be_internal: bool,
    /// Whether a cheatcode is to revert, as opposed to a contract.
    pub(in crate::evm) of_cheatcode: bool,
    /// Whether the call of the cheatcode that asks for it goes on.
    pub(in crate::evm) is_new: bool,
}

/// What comes of a call whose revert was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) enum RevertEnd {
    /// It reverted as expected: the caller sees it succeed.
    AsExpected,
    /// It did not: the caller sees it revert with this message.
    Complaint(String),
}

impl ExpectedRevert {
    /// A contract reverted while this was expected.
    pub(in crate::evm) fn note_reverter(&mut self, reverter: Address) {
        if self.revert.reverter.is_some() && (self.reverted_by.is_none() || self.count > 1) {
            self.reverted_by = Some(reverter);
        }
    }

    /// Judges the end of the call.
    pub(in crate::evm) fn judge(&self, succeeded: bool, output: &[u8]) -> RevertEnd {
        match self.complaint(succeeded, output) {
            None => RevertEnd::AsExpected,
            Some(complaint) => RevertEnd::Complaint(complaint),
        }
    }

    fn complaint(&self, succeeded: bool, output: &[u8]) -> Option<String> {
        if !self.of_cheatcode && !self.may_be_internal && self.max_depth <= self.depth {
            return Some("call didn't revert at a lower depth than cheatcode call depth".to_owned());
        }
        if self.count == 0 {
            return self.complaint_of_none(succeeded, output);
        }
        if succeeded {
            return Some("next call did not revert as expected".to_owned());
        }
        self.revert.check(output, self.reverted_by, self.of_cheatcode).err()
    }

    /// What is wrong where no such revert was to happen.
    fn complaint_of_none(&self, succeeded: bool, output: &[u8]) -> Option<String> {
        if succeeded {
            return None;
        }
        let (actual, by) = (message(output), self.reverted_by.unwrap_or_default());
        let told = readable(actual);
        let AcceptedRevert { reason, reverter, .. } = &self.revert;
        let is_it = reason.as_ref().is_none_or(|reason| actual == reason.as_ref())
            && reverter.is_none_or(|reverter| self.reverted_by == Some(reverter));
        let expected = reason.as_ref().map(|reason| readable(reason));
        Some(match (expected, reverter) {
            (None, None) => "call reverted when it was expected not to revert".to_owned(),
            (Some(reason), Some(from)) if is_it => {
                format!("expected 0 reverts with reason: {reason}, from address: {from}, but got one")
            }
            (Some(reason), None) if is_it => format!("expected 0 reverts with reason: {reason}, but got one"),
            (None, Some(from)) if is_it => format!("expected 0 reverts from address: {from}, but got one"),
            (Some(_), None) => format!("call reverted with '{told}' when it was expected not to revert"),
            (None, Some(from)) => format!("call reverted with '{told}' from {by}, but expected 0 reverts from {from}"),
            (Some(reason), Some(from)) => format!(
                "call reverted with '{told}' from {by}, but expected 0 reverts with reason '{reason}' from {from}"
            ),
        })
    }
}

/// A call whose revert drops the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) struct AssumedNoRevert {
    /// The depth of the call.
    pub(in crate::evm) depth: usize,
    /// The reverts that drop the run; none for any.
    pub(in crate::evm) reasons: Vec<AcceptedRevert>,
    /// The contract that reverted first.
    pub(in crate::evm) reverted_by: Option<Address>,
}

impl AssumedNoRevert {
    /// Whether a revert with this data drops the run.
    pub(in crate::evm) fn drops(&self, output: &[u8]) -> bool {
        let is_it = |reason: &AcceptedRevert| reason.check(output, self.reverted_by, false).is_ok();
        self.reasons.is_empty() || self.reasons.iter().any(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(revert: AcceptedRevert, count: u64) -> ExpectedRevert {
        ExpectedRevert {
            may_be_internal: false,
            revert,
            depth: 1,
            max_depth: 2,
            count,
            seen: 0,
            reverted_by: None,
            of_cheatcode: false,
            is_new: false,
        }
    }

    /// `Error("no")`
    fn error() -> Vec<u8> {
        let mut data = ERROR.to_vec();
        data.extend([[0; 31].as_slice(), &[32], &[0; 31], &[2], b"no", &[0; 30]].concat());
        data
    }

    #[test]
    fn the_message_of_an_error_counts_and_else_the_data() {
        let with = |reason: &'static [u8]| AcceptedRevert { reason: Some(reason.into()), ..AcceptedRevert::default() };
        let judge = |revert: AcceptedRevert, output: &[u8]| expected(revert, 1).judge(false, output);
        assert_eq!(judge(with(b"no"), &error()), RevertEnd::AsExpected);
        assert_eq!(judge(AcceptedRevert::default(), &[]), RevertEnd::AsExpected);
        let complaint = |text: &str| RevertEnd::Complaint(text.to_owned());
        assert_eq!(judge(with(b"yes"), &error()), complaint("Error != expected error: no != yes"));
        assert_eq!(judge(with(b"yes"), &[]), complaint("call reverted as expected, but without data"));
        let partial = AcceptedRevert { is_partial: true, ..with(&[1, 2, 3, 4]) };
        assert_eq!(judge(partial, &[1, 2, 3, 4, 5]), RevertEnd::AsExpected);
        assert_eq!(
            expected(with(b"no"), 0).judge(false, &error()),
            complaint("expected 0 reverts with reason: no, but got one")
        );
    }

    proptest::proptest! {
        #[test]
        fn no_data_makes_it_panic(data: Vec<u8>, head in proptest::sample::select(vec![ERROR, CHEATCODE_ERROR])) {
            let with_head = [&head[..], &data].concat();
            let reason = Some(Bytes::from(data.clone()));
            let revert = AcceptedRevert { reason, ..AcceptedRevert::default() };
            for count in 0..2 {
                expected(revert.clone(), count).judge(false, &with_head);
                expected(revert.clone(), count).judge(false, &data);
            }
        }
    }
}
