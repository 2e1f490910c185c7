//! [`Arguments`] reads the arguments of a cheatcode from its calldata: words where they stand, and what they point to. Nothing is copied.
//! Calldata is anybody's bytes: whatever it is, a read gives a value or an error.

use super::error::CheatError;
use alloy_primitives::{Address, B256, Bytes, I256, U256};
use std::borrow::Cow;

/// Arguments, or the fields of a struct.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arguments<'a> {
    data: &'a [u8],
}

impl<'a> Arguments<'a> {
    /// The arguments behind a selector.
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self { data }
    }

    fn bytes_at(&self, at: usize) -> Result<&'a [u8; 32], CheatError> {
        self.data.get(at..).and_then(<[u8]>::first_chunk).ok_or(CheatError::MALFORMED)
    }

    /// An argument as a word.
    pub(super) fn word(&self, index: usize) -> Result<U256, CheatError> {
        self.b256(index).map(Into::into)
    }

    /// An argument as 32 bytes.
    pub(super) fn b256(&self, index: usize) -> Result<B256, CheatError> {
        self.bytes_at(index * 32).map(B256::from)
    }

    /// A signed argument.
    pub(super) fn int(&self, index: usize) -> Result<I256, CheatError> {
        self.word(index).map(I256::from_raw)
    }

    /// An argument that is an account.
    pub(super) fn address(&self, index: usize) -> Result<Address, CheatError> {
        self.b256(index).map(Address::from_word)
    }

    /// An argument that is true or false.
    pub(super) fn boolean(&self, index: usize) -> Result<bool, CheatError> {
        self.word(index).map(|word| !word.is_zero())
    }

    /// A number of 64 bits.
    pub(super) fn u64(&self, index: usize) -> Result<u64, CheatError> {
        u64::try_from(self.word(index)?).map_err(|_| CheatError::MALFORMED)
    }

    /// An argument of four bytes.
    pub(super) fn selector(&self, index: usize) -> Result<Bytes, CheatError> {
        self.bytes_at(index * 32).map(|word| Bytes::copy_from_slice(&word[..4]))
    }

    /// An offset or a length: one that is larger than the calldata is wrong.
    fn size_at(&self, at: usize) -> Result<usize, CheatError> {
        let word = U256::from_be_bytes(*self.bytes_at(at)?);
        usize::try_from(word).ok().filter(|size| *size <= self.data.len()).ok_or(CheatError::MALFORMED)
    }

    /// Where an argument of variable length stands.
    fn tail(&self, index: usize) -> Result<Self, CheatError> {
        let at = self.size_at(index * 32)?;
        Ok(Self { data: &self.data[at..] })
    }

    /// The bytes that stand here behind their length.
    fn here(&self) -> Result<&'a [u8], CheatError> {
        let length = self.size_at(0)?;
        self.data.get(32..).and_then(|rest| rest.get(..length)).ok_or(CheatError::MALFORMED)
    }

    /// The elements that stand here behind their number.
    fn elements(&self) -> Result<(Self, usize), CheatError> {
        let count = self.size_at(0)?;
        let elements = self.data.get(32..).ok_or(CheatError::MALFORMED)?;
        // Each takes one word at least.
        if count > elements.len() / 32 {
            return Err(CheatError::MALFORMED);
        }
        Ok((Self { data: elements }, count))
    }

    /// An argument of bytes.
    pub(super) fn bytes(&self, index: usize) -> Result<&'a [u8], CheatError> {
        self.tail(index)?.here()
    }

    /// An argument that is a text. What is not UTF-8 is replaced.
    pub(super) fn text(&self, index: usize) -> Result<Cow<'a, str>, CheatError> {
        self.bytes(index).map(String::from_utf8_lossy)
    }

    /// A list of words.
    pub(super) fn words(&self, index: usize) -> Result<Vec<U256>, CheatError> {
        let (elements, count) = self.tail(index)?.elements()?;
        (0..count).map(|at| elements.word(at)).collect()
    }

    /// A list of bytes or texts. All together are no longer than the calldata, unless several are at one place, which no compiler makes
    /// of different ones: that would be a way to have a few bytes read a million times.
    pub(super) fn many(&self, index: usize) -> Result<Vec<&'a [u8]>, CheatError> {
        let (elements, count) = self.tail(index)?.elements()?;
        let many: Vec<&[u8]> = (0..count).map(|at| elements.bytes(at)).collect::<Result<_, _>>()?;
        let total: usize = many.iter().map(|bytes| bytes.len()).sum();
        if total <= self.data.len() { Ok(many) } else { Err(CheatError::MALFORMED) }
    }

    /// A struct with a field of variable length.
    pub(super) fn fields(&self, index: usize) -> Result<Self, CheatError> {
        self.tail(index)
    }

    /// A list of structs with a field of variable length each.
    pub(super) fn structs(&self, index: usize) -> Result<Vec<Self>, CheatError> {
        let (elements, count) = self.tail(index)?.elements()?;
        (0..count).map(|at| elements.fields(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_dyn_abi::DynSolValue;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_was_encoded_is_read(number: u64, text: String, list: Vec<u64>, many: Vec<Vec<u8>>) {
            let words = |list: &[u64]| list.iter().map(|word| DynSolValue::Uint(U256::from(*word), 256)).collect();
            let value = DynSolValue::Tuple(vec![
                DynSolValue::Uint(U256::from(number), 256),
                DynSolValue::String(text.clone()),
                DynSolValue::Array(words(&list)),
                DynSolValue::Array(many.iter().cloned().map(DynSolValue::Bytes).collect()),
            ]);
            let data = value.abi_encode_params();
            let arguments = Arguments::new(&data);
            prop_assert_eq!(arguments.u64(0).unwrap(), number);
            prop_assert_eq!(arguments.text(1).unwrap(), text);
            let list: Vec<U256> = list.into_iter().map(U256::from).collect();
            prop_assert_eq!(arguments.words(2).unwrap(), list);
            prop_assert_eq!(arguments.many(3).unwrap(), many);
        }

        /// Offsets and lengths that are near the edges, and any bytes around them.
        #[test]
        fn whatever_the_bytes_are_nothing_panics(
            words in prop::collection::vec(prop_oneof![0..300_u64, Just(u64::MAX), any::<u64>()], 0..12),
            rest: Vec<u8>,
        ) {
            let words = words.iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>());
            let data: Vec<u8> = words.chain(rest).collect();
            let arguments = Arguments::new(&data);
            for index in 0..14 {
                let _ = (arguments.word(index), arguments.address(index), arguments.u64(index));
                let _ = (arguments.bytes(index), arguments.text(index), arguments.words(index));
                let _ = (arguments.many(index), arguments.selector(index));
                if let Ok(structs) = arguments.structs(index) {
                    structs.iter().for_each(|fields| drop(fields.bytes(2)));
                }
            }
        }
    }

    #[test]
    fn a_few_bytes_are_not_read_a_million_times() {
        let word = |number: u64| U256::from(number).to_be_bytes::<32>();
        let mut data = [word(32), word(100)].concat();
        // A hundred elements, all of them at the same thousand bytes.
        data.extend((0..100).flat_map(|_| word(3_200)));
        data.extend(word(1_000));
        data.extend([7; 1_000]);
        assert!(Arguments::new(&data).many(0).is_err());
    }
}
