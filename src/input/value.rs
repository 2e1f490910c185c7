//! A [`Value`] is a typed ABI value. This module draws fresh ones: numbers that contracts compare with, accounts that exist,
//! short arrays, text that people write. It does not change values (that is `mutate`) and knows no calls.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, Function, I256, U256};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::dictionary::Dictionary;
use super::number;
use super::types::{Parameter, Type};

/// A typed ABI value. An enum is a `Uint(_, 8)`, a struct a `Tuple`.
pub use alloy_dyn_abi::DynSolValue as Value;

/// Elements that are generated into one array at most; chosen by hand.
pub const MAX_ELEMENTS: usize = 256;

/// Bytes that are generated into one `bytes` or `string` at most; chosen by hand.
pub const MAX_BYTES: usize = 4_096;

/// Words that are generated into one array at most, over all levels; chosen by hand.
const MAX_ARRAY_WORDS: usize = 16_384;

/// Lengths of byte strings that code takes apart: a selector, an address, a word, a signature, two words, a call.
const BYTES_LENGTHS: [usize; 10] = [4, 20, 32, 33, 36, 64, 65, 68, 96, 100];

/// Text of more than one byte a character: two, three and four bytes, a combining mark, right-to-left.
const MULTIBYTE: [&str; 5] = ["é", "€", "🦀", "e\u{301}", "\u{202e}"];

/// The special values that generation draws from, beside random ones.
#[derive(Clone, Copy, Debug)]
pub struct ValueSource<'a> {
    /// Values that the contract treats specially.
    pub dictionary: &'a Dictionary,
    /// Addresses that exist: senders, attackers, the contracts themselves.
    pub accounts: &'a [Address],
    /// The addresses of the contracts that fit each contract type.
    pub fitting: &'a Fitting,
    /// Whether what is declared as a contract is always one that fits, where there is one.
    pub is_strict: bool,
    /// Whether half of the numbers are any number of their type, all alike: for functions that bring what they take into a range.
    pub is_uniform: bool,
}

/// For each contract type by name, the addresses of the contracts that fit it.
pub type Fitting = BTreeMap<String, Vec<Address>>;

#[cfg(test)]
impl<'a> ValueSource<'a> {
    /// The source of a world without contracts.
    pub(super) fn sample(dictionary: &'a Dictionary, accounts: &'a [Address]) -> Self {
        static FITTING: Fitting = BTreeMap::new();
        Self { dictionary, accounts, fitting: &FITTING, is_strict: false, is_uniform: false }
    }
}

impl Type {
    /// A fresh value of this type.
    pub fn generate<R: Rng + ?Sized>(&self, rng: &mut R, source: &ValueSource<'_>) -> Value {
        self.generate_at(rng, source, 0)
    }

    fn generate_at<R: Rng + ?Sized>(&self, rng: &mut R, source: &ValueSource<'_>, depth: usize) -> Value {
        match self {
            Self::Bool => Value::Bool(rng.random()),
            Self::Address => Value::Address(address(rng, source)),
            Self::Contract { name, is_declared } => Value::Address(contract(rng, source, name, *is_declared)),
            Self::Uint(bits) if source.is_uniform && rng.random() => Value::Uint(number::random(rng, *bits), *bits),
            Self::Uint(bits) => Value::Uint(number::number(rng, *bits, source.dictionary), *bits),
            Self::Int(bits) => {
                let raw = number::signed_number(rng, *bits, source.dictionary);
                Value::Int(I256::from_raw(number::sign_extend(raw, *bits)), *bits)
            }
            Self::Enum { members, .. } => Value::Uint(U256::from(member(rng, *members)), 8),
            Self::FixedBytes(n) => Value::FixedBytes(fixed_bytes(rng, *n, source), *n),
            Self::Function => {
                let mut pointer = [0; 24];
                pointer[..20].copy_from_slice(address(rng, source).as_slice());
                pointer[20..].copy_from_slice(&fixed_bytes(rng, 4, source)[..4]);
                Value::Function(Function::from(pointer))
            }
            Self::Bytes => Value::Bytes(bytes(rng, source)),
            Self::String => Value::String(string(rng, source)),
            Self::Array(inner) => {
                let length = length(rng, depth).min(max_elements(inner));
                Value::Array((0..length).map(|_| inner.generate_at(rng, source, depth + 1)).collect())
            }
            Self::FixedArray(inner, n) => {
                Value::FixedArray((0..*n).map(|_| inner.generate_at(rng, source, depth + 1)).collect())
            }
            Self::Tuple { fields, .. } => {
                Value::Tuple(fields.iter().map(|f| f.ty.generate_at(rng, source, depth)).collect())
            }
        }
    }
}

