//! [`ExpectedEmits`] are logs that a test says the next call will emit. The test emits each of them itself first, which fills it in; then
//! the logs of the call are compared with them, in order. Other logs may be emitted between them.

use alloy_primitives::{Address, Log, LogData, hex};
use std::collections::VecDeque;

/// Logs that are expected at once; chosen by hand, above what any test needs.
const MAX_EXPECTED: usize = 256;
/// Emitters that are told apart for each of them; chosen by hand.
const MAX_EMITTERS: usize = 64;

/// What of a log is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evm) struct EmitChecks {
    /// Which topics, the event's signature first.
    pub(in crate::evm) topics: [bool; 4],
    /// Whether the data.
    pub(in crate::evm) data: bool,
    /// The contract that is to emit it; none for any.
    pub(in crate::evm) emitter: Option<Address>,
    /// Whether the event may be anonymous.
    pub(in crate::evm) is_anonymous: bool,
    /// How often it is to be emitted.
    pub(in crate::evm) count: u64,
}

/// A log that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ExpectedEmit {
    depth: usize,
    checks: EmitChecks,
    /// What is expected, as soon as the test has emitted it.
    log: Option<LogData>,
    /// How often each contract emitted it.
    counts: Vec<(Address, u64)>,
    is_found: bool,
    /// How the last log differed.
    mismatch: Option<String>,
}

impl ExpectedEmit {
    /// Whether a log is the expected one, whoever emits it.
    fn fits(&self, log: &LogData) -> bool {
        let Some(expected) = &self.log else { return false };
        let topics = expected.topics().iter().zip(log.topics()).zip(self.checks.topics);
        expected.topics().len() == log.topics().len()
            && topics.into_iter().all(|((expected, actual), is_checked)| !is_checked || expected == actual)
            && (!self.checks.data || expected.data == log.data)
    }

    fn is_from(&self, emitter: Address) -> bool {
        self.checks.emitter.is_none_or(|expected| expected == emitter)
    }

    fn count(&mut self, emitter: Address) {
        let known = self.counts.iter().position(|(address, _)| *address == emitter);
        match known {
            Some(at) => self.counts[at].1 += 1,
            None if self.counts.len() < MAX_EMITTERS => self.counts.push((emitter, 1)),
            None => {}
        }
    }

    /// How often it was emitted.
    fn seen(&self) -> u64 {
        self.counts.iter().filter(|(emitter, _)| self.is_from(*emitter)).map(|(_, count)| count).sum()
    }

    /// Compares a log with it.
    fn compare(&mut self, log: &Log) {
        if !self.fits(&log.data) {
            self.mismatch = Some(self.difference(log));
            return;
        }
        self.count(log.address);
        if !self.is_from(log.address) {
            let expected = self.checks.emitter.unwrap_or_default();
            self.mismatch = Some(format!("log emitter mismatch: expected={expected:#x}, got={:#x}", log.address));
            return;
        }
        let enough = |count: &u64| *count >= self.checks.count;
        self.is_found = self.counts.iter().any(|(emitter, count)| self.is_from(*emitter) && enough(count));
    }

