//! [`Mocks`] are answers that calls get in the place of a contract, and functions that other code answers.

use alloy_primitives::{Address, Bytes, U256};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, VecDeque},
};

/// Mocked calls and functions that are kept; chosen by hand, above what any test needs.
const MAX_MOCKS: usize = 4_096;
/// Bytes of calldata and answers that are kept of them, together; chosen by hand.
const MAX_BYTES: usize = 1 << 22;
/// Bytes of an answer beside its data, about.
const ANSWER: usize = 64;

/// A call that is answered in the place of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) struct Mock {
    /// The account that is called.
    pub(in crate::evm) callee: Address,
    /// The beginning of the calldata.
    pub(in crate::evm) calldata: Bytes,
    /// The ether sent with it, in wei; none for any.
    pub(in crate::evm) value: Option<U256>,
}

/// The answer to a mocked call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) struct MockAnswer {
    /// Whether the call reverts.
    pub(in crate::evm) reverts: bool,
    /// The data that it returns or reverts with.
    pub(in crate::evm) output: Bytes,
}

/// Longer calldata comes first, since it is the closer description, and among equals that with a value.
type Key = (Reverse<Bytes>, Reverse<Option<U256>>);

/// All mocked calls and functions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::evm) struct Mocks {
    calls: BTreeMap<Address, BTreeMap<Key, VecDeque<MockAnswer>>>,
    functions: BTreeMap<Address, BTreeMap<Bytes, Address>>,
    count: usize,
    bytes: usize,
}

impl Mocks {
    pub(in crate::evm) fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.functions.is_empty()
    }

    /// Whether there is room for one more, of this size, in the place of what was there.
    fn take_room(&mut self, bytes: usize, replaced: Option<usize>) -> bool {
        let count = self.count + usize::from(replaced.is_none());
        let total = self.bytes - replaced.unwrap_or(0) + bytes;
        let has_room = count <= MAX_MOCKS && total <= MAX_BYTES;
        if has_room {
            (self.count, self.bytes) = (count, total);
        }
        has_room
    }

    /// Has calls answered, with one answer after the other; the last one stays. Returns whether there was room for it.
    #[must_use]
    pub(in crate::evm) fn add(&mut self, mock: Mock, answers: VecDeque<MockAnswer>) -> bool {
        let key = (Reverse(mock.calldata), Reverse(mock.value));
        let known = self.calls.get(&mock.callee).and_then(|calls| calls.get(&key));
        let replaced = known.map(|answers| size(&key, answers));
        let has_room = self.take_room(size(&key, &answers), replaced);
        if has_room {
            self.calls.entry(mock.callee).or_default().insert(key, answers);
        }
        has_room
    }

    /// Has a function of one account answered by the code of another one. Returns whether there was room for it.
    #[must_use]
    pub(in crate::evm) fn add_function(&mut self, callee: Address, calldata: Bytes, code: Address) -> bool {
        let known = self.functions.get(&callee).and_then(|functions| functions.get(&calldata));
        let replaced = known.map(|_| calldata.len());
        let has_room = self.take_room(calldata.len(), replaced);
        if has_room {
            self.functions.entry(callee).or_default().insert(calldata, code);
        }
        has_room
    }

    /// Forgets the mocked calls.
    pub(in crate::evm) fn clear_calls(&mut self) {
        self.calls.clear();
        let functions = || self.functions.values().flat_map(BTreeMap::keys);
        (self.count, self.bytes) = (functions().count(), functions().map(|calldata| calldata.len()).sum());
    }

    /// The account whose code answers a call.
    pub(in crate::evm) fn function(&self, callee: Address, input: &[u8]) -> Option<Address> {
        let functions = self.functions.get(&callee)?;
        functions.get(input).or_else(|| functions.get(input.get(..4)?)).copied()
    }

    /// The key of the mock that a call is answered by.
    fn key(&self, callee: Address, input: &[u8], value: Option<U256>) -> Option<&Key> {
        let calls = self.calls.get(&callee)?;
        let is_exact = |key: &&Key| key.0.0.as_ref() == input && key.1.0 == value;
        let fits = |key: &&Key| input.starts_with(&key.0.0) && (key.1.0.is_none() || key.1.0 == value);
        calls.keys().find(is_exact).or_else(|| calls.keys().find(fits))
    }

    /// The answer to a call, and whether another one follows it.
    pub(in crate::evm) fn answer(
        &self,
        callee: Address,
        input: &[u8],
        value: Option<U256>,
    ) -> Option<(MockAnswer, bool)> {
        let answers = self.calls.get(&callee)?.get(self.key(callee, input, value)?)?;
        answers.front().map(|answer| (answer.clone(), answers.len() > 1))
    }

    /// Goes on to the next answer to such a call.
    pub(in crate::evm) fn advance(&mut self, callee: Address, input: &[u8], value: Option<U256>) {
        let Some(key) = self.key(callee, input, value).cloned() else { return };
        let answers = self.calls.get_mut(&callee).and_then(|calls| calls.get_mut(&key));
        if let Some(answered) = answers.and_then(VecDeque::pop_front) {
            self.bytes -= answered.output.len() + ANSWER;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.count * 128
    }
}

