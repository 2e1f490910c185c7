//! Input errors: what can be wrong with an input that comes from outside (a corpus entry, a FINDING.json, raw
//! calldata). Inputs that the engine makes itself cannot be wrong, so nothing else in this module fails.

use thiserror::Error;

/// Why a saved input cannot be read back.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// A field of the JSON form is absent.
    #[error("{field}: is missing")]
    Missing {
        /// The path of the field, such as `sequence[1].args`.
        field: String,
    },
    /// A field of the JSON form does not hold what it should.
    #[error("{field}: {problem}")]
    Invalid {
        /// The path of the field, such as `sequence[1].args[0]`.
        field: String,
        /// The mistake, and what was expected.
        problem: String,
    },
    /// The contract has no such function (any more).
    #[error("{field}: this contract has no function `{signature}` that can be called; was it renamed or removed?")]
    UnknownFunction {
        /// The path of the field, such as `sequence[1].function`.
        field: String,
        /// The signature that was asked for.
        signature: String,
    },
    /// No function, `receive` or `fallback` of the contract takes this calldata.
    #[error("{field}: no function of this contract takes calldata that starts with `{start}`")]
    UnknownCalldata {
        /// The path of the field, such as `sequence[1].calldata`.
        field: String,
        /// Its first bytes, at most four, as hex.
        start: String,
    },
}

impl InputError {
    /// A field that does not hold what it should.
    pub(super) fn invalid(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), problem: problem.into() }
    }

    /// The same error, with the place of the enclosing object in front of the field.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        let (Self::Missing { field }
        | Self::Invalid { field, .. }
        | Self::UnknownFunction { field, .. }
        | Self::UnknownCalldata { field, .. }) = &mut self;
        *field = match field.chars().next() {
            None => outer.to_owned(),
            Some('[') => format!("{outer}{field}"),
            Some(_) => format!("{outer}.{field}"),
        };
        self
    }
}