/// A fresh value for each parameter.
pub fn arguments<R: Rng + ?Sized>(parameters: &[Parameter], rng: &mut R, source: &ValueSource<'_>) -> Vec<Value> {
    parameters.iter().map(|p| p.ty.generate(rng, source)).collect()
}

/// The number of elements that an array of this type may have.
pub(super) fn max_elements(inner: &Type) -> usize {
    (MAX_ARRAY_WORDS / inner.element_words().max(1)).clamp(1, MAX_ELEMENTS)
}

/// An address: mostly of an account, sometimes zero or one that the contract mentions, rarely anybody's.
pub(super) fn address<R: Rng + ?Sized>(rng: &mut R, source: &ValueSource<'_>) -> Address {
    let known = match rng.random_range(0..100u32) {
        0..84 => source.accounts.choose(rng).copied(),
        84..89 => Some(Address::ZERO),
        89..94 => source.dictionary.choose_address(rng, source.is_strict),
        // The precompiles: addresses that answer without having code.
        94..96 => Some(Address::with_last_byte(rng.random_range(1..=10u8))),
        _ => None,
    };
    known.unwrap_or_else(|| {
        let mut address = Address::ZERO;
        rng.fill_bytes(address.as_mut_slice());
        address
    })
}

/// The address of a contract of this type, if there is one: nearly always where that is declared, otherwise half of the time.
pub(super) fn contract<R: Rng + ?Sized>(
    rng: &mut R,
    source: &ValueSource<'_>,
    name: &str,
    is_declared: bool,
) -> Address {
    let fitting = source.fitting.get(name).map_or(&[][..], Vec::as_slice);
    let share = match (is_declared, source.is_strict) {
        (true, true) => 16,
        (true, false) => 15,
        (false, _) => 8,
    };
    match fitting.choose(rng) {
        Some(known) if rng.random_range(0..16u32) < share => *known,
        _ => address(rng, source),
    }
}

/// A member of an enum; rarely (2 %) a number that is none.
pub(super) fn member<R: Rng + ?Sized>(rng: &mut R, members: u16) -> u16 {
    if members < 256 && rng.random_range(0..50u32) == 0 {
        match rng.random_range(0..3u32) {
            0 => members,
            1 => 255,
            _ => rng.random_range(members..256),
        }
    } else {
        rng.random_range(0..members.max(1))
    }
}

/// A `bytesN`, left-aligned.
pub(super) fn fixed_bytes<R: Rng + ?Sized>(rng: &mut R, n: usize, source: &ValueSource<'_>) -> B256 {
    let bits = 8 * n;
    let right = match rng.random_range(0..100u32) {
        0..10 => U256::ZERO,
        // Constants are found right-aligned (`PUSH4`) or left-aligned (`PUSH32`), depending on the compiler.
        10..35 => match source.dictionary.choose_exact(rng) {
            Some(word) if word.bit_len() > bits => word >> (256 - bits),
            Some(word) => word,
            None => number::random(rng, bits),
        },
        35..45 => {
            let text = string(rng, source).into_bytes();
            let mut word = [0; 32];
            let length = text.len().min(n);
            word[..length].copy_from_slice(&text[..length]);
            U256::from_be_bytes(word) >> (256 - bits)
        }
        45..65 => number::number(rng, bits, source.dictionary),
        _ => number::random(rng, bits),
    } & number::mask(bits);
    left_aligned(right, n)
}

/// The word whose first `n` bytes are the last of `right`.
pub(super) fn left_aligned(right: U256, n: usize) -> B256 {
    if n == 0 { B256::ZERO } else { B256::from(right << (256 - 8 * n)) }
}

/// The length of an array: mostly at most four, rarely up to 32, shorter the deeper it is nested.
fn length<R: Rng + ?Sized>(rng: &mut R, depth: usize) -> usize {
    let most = match depth {
        0 => 32,
        1 => 8,
        2 => 3,
        _ => 1,
    };
    let length = match rng.random_range(0..100u32) {
        0..18 => 0,
        18..48 => 1,
        48..72 => 2,
        72..84 => 3,
        84..92 => 4,
        _ => rng.random_range(5..=32u32) as usize,
    };
    length.min(most)
}

