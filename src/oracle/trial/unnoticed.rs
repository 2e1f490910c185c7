//! Failures that nobody notices: the last call, with somebody in the place of a contract that fails who says the same and succeeds.

use super::confirmed::Trial;
use crate::{
    evm::{Call, CallNode, FailureKind, Scripted, Status, TraceStep},
    harness::Action,
    oracle::violation::Violation,
};
use alloy_primitives::Bytes;
use revm::bytecode::opcode::{CODECOPY, PUSH1, PUSH2, RETURN};

impl Trial<'_> {
    /// Whether the last call ends as if the contract that fails where the violation is had not failed: with one in its place that returns
    /// what it reverted with, the caller and those who called it take the same path, return and log the same, and leave the same words
    /// in storage.
    pub fn goes_unnoticed(&mut self, violation: &Violation) -> bool {
        self.in_detail(|trial| trial.ends_alike(violation)).unwrap_or(false)
    }

    fn ends_alike(&mut self, violation: &Violation) -> Option<bool> {
        let last = self.last.as_ref().filter(|last| last.transaction.reaction.is_none())?;
        let before = last.before.clone();
        let call = self.harness.call(Action::Call(last.transaction), before.moment());
        let failing = self.executor.run(&before, &call);
        let shown = (self.judge)(&self.executor, &failing).into_iter().find(|(_, shown)| shown == violation);
        let failure = self.executor.observation().failures.get(shown?.0)?;
        let (FailureKind::FailedCall { to, .. }, depth) = (failure.kind, failure.depth) else { return None };
        let is_it = |call: &&CallNode| !call.success && call.depth == depth + 1 && call.target == to;
        let code = returns(&self.executor.observation().calls.nodes().iter().find(is_it)?.output)?;
        let path = path_of_callers(&self.executor.observation().trace, depth);
        let after = self.executor.after().clone();
        let scripted = Some(Box::new(Scripted { account: to, code: code.into(), storage: Vec::new() }));
        let accepting = self.executor.run(&before, &Call { scripted, ..call });
        Some(
            failing.status == Status::Success
                && accepting.status == Status::Success
                && failing.output == accepting.output
                && failing.logs == accepting.logs
                && path == path_of_callers(&self.executor.observation().trace, depth)
                && after.changes(self.executor.after()).is_empty(),
        )
    }
}

/// Code that returns these bytes to whoever calls it; none for more than it can tell the length of.
fn returns(bytes: &Bytes) -> Option<Bytes> {
    const SIZE: u8 = 14;
    let [high, low] = u16::try_from(bytes.len()).ok()?.to_be_bytes();
    let copy = [PUSH2, high, low, PUSH1, SIZE, PUSH1, 0, CODECOPY];
    let end = [PUSH2, high, low, PUSH1, 0, RETURN];
    Some([&copy[..], &end[..], bytes.as_ref()].concat().into())
}

/// The steps of frames that are in so many calls at most.
fn path_of_callers(trace: &[TraceStep], depth: u32) -> Vec<TraceStep> {
    let mut open = 0;
    let is_callers = |step: &&TraceStep| match step {
        TraceStep::Enter(_) => {
            open += 1;
            open <= depth + 1
        }
        TraceStep::Leave(_) => {
            open -= 1;
            open <= depth
        }
        TraceStep::Block(_) => open <= depth + 1,
        TraceStep::CallWithoutFrame(_) => false,
    };
    trace.iter().filter(is_callers).copied().collect()
}
