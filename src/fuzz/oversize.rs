//! Contracts that are too large for a chain.

use crate::harness::Harness;

/// Most bytes of code that a chain takes (EIP-170), and of code that makes a contract (EIP-3860).
const MAX_CODE: usize = 24_576;
const MAX_INIT_CODE: usize = 2 * MAX_CODE;

/// What is too large of a contract for a chain. It is fuzzed all the same, as `forge test` runs it too: somebody who is writing wants
/// to know what is wrong with it before it is cut into parts.
///
/// Nothing is said of code that was made without the optimizer: nobody deploys that.
pub(super) fn oversize(harness: &Harness) -> Option<String> {
    let compiled = harness.compiled();
    let settings: serde_json::Value = serde_json::from_str(&compiled.settings).unwrap_or_default();
    if settings.pointer("/optimizer/enabled") != Some(&serde_json::Value::Bool(true)) {
        return None;
    }
    let (code, init) = (compiled.runtime.code.len(), compiled.creation.code.len());
    if code > MAX_CODE {
        Some(format!("its code has {code} bytes, more than the {MAX_CODE} that a chain takes (EIP-170)"))
    } else if init > MAX_INIT_CODE {
        Some(format!("its init code has {init} bytes, more than the {MAX_INIT_CODE} that a chain takes (EIP-3860)"))
    } else {
        None
    }
}