/// A byte string: empty, a few bytes, of a length that code takes apart, or like calldata, made of words.
pub(super) fn bytes<R: Rng + ?Sized>(rng: &mut R, source: &ValueSource<'_>) -> Vec<u8> {
    let length = match rng.random_range(0..100u32) {
        0..15 => 0,
        15..40 => rng.random_range(1..=4u32) as usize,
        40..75 => *BYTES_LENGTHS.choose(rng).unwrap_or(&32),
        75..85 => {
            if let Some(bytes) = source.dictionary.choose_bytes(rng) {
                return bytes.to_vec();
            }
            32
        }
        85..98 => rng.random_range(0..=128u32) as usize,
        _ => rng.random_range(129..=1_024u32) as usize,
    };
    bytes_of_length(rng, length, source)
}

/// A byte string of this length.
pub(super) fn bytes_of_length<R: Rng + ?Sized>(rng: &mut R, length: usize, source: &ValueSource<'_>) -> Vec<u8> {
    let mut bytes = vec![0; length];
    match rng.random_range(0..8u32) {
        0 => {}
        1 => bytes.fill(0xff),
        2..5 => rng.fill_bytes(&mut bytes),
        _ => {
            // As calldata: a selector if the length says so, then words.
            let (selector, rest) = bytes.split_at_mut(length % 32);
            let word = source.dictionary.choose_exact(rng).unwrap_or_else(|| number::random(rng, 32));
            if word.bit_len() <= 32 && selector.len() >= 4 {
                selector[..4].copy_from_slice(&word.to_be_bytes::<32>()[28..]);
            } else {
                rng.fill_bytes(selector);
            }
            for chunk in rest.chunks_exact_mut(32) {
                let word = match rng.random_range(0..4u32) {
                    0 => address(rng, source).into_word(),
                    _ => B256::from(number::number(rng, 256, source.dictionary)),
                };
                chunk.copy_from_slice(word.as_slice());
            }
        }
    }
    bytes
}

/// Text: mostly printable ASCII, sometimes a literal of the contract, rarely characters of several bytes.
pub(super) fn string<R: Rng + ?Sized>(rng: &mut R, source: &ValueSource<'_>) -> String {
    let kind = rng.random_range(0..100u32);
    if kind < 20
        && let Some(string) = source.dictionary.choose_string(rng)
    {
        return string.to_owned();
    }
    let length = match rng.random_range(0..100u32) {
        0..12 => 0,
        12..80 => rng.random_range(1..=10u32),
        // Solidity stores 31 bytes in place and 32 elsewhere.
        80..92 => rng.random_range(30..=34u32),
        _ => rng.random_range(11..=100u32),
    };
    let mut string: String = (0..length).map(|_| ascii(rng)).collect();
    if kind >= 95 {
        string.push_str(MULTIBYTE.choose(rng).unwrap_or(&"é"));
    }
    string
}

/// A printable ASCII character.
pub(super) fn ascii<R: Rng + ?Sized>(rng: &mut R) -> char {
    char::from(rng.random_range(b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn enums_are_mostly_in_range() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let outside = (0..10_000).filter(|_| member(&mut rng, 3) >= 3).count();
        assert!((100..300).contains(&outside), "{outside} of 10,000");
        assert!((0..10_000).all(|_| member(&mut rng, 256) < 256));
    }

    #[test]
    fn addresses_are_mostly_accounts() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let accounts = [0x11, 0x22].map(Address::repeat_byte);
        let dictionary = Dictionary::default();
        let source = ValueSource::sample(&dictionary, &accounts);
        let drawn: Vec<_> = (0..1_000).map(|_| address(&mut rng, &source)).collect();
        let known = drawn.iter().filter(|a| accounts.contains(a)).count();
        assert!((780..880).contains(&known), "{known} of 1,000");
        assert!(drawn.contains(&Address::ZERO));
    }

    #[test]
    fn a_selector_of_the_code_reaches_bytes4() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let left = U256::from(0xdead_beef_u32) << 224;
        let dictionary = Dictionary::from_words([left, U256::from(0x0a0b_0c0d)]);
        let source = ValueSource::sample(&dictionary, &[]);
        let drawn: BTreeSet<_> = (0..500).map(|_| fixed_bytes(&mut rng, 4, &source)).collect();
        for selector in [0xdead_beef_u32, 0x0a0b_0c0d] {
            assert!(drawn.contains(&left_aligned(U256::from(selector), 4)), "{selector:x}");
        }
    }

    #[test]
    fn nesting_stays_small() {
        let mut ty = Type::Uint(256);
        for _ in 0..6 {
            ty = Type::Array(Box::new(ty));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let dictionary = Dictionary::default();
        let source = ValueSource::sample(&dictionary, &[]);
        let largest = (0..500).map(|_| ty.generate(&mut rng, &source).abi_encode().len()).max();
        assert!(largest < Some(100_000), "{largest:?}");
    }
}
