//! Functions that serve alike: of those that take the same, the first one is called.

use super::Attempt;
use crate::input::{CallId, Function, FunctionKind, Sequence, Type};

impl<F: FnMut(&Sequence) -> Option<bool>> Attempt<'_, F> {
    /// Calls the first function of a contract that takes the same and serves as well: whether something is put or minted may make no
    /// difference. The last call shows what fails.
    pub(super) fn name_first_functions(&mut self) {
        let calls = self.harness.calls.clone();
        for index in 0..self.best.transactions.len().saturating_sub(1) {
            let called = self.best.transactions[index].call;
            let function = calls.function(called);
            if function.kind != FunctionKind::Function || calls.property(called).is_some() {
                continue;
            }
            let is_earlier = |call: &CallId| call.target == called.target && call.function < called.function;
            for call in calls.state_changing().iter().copied().filter(is_earlier) {
                let other = calls.function(call);
                if other.kind == FunctionKind::Function
                    && types(other).eq(types(function))
                    && (other.is_payable() || self.best.transactions[index].value.is_zero())
                {
                    let mut candidate = self.best.clone();
                    candidate.transactions[index].call = call;
                    if self.keep(candidate) {
                        break;
                    }
                }
            }
        }
    }
}

/// The types of what a function takes.
fn types(function: &Function) -> impl Iterator<Item = &Type> {
    function.inputs.iter().map(|input| &input.ty)
}
