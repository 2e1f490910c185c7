//! What cheatcodes return, encoded.

use alloy_primitives::{Address, B256, Bytes, U256};

/// Nothing.
pub(super) fn nothing() -> Bytes {
    Bytes::new()
}

/// One word.
pub(super) fn word(word: impl Into<U256>) -> Bytes {
    Bytes::copy_from_slice(&word.into().to_be_bytes::<32>())
}

/// Several words.
pub(super) fn words(words: &[U256]) -> Bytes {
    words.iter().flat_map(U256::to_be_bytes::<32>).collect()
}

/// True or false.
pub(super) fn boolean(value: bool) -> Bytes {
    word(U256::from(value))
}

/// An account.
pub(super) fn address(address: Address) -> Bytes {
    Bytes::copy_from_slice(address.into_word().as_slice())
}

/// 32 bytes.
pub(super) fn b256(word: B256) -> Bytes {
    Bytes::copy_from_slice(word.as_slice())
}

/// Bytes of any length.
pub(super) fn bytes(bytes: &[u8]) -> Bytes {
    let mut data = Vec::with_capacity(64 + bytes.len().next_multiple_of(32));
    data.extend(U256::from(32).to_be_bytes::<32>());
    put(&mut data, bytes);
    data.into()
}

/// A text.
pub(super) fn text(text: &str) -> Bytes {
    bytes(text.as_bytes())
}

/// A list of words.
pub(super) fn list(words: impl ExactSizeIterator<Item = U256>) -> Bytes {
    let head = [U256::from(32), U256::from(words.len())];
    head.into_iter().chain(words).flat_map(|word| word.to_be_bytes::<32>()).collect()
}

/// A list of bytes or texts.
pub(super) fn many<'a>(many: impl IntoIterator<Item = &'a [u8]>) -> Bytes {
    let many: Vec<&[u8]> = many.into_iter().collect();
    let mut data: Vec<u8> =
        [32, many.len() as u64].iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).collect();
    let mut at = many.len() * 32;
    for bytes in &many {
        data.extend(U256::from(at).to_be_bytes::<32>());
        at += 32 + bytes.len().next_multiple_of(32);
    }
    many.iter().for_each(|bytes| put(&mut data, bytes));
    data.into()
}

/// Bytes behind their length, filled up to whole words.
fn put(data: &mut Vec<u8>, bytes: &[u8]) {
    data.extend(U256::from(bytes.len()).to_be_bytes::<32>());
    data.extend_from_slice(bytes);
    data.resize(data.len().next_multiple_of(32), 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_dyn_abi::DynSolValue;

    #[test]
    fn encodings_are_those_of_the_abi() {
        for length in [0, 1, 31, 32, 33, 100] {
            let some = vec![7; length];
            assert_eq!(bytes(&some).to_vec(), DynSolValue::Bytes(some.clone()).abi_encode());
            let lists = [some.clone(), vec![], some];
            let values = lists.iter().cloned().map(DynSolValue::Bytes).collect();
            assert_eq!(many(lists.iter().map(Vec::as_slice)).to_vec(), DynSolValue::Array(values).abi_encode());
        }
        let numbers = [3_u64, 1, 4].map(U256::from);
        let values = numbers.iter().map(|word| DynSolValue::Uint(*word, 256)).collect();
        assert_eq!(list(numbers.into_iter()).to_vec(), DynSolValue::Array(values).abi_encode());
    }
}
