//! Arithmetic, run otherwise: with the number of its type that is nearest to the exact result, where that does not fit.

use super::confirmed::Trial;
use crate::{
    code::ProgramId,
    compile::OperationKind,
    evm::{
        Branch, Call, CallKind, Executor, Failure, FailureKind, Instruments, Outcome, Preimage, Snapshot, Status, Wrap,
    },
    harness::{Action, Harness},
    oracle::{
        evidence::{Evidence, Replay, StoredWord},
        violation::{Place, Violation},
    },
    world::ACTORS,
};
use alloy_primitives::{Address, Bytes, U256};
use revm::context::result::HaltReason;
use std::collections::BTreeMap;

/// Bits from which on a number that is equal to a part of a hash is that part, and not equal by chance; chosen by hand.
const MIN_HASH_BITS: u16 = 32;

/// The difference that the exact result of arithmetic makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What went around.
    pub wrap: Wrap,
    /// Where it arrives.
    pub arrival: Arrival,
    /// The hashes that the call computes.
    pub preimages: Vec<Preimage>,
}

/// Where a result arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// With the exact one the call is refused.
    Refused,
    /// It is compared with zero, which holds for every number of its type.
    AlwaysHolds,
    /// A slot holds another word.
    Stored {
        /// Whose storage.
        address: Address,
        /// Which slot.
        slot: U256,
        /// The word as it is.
        wrapped: U256,
        /// The word with the exact result.
        exact: U256,
    },
    /// Somebody is paid otherwise.
    Paid,
    /// Something else is logged.
    Logged,
    /// Another contract is called otherwise.
    Passed,
}

/// How a run ended.
struct End {
    outcome: Outcome,
    /// The words of storage that it changed.
    stored: BTreeMap<(Address, U256), U256>,
    /// The ether of the accounts of the world.
    balances: Vec<(Address, U256)>,
    /// What it sent and passed to others.
    passed: Vec<(Address, U256, Bytes)>,
    branches: Vec<Branch>,
    preimages: Vec<Preimage>,
}

impl Trial<'_> {
    /// How the last call ends with the exact result instead of the one that went around, if that makes a difference.
    pub fn unbounded(&mut self, violation: &Violation) -> Option<Difference> {
        let last = self.last.as_ref()?;
        let (state, transaction) = (last.before.clone(), last.transaction.clone());
        let shown = self.run(&state, &transaction).into_iter().find(|(_, shown)| shown == violation)?;
        let failure = self.executor.observation().failures.get(shown.0)?.clone();
        let call = self.harness.call(Action::Call(&transaction), state.moment());
        let Compared { wrap, arrival, wrapped, .. } = compare(self.harness, &state, &call, &failure, violation.place)?;
        Some(Difference { wrap, arrival, preimages: wrapped.preimages })
    }
}

/// What the last call of a finding leaves, and would not with the exact result: a word in storage, first that of the contract itself, the
/// ether of an account, or a word that it logs.
pub(in crate::oracle) fn left(replay: &Replay<'_>, failure: &Failure, place: Place) -> Option<Evidence> {
    let harness = replay.harness;
    let Compared { mut stored, wrapped, exact, .. } = compare(harness, &replay.before, &replay.call, failure, place)?;
    stored.sort_by_key(|(address, ..)| *address != harness.calls.main().address);
    let mut known = stored.into_iter().filter_map(|(address, slot, word)| {
        let instance = harness.calls.at(address)?;
        Some(Evidence::Stores(StoredWord { instance, slot, word }))
    });
    let has_ether = || wrapped.other_balance(&exact).map(|(account, wei)| Evidence::Leaves(account, wei));
    known.next().or_else(has_ether).or_else(|| wrapped.other_word(&exact).map(Evidence::Says))
}

/// A call as it ends with a result that went around, and with the exact one.
struct Compared {
    wrap: Wrap,
    arrival: Arrival,
    /// Words that the first leaves in slots, and the second does not.
    stored: Vec<(Address, U256, U256)>,
    wrapped: End,
    exact: End,
}

/// Runs a call as it is, and with the exact result of the instruction that a failure is about.
fn compare(harness: &Harness, state: &Snapshot, call: &Call, failure: &Failure, place: Place) -> Option<Compared> {
    let FailureKind::Wrap(wrap) = failure.kind else { return None };
    let mut executor = harness.executor();
    let arithmetic = Some(harness.programs.arithmetic(&harness.build).clone());
    executor.set_instruments(&Instruments { arithmetic, ..Instruments::default() });
    executor.set_detailed(true);
    let mut end = |instruction: Option<(ProgramId, u32)>| {
        executor.saturate(instruction);
        let outcome = executor.run(state, call);
        End::of(harness, &executor, outcome)
    };
    let wrapped = end(None);
    let exact = end(Some((failure.program, failure.pc)));
    // A loop that ends because a counter goes around is meant to.
    let is_endless = matches!(exact.outcome.status, Status::Halt(HaltReason::OutOfGas(_)));
    if wrapped.outcome.status != Status::Success
        || is_endless
        || is_tested(&wrapped, &exact, &wrap)
        || is_of_a_hash(&wrapped, &wrap)
    {
        return None;
    }
    let is_refused = exact.outcome.status != Status::Success;
    let is_guard = !is_refused && always_holds(harness, place);
    let differs = |(of, word): &(&(Address, U256), &U256)| is_refused || is_guard || exact.word(state, **of) != **word;
    let stored: Vec<_> = wrapped.stored.iter().filter(differs).map(|((at, slot), word)| (*at, *slot, *word)).collect();
    let arrival = if is_refused {
        (!stored.is_empty() || wrapped.balances != exact.balances).then_some(Arrival::Refused)?
    } else if is_guard {
        (!stored.is_empty()).then_some(Arrival::AlwaysHolds)?
    } else if let Some((address, slot)) = wrapped.first_difference(&exact, state) {
        let (now, then) = (wrapped.word(state, (address, slot)), exact.word(state, (address, slot)));
        Arrival::Stored { address, slot, wrapped: now, exact: then }
    } else if wrapped.balances != exact.balances {
        Arrival::Paid
    } else if wrapped.outcome.logs != exact.outcome.logs {
        Arrival::Logged
    } else {
        (wrapped.passed != exact.passed).then_some(Arrival::Passed)?
    };
    Some(Compared { wrap, arrival, stored, wrapped, exact })
}