    /// How a log differs, parameter by parameter where the two are of one event.
    fn difference(&self, log: &LogData) -> String {
        let (checks, other) = (&self.checks, "log != expected log".to_owned());
        let Some(expected) = &self.log else { return other };
        let (wanted, topics) = (expected.topics(), log.topics());
        let signature = usize::from(!checks.is_anonymous);
        if wanted.len() != topics.len() || (signature == 1 && checks.topics[0] && wanted.first() != topics.first()) {
            return other;
        }
        let words = !expected.data.is_empty() && expected.data.len().is_multiple_of(32);
        let data_differs = checks.data && expected.data != log.data;
        if data_differs && (expected.data.len() != log.data.len() || !words) {
            return other;
        }
        let of_topics = wanted.iter().zip(topics).zip(checks.topics).enumerate().skip(signature);
        let of_topics = of_topics.filter(|(_, ((wanted, topic), is_checked))| *is_checked && wanted != topic);
        let mut differences: Vec<String> = of_topics
            .map(|(at, ((wanted, topic), _))| format!("param {}: expected={wanted}, got={topic}", at - signature))
            .collect();
        if data_differs {
            let first = wanted.len().saturating_sub(signature);
            let words = expected.data.chunks(32).zip(log.data.chunks(32)).enumerate();
            differences.extend(words.filter(|(_, (wanted, word))| wanted != word).map(|(at, (wanted, word))| {
                let (wanted, word) = (hex::encode_prefixed(wanted), hex::encode_prefixed(word));
                format!("param {}: expected={wanted}, got={word}", first + at)
            }));
        }
        if differences.is_empty() {
            return other;
        }
        let anonymous = if checks.is_anonymous { "anonymous " } else { "" };
        format!("{anonymous}log mismatch at {}", differences.join(", "))
    }
}

/// What comes of a call while logs are expected of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) enum EmitEnd {
    /// Nothing.
    Fine,
    /// The caller sees it revert with this message.
    Complaint(String),
}

/// The logs that are expected. Those that were found stand behind the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::evm) struct ExpectedEmits(VecDeque<ExpectedEmit>);

impl ExpectedEmits {
    pub(in crate::evm) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::evm) fn clear(&mut self) {
        self.0.clear();
    }

    fn found_from(&self) -> usize {
        self.0.iter().position(|emit| emit.is_found).unwrap_or(self.0.len())
    }

    /// Expects one more log of calls at this depth. Returns whether there was room for it.
    #[must_use]
    pub(in crate::evm) fn expect(&mut self, depth: usize, checks: EmitChecks) -> bool {
        let has_room = self.0.len() < MAX_EXPECTED;
        if has_room {
            let (log, counts, mismatch) = (None, Vec::new(), None);
            let emit = ExpectedEmit { depth, checks, log, counts, is_found: false, mismatch };
            self.0.insert(self.found_from(), emit);
        }
        has_room
    }

    /// A log was emitted.
    ///
    /// # Errors
    ///
    /// The message with which the frame that emits it reverts.
    pub(in crate::evm) fn emitted(&mut self, log: &Log) -> Result<(), &'static str> {
        if self.0.iter().all(|emit| emit.is_found) {
            return Ok(());
        }
        let is_unwanted = |emit: &ExpectedEmit| {
            emit.checks.count == 0 && !emit.is_found && emit.fits(&log.data) && emit.is_from(log.address)
        };
        if self.0.iter().any(is_unwanted) {
            return Err("log emitted but expected 0 times");
        }
        let found_from = self.found_from();
        if self.0.iter().any(|emit| emit.log.is_none()) {
            // The one that was asked for last is filled in.
            let Some(emit) = found_from.checked_sub(1).and_then(|at| self.0.get_mut(at)) else { return Ok(()) };
            if emit.log.is_some() {
                return Ok(());
            }
            if !emit.checks.is_anonymous && log.topics().is_empty() {
                return Err("use vm.expectEmitAnonymous to match anonymous events");
            }
            emit.log = Some(log.data.clone());
            return Ok(());
        }
        let next = self.0.iter().position(|emit| !emit.is_found && emit.checks.count > 0);
        if let Some(mut emit) = next.and_then(|at| self.0.remove(at)) {
            emit.compare(log);
            if emit.is_found { self.0.push_back(emit) } else { self.0.push_front(emit) }
        }
        Ok(())
    }

    /// A call at this depth, which is not static, ends.
    pub(in crate::evm) fn end_call(&mut self, depth: usize, succeeded: bool) -> EmitEnd {
        if !self.0.iter().any(|emit| emit.depth == depth) {
            return EmitEnd::Fine;
        }
        if let Some(missing) = self.0.iter().find(|emit| !emit.is_found && emit.checks.count > 0) {
            let complaint = missing.mismatch.clone().unwrap_or_else(|| "log != expected log".to_owned());
            return EmitEnd::Complaint(complaint);
        }
        if let Some(other) = self.0.iter().find(|emit| emit.seen() != emit.checks.count) {
            return EmitEnd::Complaint(if succeeded {
                format!("log emitted {} times, expected {}", other.seen(), other.checks.count)
            } else {
                REVERTED.to_owned()
            });
        }
        self.0.clear();
        EmitEnd::Fine
    }

    /// What is wrong at the end of the transaction, if anything is.
    pub(in crate::evm) fn complaint(&mut self) -> Option<String> {
        self.0.retain(|emit| !emit.is_found && emit.checks.count > 0);
        (!self.0.is_empty()).then(|| {
            "expected an emit, but no logs were emitted afterwards. \
             you might have mismatched events or not enough events were emitted"
                .to_owned()
        })
    }
}

