//! Failures that nobody notices: the last call, with somebody in the place of a contract that fails who says the same and succeeds.

use super::confirmed::Trial;
use crate::{
    evm::{CallNode, FailureKind, Status, TraceStep},
    harness::Action,
    oracle::violation::Violation,
};
use alloy_primitives::{Address, Bytes, address, keccak256};
use revm::bytecode::opcode::{
    CALLDATACOPY, CALLDATASIZE, CODECOPY, DELEGATECALL, EQ, GAS, JUMPDEST, JUMPI, KECCAK256, PUSH1, PUSH2, PUSH20,
    PUSH32, RETURN, RETURNDATACOPY, RETURNDATASIZE, REVERT,
};

/// Where the code of the contract that fails is kept meanwhile. Nobody has this address.
const KEPT: Address = address!("0x00000000000000000000000000000000000c0de5");

impl Trial<'_> {
    /// Whether the last call ends as if the contract that fails where the violation is had not failed: with one in its place that returns
    /// what it reverted with, the caller and those who called it take the same path, return and log the same, and leave the same words
    /// in storage. Whatever else the contract is asked for goes as it does.
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
        let failed = self.executor.observation().calls.nodes().iter().find(is_it)?;
        let code = returns(&failed.input, &failed.output)?;
        let path = path_of_callers(&self.executor.observation().trace, depth);
        let after = self.executor.after().clone();
        let replaced = before.with_code(KEPT, before.code(to)).with_code(to, code);
        let accepting = self.executor.run(&replaced, &call);
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

/// Code that returns these bytes to whoever calls it with this input, and runs the kept code for any other; none for more than it can tell
/// the length of.
fn returns(input: &Bytes, output: &Bytes) -> Option<Bytes> {
    let [high, low] = u16::try_from(output.len()).ok()?.to_be_bytes();
    let mut code = vec![CALLDATASIZE, PUSH1, 0, PUSH1, 0, CALLDATACOPY, CALLDATASIZE, PUSH1, 0, KECCAK256, PUSH32];
    code.extend(keccak256(input));
    // The lengths of the parts that follow.
    const OTHERS: u8 = 48;
    const OWN: u8 = 15;
    let here = u8::try_from(code.len()).ok()? + 4;
    code.extend([EQ, PUSH1, here + OTHERS, JUMPI]);
    code.extend([PUSH1, 0, PUSH1, 0, CALLDATASIZE, PUSH1, 0, PUSH20]);
    code.extend(KEPT);
    code.extend([GAS, DELEGATECALL, RETURNDATASIZE, PUSH1, 0, PUSH1, 0, RETURNDATACOPY]);
    code.extend([PUSH1, here + OTHERS - 5, JUMPI, RETURNDATASIZE, PUSH1, 0, REVERT]);
    code.extend([JUMPDEST, RETURNDATASIZE, PUSH1, 0, RETURN]);
    let own = here + OTHERS;
    code.extend([JUMPDEST, PUSH2, high, low, PUSH1, own + OWN, PUSH1, 0, CODECOPY]);
    code.extend([PUSH2, high, low, PUSH1, 0, RETURN]);
    code.extend_from_slice(output);
    Some(code.into())
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
