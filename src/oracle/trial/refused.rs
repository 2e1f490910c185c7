//! Refused calls: the last call with other words, and by other senders.

use super::{books::has_part, confirmed::Trial};
use crate::{
    code::Stage,
    compile::NodeKind,
    evm::{Branch, Call, CallNode, CallTarget, FailureKind, Snapshot, Status},
    harness::Action,
    input::{CallId, InstanceId, Transaction},
    oracle::violation::Violation,
    world::ACTORS,
};
use alloy_primitives::{Address, Bytes, U256};
use std::{
    collections::{BTreeSet, VecDeque},
    ops::Range,
};

/// Slots of the caller that are changed to see whether what is passed comes from them, at most; chosen by hand.
const MAX_READS: usize = 8;
/// What the bytes of a word are changed by, so that it differs wherever something is packed in it, and still passes most checks in one of
/// the cases. Chosen by hand.
const CHANGES: [u8; 3] = [1, 2, 7];
/// A word that is still something after it was divided by an amount, and can still be multiplied with one. Chosen by hand.
const LARGE: U256 = U256::ONE.wrapping_shl(128);
/// Calls that are tried because of what their words are compared with, at most; chosen by hand.
const MAX_COMPARED: usize = 64;
/// Bytes of a selector.
const SELECTOR: usize = 4;
/// Bytes of a word.
const WORD: usize = 32;

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

    /// Whether no other call of the function comes past the contract that refuses, nor would with what else its caller may pass: the words
    /// that other calls pass otherwise, or any word if none of them gets there.
    fn refuses_all_others(
        &mut self,
        before: &Snapshot,
        transaction: &Transaction,
        violation: &Violation,
        refused: &RefusedCall,
    ) -> bool {
        let by_others = ACTORS.iter().map(|actor| Transaction { sender: actor.address, ..transaction.clone() });
        let mut others: Vec<Transaction> = self.others(transaction, None).into_iter().chain(by_others).collect();
        others.extend(self.others_together(transaction));
        others.retain(|other| other != transaction);
        let mut inputs = Vec::new();
        for other in &others {
            let is_shown = self.run(before, other).iter().any(|(_, shown)| shown == violation);
            let nodes = self.executor.observation().calls.nodes();
            for at in (0..nodes.len()).filter(|at| refused.is_asked_by(&nodes[*at])) {
                if looks_elsewhere(nodes, at) || (nodes[at].success && !is_shown) {
                    return false;
                }
                inputs.push(nodes[at].input.clone());
            }
        }
        let may_differ = |word: usize| inputs.iter().any(|input| refused.differs(input, word));
        let differing: Vec<usize> =
            (0..refused.words()).filter(|word| inputs.is_empty() || may_differ(*word)).collect();
        match (inputs.is_empty(), differing.is_empty()) {
            (false, false) => !self.accepts_others(before, refused, &differing),
            _ if self.passes_on_arguments(transaction, refused) => false,
            (true, _) if !transaction.arguments.is_empty() => !self.accepts_others(before, refused, &differing),
            _ => true,
        }
    }

    /// Whether the contract that refuses accepts another call by the same caller that differs in these words only, or may on another
    /// state: then it is up to what is passed. What these words are compared with is tried in their place.
    fn accepts_others(&mut self, state: &Snapshot, refused: &RefusedCall, differing: &[usize]) -> bool {
        let Ok(asked) = Transaction::decode(&refused.input, refused.id, &self.harness.calls) else { return false };
        let asked = Transaction { sender: refused.caller, at: Some(refused.by), ..asked };
        let call = self.harness.call(Action::Call(&asked), state.moment());
        let CallTarget::Account(by, _) = call.target else { return false };
        let others = self.others(&asked, None).into_iter().chain(self.others_together(&asked));
        let others = others.map(|other| refused.with_words(&other.calldata(&self.harness.calls), differing));
        let mut open: VecDeque<Bytes> = std::iter::once(refused.input.clone()).chain(others).collect();
        let mut asked_for: BTreeSet<Bytes> = open.iter().cloned().collect();
        let most = open.len() + MAX_COMPARED;
        while let Some(input) = open.pop_front() {
            let target = CallTarget::Account(by, input.clone());
            let outcome = self.executor.run(state, &Call { target, ..call.clone() });
            let observation = self.executor.observation();
            let nodes = observation.calls.nodes();
            if outcome.status == Status::Success || (!nodes.is_empty() && looks_elsewhere(nodes, 0)) {
                return true;
            }
            for word in differing {
                let Some(own) = input.get(place_of(*word)).map(U256::from_be_slice) else { continue };
                for other in compared_with(own, &observation.branches) {
                    let mut near = input.to_vec();
                    near[place_of(*word)].copy_from_slice(&other.to_be_bytes::<WORD>());
                    let near = Bytes::from(near);
                    if asked_for.len() < most && asked_for.insert(near.clone()) {
                        open.push_back(near);
                    }
                }
            }
        }
        false
    }

    /// Whether a word that the refused contract is called with, or all of it, is in what the transaction passes.
    fn passes_on_arguments(&self, transaction: &Transaction, refused: &RefusedCall) -> bool {
        let passed = transaction.calldata(&self.harness.calls);
        let passed = passed.get(SELECTOR..).unwrap_or_default();
        let mut words = refused.input.get(SELECTOR..).unwrap_or_default().chunks_exact(WORD);
        has_part(passed, &refused.input) || words.any(|word| has_part(passed, word))
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
        let looks_elsewhere = looks_elsewhere(nodes, at);
        // Who does not have the function is not the contract that is meant.
        let calls = &self.harness.calls;
        let id = calls.at(by).or_else(|| self.harness.created_kind(&state.code(by)))?;
        let selector = callee.selector()?;
        calls.instance(id).interface.by_selector(selector)?;
        // Whoever passes who is called chose one that refuses.
        if has_part(&transaction.calldata(calls), by.as_slice()) {
            return None;
        }
        let refused = RefusedCall { by, id, caller: account, selector, input: callee.input.clone() };
        // Who refuses without a condition is meant to, as a mock is.
        let (programs, of) = (&self.harness.programs, self.harness.contract_of(id)?);
        let code = programs.first_like(programs.id(of, Stage::Runtime));
        let is_condition = |branch: &Branch| branch.in_source && programs.first_like(branch.program) == code;
        // The IR checks in functions of the compiler, which belong to no place.
        let has_check = || self.harness.build.contract(of).is_through_ir() && self.decides(id, selector);
        if !observation.branches.iter().any(is_condition) && !has_check() {
            return None;
        }
        let depends =
            |trial: &mut Self| reads.iter().any(|slot| trial.passes_on(state, &call, (account, *slot), &refused));
        (!looks_elsewhere && !depends(self)).then_some(refused)
    }

    /// Whether something in the definition of a function, or a modifier of it, decides how it goes on.
    fn decides(&self, id: InstanceId, selector: [u8; 4]) -> bool {
        let calls = &self.harness.calls;
        let is_it = |call: &&CallId| call.target == id && calls.function(**call).selector == Some(selector);
        let definition = calls.calls().iter().find(is_it).and_then(|call| self.harness.definition(*call));
        definition.is_some_and(|(source, span)| {
            let ast = &self.harness.build.source(source).ast;
            let mut modifiers = ast.nodes.iter().filter(|node| node.kind == NodeKind::Invocation);
            ast.decisions.iter().any(|decision| span.contains(decision.span))
                || modifiers.any(|modifier| span.contains(modifier.span))
        })
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
        // What is divided by one is more than nothing, and so is what is large and divided.
        let mut others = CHANGES.iter().map(|change| changed(word, *change, refused.by)).chain([U256::ONE, LARGE]);
        others.any(|other| {
            self.executor.run(&state.with_slot(account, slot, other), call);
            let nodes = self.executor.observation().calls.nodes();
            nodes.iter().any(|node| refused.is_asked_by(node) && node.input != refused.input)
        })
    }
}

