//! Contracts that are too large for a chain.

use crate::harness::Harness;

/// The maximum size in bytes of deployed code (EIP-170) and of init code (EIP-3860).
const MAX_CODE: usize = 24_576;
const MAX_INIT_CODE: usize = 2 * MAX_CODE;

/// A message for a contract that exceeds a size limit, naming the code that is too large. The contract is fuzzed all the same,
/// as `forge test` runs it too: its bugs are worth knowing before it is split.
///
/// `None` for code compiled without the optimizer, which nobody deploys.
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