/// Whether it is a difference that is compared with zero: the exact one is below, and nothing of its type is.
fn always_holds(harness: &Harness, place: Place) -> bool {
    let operations = &harness.build.source(place.source).ast.operations;
    operations.iter().any(|operation| operation.always_holds && operation.span == place.span)
}

/// Whether the first branch that the runs take differently tests whether the result went around: it compares it with what it was
/// computed from.
fn is_tested(wrapped: &End, exact: &End, wrap: &Wrap) -> bool {
    let pairs = wrapped.branches.iter().zip(&exact.branches);
    let mut parted =
        pairs.filter(|(one, other)| (one.program, one.pc, one.taken) != (other.program, other.pc, other.taken));
    // What is cut has one operand only.
    let computed_from = if wrap.kind == OperationKind::Narrow { &wrap.operands[..1] } else { &wrap.operands[..] };
    let tests = |left: U256, right: U256| left == wrap.word() && computed_from.contains(&right);
    parted.next().is_some_and(|(branch, _)| tests(branch.left, branch.right) || tests(branch.right, branch.left))
}

/// Whether it is computed from a hash, which is as good after it went around as before.
fn is_of_a_hash(wrapped: &End, wrap: &Wrap) -> bool {
    // The compiler cuts a word only where that is seen, and an operand may be the whole hash.
    let mask = U256::MAX >> (256 - usize::from(wrap.from.bits));
    let mut hashes = wrapped.preimages.iter().map(|preimage| U256::from_be_bytes(preimage.hash.0) & mask);
    let is_operand = |hash: U256| wrap.operands.iter().any(|operand| *operand & mask == hash);
    wrap.from.bits >= MIN_HASH_BITS && hashes.any(is_operand)
}

impl End {
    fn of(harness: &Harness, executor: &Executor, outcome: Outcome) -> Self {
        let (observation, after) = (executor.observation(), executor.after());
        let changes = executor.before().changes(after).into_iter();
        let instances = harness.calls.instances().iter().map(|instance| instance.address);
        let accounts = ACTORS.iter().map(|actor| actor.address).chain(instances);
        let inner = observation.calls.nodes().iter().filter(|node| node.depth > 0 && node.kind != CallKind::Delegate);
        Self {
            stored: changes.map(|(address, slot, _, word)| ((address, slot), word)).collect(),
            balances: accounts.map(|account| (account, after.balance(account))).collect(),
            passed: inner.map(|node| (node.target, node.value, node.input.clone())).collect(),
            branches: observation.branches.clone(),
            preimages: observation.preimages.clone(),
            outcome,
        }
    }

    /// What a slot holds at the end.
    fn word(&self, before: &Snapshot, of: (Address, U256)) -> U256 {
        self.stored.get(&of).copied().unwrap_or_else(|| before.slot(of.0, of.1))
    }

    /// An account that has more or less ether at the end of another run, and how much it has at the end of this one.
    fn other_balance(&self, other: &Self) -> Option<(Address, U256)> {
        let mut pairs = self.balances.iter().zip(&other.balances);
        pairs.find(|(one, other)| one != other).map(|(one, _)| *one)
    }

    /// A word in its logs that is in none of another run.
    fn other_word(&self, other: &Self) -> Option<U256> {
        let words = |end: &Self| {
            let logs = end.outcome.logs.iter().map(|log| &log.data);
            let words = logs.flat_map(|data| {
                let topics = data.topics().iter().map(|topic| U256::from_be_bytes(topic.0));
                topics.chain(data.data.chunks_exact(32).map(U256::from_be_slice)).collect::<Vec<_>>()
            });
            words.collect::<Vec<_>>()
        };
        let known = words(other);
        words(self).into_iter().find(|word| !known.contains(word))
    }

    /// The first slot that holds another word at the end of another run.
    fn first_difference(&self, other: &Self, before: &Snapshot) -> Option<(Address, U256)> {
        let mut changed = self.stored.keys().chain(other.stored.keys());
        changed.find(|of| self.word(before, **of) != other.word(before, **of)).copied()
    }
}
