//! A [`CheatError`] is why a cheatcode reverts. Foundry's are texts in a `CheatcodeError(string)`, or bytes that its runner knows.

use alloy_primitives::Bytes;
use std::borrow::Cow;

/// The selector of `CheatcodeError(string)`.
const CHEATCODE_ERROR: [u8; 4] = [0xee, 0xaa, 0x9e, 0x6f];

/// Why a cheatcode reverts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CheatError {
    /// A sentence, behind the name of the cheatcode.
    Message(Cow<'static, str>),
    /// A sentence of a failed assertion, which stands for itself.
    Assertion(String),
    /// Bytes, as they are.
    Data(Bytes),
    /// The caller gave it too little gas.
    OutOfGas,
    /// It is not there, and why.
    Unsupported(Cow<'static, str>),
}

impl CheatError {
    /// The calldata is not that of the cheatcode's parameters.
    pub(super) const MALFORMED: Self = Self::Message(Cow::Borrowed("its arguments are malformed"));

    /// A sentence.
    pub(super) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Message(message.into())
    }

    /// The data with which the cheatcode of this name reverts.
    pub(super) fn encode(&self, name: &str) -> Bytes {
        match self {
            Self::Message(message) => revert(&format!("vm.{name}: {message}")),
            Self::Assertion(message) => revert(message),
            Self::Data(data) => data.clone(),
            Self::OutOfGas => Bytes::new(),
            Self::Unsupported(why) => revert(&format!("vm.{name} is not supported: {why}")),
        }
    }
}

/// Fails with a sentence unless the condition holds.
pub(super) fn ensure(holds: bool, message: &'static str) -> Result<(), CheatError> {
    if holds { Ok(()) } else { Err(CheatError::new(message)) }
}

/// A `CheatcodeError` with this text.
pub(in crate::evm) fn revert(text: &str) -> Bytes {
    let mut data = CHEATCODE_ERROR.to_vec();
    data.extend_from_slice(&super::returns::text(text));
    data.into()
}
