//! Cheatcodes of private keys: accounts, signatures and wallets, on the curve secp256k1.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported, unsupported},
    error::{CheatError, ensure},
    mnemonic, returns,
};
use crate::evm::cheats::MAX_NAMED;
use alloy_primitives::{Address, B256, Bytes, U256, keccak256};
use k256::{
    Scalar,
    ecdsa::{RecoveryId, Signature, SigningKey, hazmat::SignPrimitive},
    elliptic_curve::{ops::Reduce, sec1::ToEncodedPoint},
};
use std::sync::Arc;

/// Gas of an operation on the curve, which is what a contract pays for one (`ecrecover`).
const CURVE_GAS: u64 = 3_000;
/// Gas of a key of a mnemonic, which takes about as long as thirty operations on the curve.
const DERIVE_GAS: u64 = 100_000;
/// Keys that one call derives at most.
const MAX_DERIVED: u64 = 16;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Keys",
    about: "",
    cheatcodes: &[
        supported("addr(uint256)", "address", addr, "The account of a private key."),
        supported("sign(uint256,bytes32)", "uint8,bytes32,bytes32", sign, "Signs a digest: v, r and s."),
        supported("sign(Wallet,bytes32)", "uint8,bytes32,bytes32", sign_by_wallet, ""),
        supported("sign(address,bytes32)", "uint8,bytes32,bytes32", sign_by_account, "The same with a remembered key."),
        supported("sign(bytes32)", "uint8,bytes32,bytes32", sign_by_only, "The same with the only remembered key."),
        supported(
            "signCompact(uint256,bytes32)",
            "bytes32,bytes32",
            compact,
            "The same in the form of EIP-2098: r and vs.",
        ),
        supported("signCompact(Wallet,bytes32)", "bytes32,bytes32", compact_by_wallet, ""),
        supported("signCompact(address,bytes32)", "bytes32,bytes32", compact_by_account, ""),
        supported("signCompact(bytes32)", "bytes32,bytes32", compact_by_only, ""),
        supported(
            "signWithNonceUnsafe(uint256,bytes32,uint256)",
            "uint8,bytes32,bytes32",
            sign_with_nonce,
            "Signs a digest with a nonce of the caller's choice.",
        ),
        supported(
            "createWallet(string)",
            "Wallet",
            wallet_of_name,
            "The wallet whose private key is the hash of a name.",
        ),
        supported("createWallet(uint256)", "Wallet", wallet, "The wallet of a private key."),
        supported("createWallet(uint256,string)", "Wallet", wallet_with_label, "The same, with a label."),
        supported(
            "deriveKey(string,uint32)",
            "uint256",
            derive,
            "The private key of a mnemonic at `m/44'/60'/0'/0/{index}`.",
        ),
        supported("deriveKey(string,string,uint32)", "uint256", derive_at, "The same below another path."),
        supported("deriveKey(string,uint32,string)", "uint256", derive, "The same; the language does not matter."),
        supported("deriveKey(string,string,uint32,string)", "uint256", derive_at, ""),
        supported("rememberKey(uint256)", "address", remember_key, "Remembers a private key, and returns its account."),
        supported(
            "rememberKeys(string,string,uint32)",
            "address[]",
            remember_derived,
            "Remembers this many keys of a mnemonic.",
        ),
        supported("rememberKeys(string,string,string,uint32)", "address[]", remember_derived_of_language, ""),
        supported("getWallets()", "address[]", wallets, "The accounts of all remembered keys."),
        unsupported("publicKeyP256(uint256)", "uint256,uint256", P256),
        unsupported("signP256(uint256,bytes32)", "bytes32,bytes32", P256),
        unsupported("createEd25519Key(bytes32)", "bytes32,bytes32", ED25519),
        unsupported("publicKeyEd25519(bytes32)", "bytes32", ED25519),
        unsupported("signEd25519(bytes,bytes,bytes32)", "bytes", ED25519),
        unsupported("verifyEd25519(bytes,bytes,bytes,bytes32)", "bool", ED25519),
    ],
};

