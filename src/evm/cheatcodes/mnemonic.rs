//! Private keys of a mnemonic, as wallets derive them: BIP-39 makes a seed of the words, BIP-32 a tree of keys of the seed. The words are
//! taken as they are, whatever the language: they are not looked up in a list, and their checksum is not checked.

use super::error::CheatError;
use alloy_primitives::U256;
use hmac::{Hmac, Mac};
use k256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint};
use sha2::Sha512;

/// The path of Ethereum's accounts (BIP-44).
pub(super) const DEFAULT_PATH: &str = "m/44'/60'/0'/0/";
/// Rounds that make a seed of the words (BIP-39).
const ROUNDS: usize = 2_048;
/// What is added to the number of a hardened child (BIP-32).
const HARDENED: u32 = 1 << 31;
/// Bytes of a mnemonic at most: 24 words are far below.
const MAX_WORDS: usize = 1_024;
/// Levels of a path at most.
const MAX_LEVELS: usize = 16;

/// The order of the curve secp256k1.
const ORDER: U256 =
    U256::from_limbs([0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, 0xffff_ffff_ffff_ffff]);

/// The private key of a mnemonic below a path.
pub(super) fn derive(words: &str, path: &str, index: U256) -> Result<U256, CheatError> {
    if words.len() > MAX_WORDS {
        return Err(CheatError::new("this is not a mnemonic"));
    }
    let index = u32::try_from(index).ok().filter(|index| *index < HARDENED);
    let index = index.ok_or(CheatError::new("the index is not below 2^31"))?;
    let path = if path.ends_with('/') { format!("{path}{index}") } else { format!("{path}/{index}") };
    let levels = levels(&path).ok_or_else(|| CheatError::new(format!("`{path}` is not a derivation path")))?;
    let normal: Vec<&str> = words.split_whitespace().collect();
    let (mut key, mut chain) = split(&hmac(b"Bitcoin seed", &[&seed(&normal.join(" "))]));
    for level in levels {
        (key, chain) = child(key, chain, level).ok_or(CheatError::new("there is no key at this path"))?;
    }
    Ok(key)
}

/// The numbers of the children on a path, such as `m/44'/0`.
fn levels(path: &str) -> Option<Vec<u32>> {
    let path = path.strip_prefix("m/").unwrap_or(path);
    let level = |text: &str| {
        let (number, hardened) = match text.strip_suffix(['\'', 'h']) {
            Some(number) => (number, HARDENED),
            None => (text, 0),
        };
        number.parse::<u32>().ok().filter(|number| *number < HARDENED).map(|number| number | hardened)
    };
    let levels: Vec<u32> = path.split('/').map(level).collect::<Option<_>>()?;
    (levels.len() <= MAX_LEVELS).then_some(levels)
}

/// PBKDF2 of the words, with no passphrase.
fn seed(words: &str) -> [u8; 64] {
    let mut last = hmac(words.as_bytes(), &[b"mnemonic", &1_u32.to_be_bytes()]);
    let mut sum = last;
    for _ in 1..ROUNDS {
        last = hmac(words.as_bytes(), &[&last]);
        sum.iter_mut().zip(last).for_each(|(sum, byte)| *sum ^= byte);
    }
    sum
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 64] {
    // Keys of every length are taken.
    let Ok(mut mac) = Hmac::<Sha512>::new_from_slice(key) else { return [0; 64] };
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// A key and its chain code.
fn split(both: &[u8; 64]) -> (U256, [u8; 32]) {
    let (key, chain) = both.split_at(32);
    let mut code = [0; 32];
    code.copy_from_slice(chain);
    (U256::from_be_slice(key), code)
}

/// A child of a key; none for about one key in 2^127.
fn child(key: U256, chain: [u8; 32], number: u32) -> Option<(U256, [u8; 32])> {
    let bytes = key.to_be_bytes::<32>();
    let parent = SecretKey::from_slice(&bytes).ok()?;
    let both = if number >= HARDENED {
        hmac(&chain, &[&[0], &bytes, &number.to_be_bytes()])
    } else {
        let point = parent.public_key().to_encoded_point(true);
        hmac(&chain, &[point.as_bytes(), &number.to_be_bytes()])
    };
    let (added, chain) = split(&both);
    let sum = added.add_mod(key, ORDER);
    (added < ORDER && !sum.is_zero()).then_some((sum, chain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_every_other_wallet() {
        // The accounts of anvil and hardhat.
        let words = "test test test test test test test test test test test junk";
        let key = |index: u64| derive(words, DEFAULT_PATH, U256::from(index)).unwrap();
        assert_eq!(format!("{:x}", key(0)), "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
        assert_eq!(format!("{:x}", key(1)), "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d");
        assert!(derive(words, "m/44'/x", U256::ZERO).is_err());
        assert!(derive(words, DEFAULT_PATH, U256::MAX).is_err());
    }
}
