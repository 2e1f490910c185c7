//! What a contract does at one of its own calls, as several oracles tell it.

use super::{evidence::Replay, execution::Execution, violation::Cause, violations::Violations};
use crate::{evm::FailureKind, input::InstanceId, world::is_deployer};
use alloy_primitives::Address;
use std::collections::BTreeSet;

/// Adds a violation with these words for each failure of the kind that is looked for, at the call of the contract that makes it.
pub(super) fn tell(
    execution: &Execution<'_>,
    violations: &mut Violations<'_>,
    mut is_sought: impl FnMut(FailureKind) -> bool,
    words: &'static str,
) {
    for (index, failure) in execution.observation().failures.iter().enumerate() {
        if is_sought(failure.kind)
            && let Some(place) = violations.call(execution, index)
        {
            violations.add_failure(index, place, Cause::Other(words));
        }
    }
}

/// The same where somebody else than the deployer sends the transaction: what the deployer may do is no attack, and a test that shows
/// it would stay red.
pub(super) fn tell_of_others(
    execution: &Execution<'_>,
    violations: &mut Violations<'_>,
    is_sought: impl FnMut(FailureKind) -> bool,
    words: &'static str,
) {
    if !is_deployer(execution.call.sender) {
        tell(execution, violations, is_sought, words);
    }
}

/// Tells the first move of each token from all other failures: what the token itself does in that is no other move.
pub(super) fn is_first_move() -> impl FnMut(FailureKind) -> bool {
    let mut moved = BTreeSet::new();
    move |kind| matches!(kind, FailureKind::TokenMove { token, .. } if moved.insert(token))
}

impl Replay<'_> {
    /// The token that the call moves first, and who gets it.
    pub(super) fn moved_tokens(&self) -> Result<(InstanceId, Address), &'static str> {
        let moved = self.failures.iter().find_map(|failure| match failure.kind {
            FailureKind::TokenMove { token, to, .. } => Some((token, to)),
            _ => None,
        });
        let (token, to) = moved.ok_or("nobody gets tokens any more")?;
        let token = self.harness.calls.at(token);
        token
            .map(|token| (token, to))
            .ok_or("the token is created on the way, and no test knows its address beforehand")
    }
}