const P256: &str = "the curve P-256 is not implemented";
const ED25519: &str = "the curve Ed25519 is not implemented";

/// A private key.
fn key(word: U256) -> Result<SigningKey, CheatError> {
    ensure(!word.is_zero(), "private key cannot be 0")?;
    SigningKey::from_slice(&word.to_be_bytes::<32>()).map_err(|_| {
        CheatError::new(
            "private key must be less than the secp256k1 curve order \
             (115792089237316195423570985008687907852837564279074904382605163141518161494337)",
        )
    })
}

/// The coordinates of a public key.
fn public(key: &SigningKey) -> [U256; 2] {
    let point = key.verifying_key().as_affine().to_encoded_point(false);
    [point.x(), point.y()].map(|coordinate| coordinate.map_or(U256::ZERO, |bytes| U256::from_be_slice(bytes)))
}

/// The account of a private key.
fn account_of(key: &SigningKey) -> Address {
    Address::from_word(keccak256(returns::words(&public(key))))
}

fn addr(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    Ok(returns::address(account_of(&key(arguments.word(0)?)?)))
}

/// A signature.
struct Signed {
    is_odd: bool,
    r: U256,
    s: U256,
}

impl Signed {
    fn read(signature: &Signature, id: RecoveryId) -> Self {
        let [r, s] = [signature.r(), signature.s()].map(|part| U256::from_be_slice(&part.to_bytes()));
        Self { is_odd: id.is_y_odd(), r, s }
    }

    /// A signature of a digest, with the nonce of RFC 6979.
    fn of(key: &SigningKey, digest: B256) -> Result<Self, CheatError> {
        let signed = key.sign_prehash_recoverable(digest.as_slice());
        let (signature, id) = signed.map_err(|_| CheatError::new("this digest cannot be signed"))?;
        Ok(Self::read(&signature, id))
    }

    fn words(&self) -> Bytes {
        returns::words(&[U256::from(27 + u8::from(self.is_odd)), self.r, self.s])
    }

    fn compact(&self) -> Bytes {
        returns::words(&[self.r, self.s | (U256::from(self.is_odd) << 255)])
    }
}

/// The key of a wallet, which is its fourth field.
fn of_wallet(arguments: Arguments<'_>) -> Result<(SigningKey, B256), CheatError> {
    Ok((key(arguments.word(3)?)?, arguments.b256(4)?))
}

fn of_key(arguments: Arguments<'_>) -> Result<(SigningKey, B256), CheatError> {
    Ok((key(arguments.word(0)?)?, arguments.b256(1)?))
}

fn of_account(call: &CheatCall<'_>, arguments: Arguments<'_>) -> Result<(SigningKey, B256), CheatError> {
    let at = arguments.address(0)?;
    let known = call.cheats.state().keys.get(&at);
    let word = known.ok_or_else(|| CheatError::new(format!("no key of {at} is remembered; use rememberKey")))?;
    Ok((key((*word).into())?, arguments.b256(1)?))
}

fn of_only(call: &CheatCall<'_>, arguments: Arguments<'_>) -> Result<(SigningKey, B256), CheatError> {
    let mut keys = call.cheats.state().keys.values();
    let only = keys.next().filter(|_| keys.next().is_none());
    let word = only.ok_or(CheatError::new("not exactly one key is remembered; name the signer"))?;
    Ok((key((*word).into())?, arguments.b256(0)?))
}

fn sign(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_key(arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.words()))
}

fn sign_by_wallet(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_wallet(arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.words()))
}

fn sign_by_account(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_account(call, arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.words()))
}

fn sign_by_only(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_only(call, arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.words()))
}

fn compact(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_key(arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.compact()))
}

fn compact_by_wallet(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_wallet(arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.compact()))
}

fn compact_by_account(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_account(call, arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.compact()))
}

fn compact_by_only(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    of_only(call, arguments).and_then(|(key, digest)| Ok(Signed::of(&key, digest)?.compact()))
}

