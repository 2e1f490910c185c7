//! Refused calls: the last call with other words, and by other senders.

use super::confirmed::Trial;
use crate::{
    code::Stage,
    evm::{Branch, Call, CallNode, FailureKind, Snapshot},
    harness::Action,
    input::Transaction,
    oracle::violation::Violation,
    world::ACTORS,
};
use alloy_primitives::{Address, Bytes, U256};
use std::collections::BTreeSet;

/// Slots of the caller that are changed to see whether what is passed comes from them, at most; chosen by hand.
const MAX_READS: usize = 8;
/// What the bytes of a word are changed by, so that it differs wherever something is packed in it, and still passes most checks in one of
/// the cases. Chosen by hand.
const CHANGES: [u8; 3] = [1, 2, 7];
/// Bytes of a selector.
const SELECTOR: usize = 4;

impl Trial<'_> {
    /// Whether the contract that is called where the violation is refuses whatever is passed, and whoever sends it, and looks at nothing
    /// but what it is called with, which does not come from storage: then no other state makes it accept.
    pub fn is_always_refused(&mut self, violation: &Violation) -> bool {
        let Some(last) = self.last.as_ref().filter(|last| last.transaction.reaction.is_none()) else { return false };
        let (before, transaction) = (last.before.clone(), last.transaction.clone());
        self.executor.set_detailed(true);
        let refused = self.refused_call(&before, &transaction, violation);
        let is_always =
            refused.is_some_and(|refused| self.refuses_all_others(&before, &transaction, violation, &refused));
        self.executor.set_detailed(false);
        is_always
    }

    /// Whether no other call of the function comes past the contract that refuses. One that never gets there says nothing; if the call
    /// passes on what it is called with, one has to get there with something else, or the refusal says nothing of the contract.
    fn refuses_all_others(
        &mut self,
        before: &Snapshot,
        transaction: &Transaction,
        violation: &Violation,
        refused: &RefusedCall,
    ) -> bool {
        let by_others = ACTORS.iter().map(|actor| Transaction { sender: actor.address, ..transaction.clone() });
        let others: Vec<Transaction> = self.others(transaction, None).into_iter().chain(by_others).collect();
        let mut gets_there_otherwise = false;
        let are_refused = others.iter().all(|other| {
            let is_shown = self.run(before, other).iter().any(|(_, shown)| shown == violation);
            let nodes = self.executor.observation().calls.nodes();
            let is_same_function = |node: &&CallNode| node.target == refused.by && node.selector() == refused.selector;
            gets_there_otherwise |= nodes.iter().filter(is_same_function).any(|node| node.input != refused.input);
            is_shown || !nodes.iter().filter(is_same_function).any(|node| node.success)
        });
        are_refused && (gets_there_otherwise || !self.passes_on_arguments(transaction, refused))
    }

    /// Whether a word that the refused contract is called with, or all of it, is in what the transaction passes.
    fn passes_on_arguments(&self, transaction: &Transaction, refused: &RefusedCall) -> bool {
        let passed = transaction.calldata(&self.harness.calls);
        let passed = passed.get(SELECTOR..).unwrap_or_default();
        let has = |part: &[u8]| passed.windows(part.len()).any(|window| window == part);
        let words = refused.input.get(SELECTOR..).unwrap_or_default().chunks_exact(32);
        has(&refused.input) || words.into_iter().any(has)
    }

    /// The call that is refused on a state, if by a contract that reads no storage and calls nobody, with words that its caller does not
    /// read from storage.
    fn refused_call(
        &mut self,
        state: &Snapshot,
        transaction: &Transaction,
        violation: &Violation,
    ) -> Option<RefusedCall> {
        let call = self.harness.call(Action::Call(transaction), state.moment());
        let outcome = self.executor.run(state, &call);
        let (index, _) = (self.judge)(&self.executor, &outcome).into_iter().find(|(_, shown)| shown == violation)?;
        let observation = self.executor.observation();
        let FailureKind::Refused { account, by } = observation.failures.get(index)?.kind else { return None };
        let nodes = observation.calls.nodes();
        let at = (0..nodes.len()).find(|index| !nodes[*index].success && nodes[*index].target == by)?;
        let callee = &nodes[at];
        let caller = callee.parent.map(|parent| &nodes[parent]).filter(|caller| caller.target == account)?;
        // Who passes on a call as a whole makes none of its own.
        if caller.input == callee.input {
            return None;
        }
        let reads = caller.storage.iter().filter(|access| access.stored.is_none()).map(|access| access.slot);
        let reads: BTreeSet<U256> = reads.take(MAX_READS).collect();
        let looks_elsewhere = !callee.storage.is_empty() || nodes.iter().any(|node| node.parent == Some(at));
        let refused = RefusedCall { by, selector: callee.selector(), input: callee.input.clone() };
        // Who does not have the function is not the contract that is meant.
        let calls = &self.harness.calls;
        let id = calls.at(by).or_else(|| self.harness.created_kind(&state.code(by)))?;
        calls.instance(id).interface.by_selector(refused.selector?)?;
        // Who refuses without a condition is meant to, as a mock is.
        let programs = &self.harness.programs;
        let code = programs.first_like(programs.id(self.harness.contract_of(id)?, Stage::Runtime));
        let is_condition = |branch: &Branch| branch.in_source && programs.first_like(branch.program) == code;
        if !observation.branches.iter().any(is_condition) {
            return None;
        }
        let depends =
            |trial: &mut Self| reads.iter().any(|slot| trial.passes_on(state, &call, (account, *slot), &refused));
        (!looks_elsewhere && !depends(self)).then_some(refused)
    }

    /// Whether the contract that refuses is called with something else if another word is in a slot of its caller.
    fn passes_on(
        &mut self,
        state: &Snapshot,
        call: &Call,
        (account, slot): (Address, U256),
        refused: &RefusedCall,
    ) -> bool {
        let word = state.slot(account, slot);
        CHANGES.iter().map(|change| changed(word, *change, refused.by)).any(|other| {
            self.executor.run(&state.with_slot(account, slot, other), call);
            let nodes = self.executor.observation().calls.nodes();
            let mut calls =
                nodes.iter().filter(|node| node.target == refused.by && node.selector() == refused.selector);
            calls.any(|node| node.input != refused.input)
        })
    }
}

/// A call that is refused.
struct RefusedCall {
    by: Address,
    selector: Option<[u8; 4]>,
    /// The calldata: not empty.
    input: Bytes,
}

/// A word in which each byte is another one, but for those of an account in it.
fn changed(word: U256, change: u8, account: Address) -> U256 {
    let mut bytes = word.to_be_bytes::<32>();
    let kept = bytes.windows(20).position(|bytes| bytes == account.as_slice()).map(|at| at..at + 20);
    for (at, byte) in bytes.iter_mut().enumerate() {
        if !kept.as_ref().is_some_and(|kept| kept.contains(&at)) {
            *byte ^= change;
        }
    }
    U256::from_be_bytes(bytes)
}