const REVERTED: &str = "expected an emit, but the call reverted instead. \
                        ensure you're testing the happy path when using `expectEmit`";

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::B256;

    const CHECKS: EmitChecks =
        EmitChecks { topics: [true; 4], data: true, emitter: None, is_anonymous: false, count: 1 };

    fn log(emitter: u8, topics: &[u8], data: u8) -> Log {
        let topics = topics.iter().map(|topic| B256::repeat_byte(*topic)).collect();
        Log { address: Address::repeat_byte(emitter), data: LogData::new_unchecked(topics, vec![data; 32].into()) }
    }

    /// The end of a call that emits `logs` while these are expected, each filled in with its own log.
    fn end(expected: &[(EmitChecks, Log)], logs: &[Log]) -> EmitEnd {
        let mut emits = ExpectedEmits::default();
        for (checks, log) in expected {
            assert!(emits.expect(1, *checks));
            emits.emitted(log).unwrap();
        }
        logs.iter().for_each(|log| emits.emitted(log).unwrap());
        emits.end_call(1, true)
    }

    #[test]
    fn logs_are_expected_in_order_with_others_between() {
        let (one, two) = ((CHECKS, log(0, &[1], 1)), (CHECKS, log(0, &[2], 2)));
        let emitted = [log(9, &[1], 1), log(9, &[3], 3), log(9, &[2], 2)];
        assert_eq!(end(&[one.clone(), two.clone()], &emitted), EmitEnd::Fine);
        assert!(matches!(end(&[two, one], &emitted), EmitEnd::Complaint(_)), "the other way around");
    }

    #[test]
    fn what_is_not_checked_may_differ() {
        let emitted = [log(9, &[1, 5], 7)];
        let expected = log(0, &[1, 6], 8);
        let all = end(&[(CHECKS, expected.clone())], &emitted);
        let EmitEnd::Complaint(text) = all else { panic!() };
        assert!(text.starts_with("log mismatch at param 0: expected=0x0606"), "{text}");
        let loose = EmitChecks { topics: [true, false, true, true], data: false, ..CHECKS };
        assert_eq!(end(&[(loose, expected.clone())], &emitted), EmitEnd::Fine);
        let by_other = EmitChecks { emitter: Some(Address::repeat_byte(8)), ..loose };
        assert!(matches!(end(&[(by_other, expected)], &emitted), EmitEnd::Complaint(_)));
    }

    #[test]
    fn logs_are_counted() {
        let twice = EmitChecks { count: 2, ..CHECKS };
        let expected = [(twice, log(0, &[1], 1))];
        assert!(matches!(end(&expected, &[log(9, &[1], 1)]), EmitEnd::Complaint(_)));
        assert_eq!(end(&expected, &[log(9, &[1], 1), log(9, &[1], 1)]), EmitEnd::Fine);
        let never = EmitChecks { count: 0, ..CHECKS };
        let mut emits = ExpectedEmits::default();
        assert!(emits.expect(1, never));
        emits.emitted(&log(9, &[1], 1)).unwrap();
        assert_eq!(emits.clone().end_call(1, true), EmitEnd::Fine);
        assert!(emits.emitted(&log(9, &[1], 1)).is_err());
    }
}