/// The bytes that a mocked call takes.
fn size(key: &Key, answers: &VecDeque<MockAnswer>) -> usize {
    key.0.0.len() + answers.iter().map(|answer| answer.output.len() + ANSWER).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Address = Address::repeat_byte(7);

    fn answer(number: u8) -> MockAnswer {
        MockAnswer { reverts: false, output: vec![number].into() }
    }

    fn add(mocks: &mut Mocks, calldata: &'static [u8], value: Option<u64>, answers: &[u8]) -> bool {
        let mock = Mock { callee: AT, calldata: calldata.into(), value: value.map(U256::from) };
        mocks.add(mock, answers.iter().map(|number| answer(*number)).collect())
    }

    #[test]
    fn the_closest_description_answers() {
        let mut mocks = Mocks::default();
        assert!(add(&mut mocks, &[1, 2, 3, 4], None, &[10]));
        assert!(add(&mut mocks, &[1, 2, 3, 4, 5], None, &[11]));
        assert!(add(&mut mocks, &[1, 2, 3, 4], Some(9), &[12]));
        let answers = |input: &[u8], value: u64| {
            mocks.answer(AT, input, Some(U256::from(value))).map(|(answer, _)| answer.output[0])
        };
        assert_eq!(answers(&[1, 2, 3, 4, 5, 6], 9), Some(11));
        assert_eq!(answers(&[1, 2, 3, 4, 6], 9), Some(12));
        assert_eq!(answers(&[1, 2, 3, 4], 8), Some(10));
        assert_eq!(answers(&[1, 2], 8), None);
        assert_eq!(mocks.answer(Address::ZERO, &[1, 2, 3, 4], None), None);
    }

    #[test]
    fn answers_follow_each_other_and_the_last_one_stays() {
        let mut mocks = Mocks::default();
        assert!(add(&mut mocks, &[1], None, &[10, 11]));
        let mut told = Vec::new();
        for _ in 0..3 {
            let (answer, goes_on) = mocks.answer(AT, &[1], None).unwrap();
            told.push(answer.output[0]);
            if goes_on {
                mocks.advance(AT, &[1], None);
            }
        }
        assert_eq!(told, [10, 11, 11]);
    }

    #[test]
    fn mocks_are_bounded() {
        let mut mocks = Mocks::default();
        for _ in 0..2 * MAX_MOCKS {
            assert!(add(&mut mocks, &[1], None, &[1]), "another answer to the same call");
        }
        let kept = (0..2 * MAX_MOCKS as u64).filter(|value| add(&mut mocks, &[1], Some(*value), &[1])).count();
        assert_eq!(kept, MAX_MOCKS - 1);
        mocks.clear_calls();
        let huge = Mock { callee: AT, calldata: vec![0; MAX_BYTES].into(), value: None };
        assert!(mocks.clone().add(huge.clone(), VecDeque::new()));
        assert!(!mocks.add(huge, VecDeque::from([answer(1)])));
    }
}