/// A call that is refused.
struct RefusedCall {
    by: Address,
    id: InstanceId,
    caller: Address,
    selector: [u8; 4],
    /// The calldata: not empty.
    input: Bytes,
}

impl RefusedCall {
    /// The number of words behind the selector.
    fn words(&self) -> usize {
        self.input.len().saturating_sub(SELECTOR) / WORD
    }

    /// Whether another call has something else in the place of a word.
    fn differs(&self, input: &[u8], word: usize) -> bool {
        input.get(place_of(word)) != self.input.get(place_of(word))
    }

    /// The same call with some words of another one.
    fn with_words(&self, input: &[u8], words: &[usize]) -> Bytes {
        let mut own = self.input.to_vec();
        for place in words.iter().map(|word| place_of(*word)) {
            if let (Some(own), Some(other)) = (own.get_mut(place.clone()), input.get(place)) {
                own.copy_from_slice(other);
            }
        }
        own.into()
    }

    /// Whether a call is one of the same function.
    fn is_asked_by(&self, node: &CallNode) -> bool {
        node.target == self.by && node.selector() == Some(self.selector)
    }
}

/// The bytes of a word of calldata, the first one behind the selector.
fn place_of(word: usize) -> Range<usize> {
    let start = SELECTOR + word * WORD;
    start..start + WORD
}

/// What a word is compared with in these branches, and what lies beside that.
fn compared_with(word: U256, branches: &[Branch]) -> BTreeSet<U256> {
    let sides = branches.iter().flat_map(|branch| [(branch.left, branch.right), (branch.right, branch.left)]);
    let others = sides.filter(|(side, other)| *side == word && *other != word).map(|(_, other)| other);
    others.flat_map(|other| [other, other.wrapping_sub(U256::ONE), other.wrapping_add(U256::ONE)]).collect()
}

/// Whether a call reads storage or calls somebody: what it does then depends on more than what it is called with.
fn looks_elsewhere(nodes: &[CallNode], at: usize) -> bool {
    !nodes[at].storage.is_empty() || nodes.iter().any(|node| node.parent == Some(at))
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