fn sign_with_nonce(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    let (key, digest) = of_key(arguments)?;
    let nonce = arguments.word(2)?;
    ensure(!nonce.is_zero(), "nonce cannot be 0")?;
    let scalar = <Scalar as Reduce<k256::U256>>::reduce_bytes(&nonce.to_be_bytes::<32>().into());
    let signed = key.as_nonzero_scalar().try_sign_prehashed(scalar, &digest.0.into());
    let (signature, id) = signed.map_err(|_| CheatError::new("this digest cannot be signed with this nonce"))?;
    let id = id.unwrap_or(RecoveryId::new(false, false));
    // Of s and -s the lower one is taken, as in every other signature.
    let signed = match signature.normalize_s() {
        Some(lower) => Signed::read(&lower, RecoveryId::new(!id.is_y_odd(), id.is_x_reduced())),
        None => Signed::read(&signature, id),
    };
    Ok(signed.words())
}

/// A wallet with its four fields.
fn wallet_of(word: U256) -> Result<(Address, Bytes), CheatError> {
    let key = key(word)?;
    let ([x, y], at) = (public(&key), account_of(&key));
    Ok((at, returns::words(&[at.into_word().into(), x, y, word])))
}

/// Labels an account.
fn label(call: &mut CheatCall<'_>, at: Address, label: &str) {
    let labels = &mut call.cheats.state_mut().labels;
    if labels.len() < MAX_NAMED || labels.contains_key(&at) {
        Arc::make_mut(labels).insert(at, label.to_owned());
    }
}

fn wallet_of_name(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    let name = arguments.text(0)?;
    let (at, wallet) = wallet_of(keccak256(name.as_bytes()).into())?;
    label(call, at, &name);
    Ok(wallet)
}

fn wallet(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    wallet_of(arguments.word(0)?).map(|(_, wallet)| wallet)
}

fn wallet_with_label(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(CURVE_GAS)?;
    let (at, wallet) = wallet_of(arguments.word(0)?)?;
    label(call, at, &arguments.text(1)?);
    Ok(wallet)
}

/// Remembers a private key, and returns its account.
pub(super) fn remember(call: &mut CheatCall<'_>, word: U256) -> Result<Address, CheatError> {
    call.charge(CURVE_GAS)?;
    let at = account_of(&key(word)?);
    let keys = &call.cheats.state().keys;
    if !keys.contains_key(&at) {
        ensure(keys.len() < MAX_NAMED, "too many keys are remembered")?;
        Arc::make_mut(&mut call.cheats.state_mut().keys).insert(at, word.into());
    }
    Ok(at)
}

fn remember_key(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    remember(call, arguments.word(0)?).map(returns::address)
}

fn derive(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(DERIVE_GAS)?;
    let (words, index) = (arguments.text(0)?, arguments.word(1)?);
    mnemonic::derive(&words, mnemonic::DEFAULT_PATH, index).map(returns::word)
}

fn derive_at(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.charge(DERIVE_GAS)?;
    let (words, path, index) = (arguments.text(0)?, arguments.text(1)?, arguments.word(2)?);
    mnemonic::derive(&words, &path, index).map(returns::word)
}

/// Remembers the first keys of a mnemonic.
fn remember_first(call: &mut CheatCall<'_>, words: &str, path: &str, count: u64) -> Answer {
    ensure(count <= MAX_DERIVED, "more than 16 keys are asked for at once")?;
    call.charge(count * DERIVE_GAS)?;
    let derived = (0..count).map(|index| {
        let key = mnemonic::derive(words, path, U256::from(index))?;
        remember(call, key)
    });
    let accounts: Vec<Address> = derived.collect::<Result<_, _>>()?;
    Ok(returns::list(accounts.into_iter().map(|at| at.into_word().into())))
}

fn remember_derived(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    remember_first(call, &arguments.text(0)?, &arguments.text(1)?, arguments.u64(2)?)
}

fn remember_derived_of_language(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    remember_first(call, &arguments.text(0)?, &arguments.text(1)?, arguments.u64(3)?)
}

fn wallets(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::list(call.cheats.state().keys.keys().map(|at| at.into_word().into())))
}
