//! A [`Trial`] runs a confirmed sequence otherwise: its last call with other arguments, or on the state right after the setup, or
//! sent by somebody else. It says what happens then; what that means is the oracles' business.

use super::{
    violation::{Place, Violation},
    weight::ComparedWord,
};
use crate::{
    code::{BlockId, Exit, ProgramId},
    evm::{Branch, Executor, Failure, FailureKind, Operator, Outcome, SlotAccess, Snapshot},
    harness::{Action, Checkpoints, Harness},
    input::{Field, FunctionKind, Instance, Origin, Sequence, Setup, Transaction, Type},
    world::{ACTORS, ActorRole},
};
use alloy_primitives::{Address, U256};
use std::{collections::BTreeSet, ops::ControlFlow};

/// Calls with other arguments that are tried at most. Chosen by hand: four words with a dozen values each.
const MAX_TRIED: usize = 48;

/// The violations of the last run of an executor, each with the index of the failure that it judges.
pub(crate) type Judge<'a> = dyn FnMut(&Executor, &Outcome) -> Vec<(usize, Violation)> + 'a;

/// What people without a role can do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum StrangerPower {
    /// Not all of them get there.
    #[default]
    None,
    /// Each of them gets there, and what it is about stays the same.
    Reach,
    /// Each of them gets there, and chooses the account that it is about.
    Choose,
}

/// What people without a role can do, and how.
#[derive(Debug, Clone, Default)]
pub struct Strangers {
    /// What they can do.
    pub power: StrangerPower,
    /// The transactions in which one of them does it.
    pub attack: Vec<Transaction>,
}

/// Whose calls somebody else makes.
#[derive(Debug, Clone, Copy)]
enum Replaced {
    Everyone,
    LastSender,
    LastCall,
}

/// Other accounts that are passed at most to see whether what is passed decides; chosen by hand.
const MAX_RENAMED: usize = 3;

/// An account that nobody has: the code that a stranger tries to have run, or who is to be paid.
const NOBODY: Address = Address::new([
    0xb1, 0x6b, 0x00, 0xb5, 0x9d, 0x2f, 0x4e, 0x71, 0xc3, 0x08, 0x5a, 0x66, 0xe7, 0x12, 0x9c, 0x40, 0x7d, 0xf3, 0x28,
    0x95,
]);

/// A confirmed sequence, ready to be run otherwise.
pub struct Trial<'a> {
    harness: &'a Harness,
    executor: Executor,
    judge: &'a mut Judge<'a>,
    sequence: &'a Sequence,
    /// The states along the last run of a whole sequence.
    checkpoints: Checkpoints,
    /// Those along the first setup.
    setups: Checkpoints,
    /// The call, with the state before it and the one right after the setup; none if the last step belongs to the setup.
    last: Option<LastCall<'a>>,
}

/// The last call of a sequence.
#[derive(Debug)]
pub(crate) struct LastCall<'a> {
    /// The call.
    pub(crate) transaction: &'a Transaction,
    /// The state before it.
    pub(crate) before: Snapshot,
    /// The state right after the setup.
    pub(crate) start: Snapshot,
}

impl std::fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trial").field("last", &self.last).finish_non_exhaustive()
    }
}

/// The check that a violation failed at, as the code has it.
struct FailedCheck {
    program: ProgramId,
    /// A block of the failing expression; none if the code does not tell it.
    block: Option<BlockId>,
    /// The slots that were read before it failed.
    reads: BTreeSet<SlotAccess>,
    /// The sides of the comparison that decided.
    sides: Option<[ComparedWord; 2]>,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(
        harness: &'a Harness,
        executor: Executor,
        judge: &'a mut Judge<'a>,
        sequence: &'a Sequence,
        last: Option<LastCall<'a>>,
    ) -> Self {
        Self {
            harness,
            executor,
            judge,
            sequence,
            checkpoints: Checkpoints::default(),
            setups: Checkpoints::default(),
            last,
        }
    }

    /// What people without a role can do: whether the violation is shown as well if any of the users does what was done, in the world
    /// as it is planned, and whether the account that it is about is what they pass, or they themselves.
    ///
    /// Everything is sent by the one user, or what the last sender sent, or only the last call. Who is replaced is replaced in what the
    /// user passes, too. What others did before stays: an owner may have allowed it.
    pub fn strangers(&mut self, violation: &Violation) -> Strangers {
        let planned = &self.harness.setup;
        let own = &self.sequence.setup;
        // A setup that was shortened may lack the call that gives the contract its owner.
        let is_whole = own != planned && own.steps().len() >= planned.steps().len();
        let setups = [Some(planned.clone()), is_whole.then(|| own.clone())];
        let mut best = Strangers::default();
        for setup in setups.into_iter().flatten() {
            for replaced in [Replaced::Everyone, Replaced::LastSender, Replaced::LastCall] {
                let strangers = self.strangers_in(&setup, replaced, violation);
                if strangers.power > best.power {
                    best = strangers;
                }
                if best.power == StrangerPower::Choose {
                    return best;
                }
            }
        }
        best
    }

    fn strangers_in(&mut self, setup: &Setup, replaced: Replaced, violation: &Violation) -> Strangers {
        let users = ACTORS.iter().filter(|actor| actor.role == ActorRole::User).map(|actor| actor.address);
        let mut attacks = Vec::new();
        for user in users {
            let attack = Sequence { setup: setup.clone(), transactions: self.sent_by(user, replaced) };
            let Some(account) = self.account_shown(&attack, violation) else { return Strangers::default() };
            attacks.push((user, attack, account));
        }
        let are_named = !attacks.is_empty() && attacks.iter().all(|(user, _, account)| *account == Some(*user));
        let Some((user, attack, account)) = attacks.into_iter().next() else { return Strangers::default() };
        let chooses = are_named || account.is_some_and(|account| self.is_chosen(user, &attack, account, violation));
        let power = if chooses { StrangerPower::Choose } else { StrangerPower::Reach };
        Strangers { power, attack: attack.transactions }
    }

    /// Whether another account takes the place of this one if a user passes it instead.
    fn is_chosen(&mut self, user: Address, attack: &Sequence, account: Address, violation: &Violation) -> bool {
        let instances = self.harness.calls.instances().iter().map(|instance| instance.address);
        let others: Vec<Address> = std::iter::once(NOBODY).chain(instances.filter(|other| *other != account)).collect();
        others.into_iter().take(MAX_RENAMED).any(|other| {
            let mut renamed = attack.clone();
            let own = renamed.transactions.iter_mut().filter(|transaction| transaction.sender == user);
            let is_passed = own.fold(false, |passed, transaction| self.rename(transaction, account, other) | passed);
            is_passed && self.account_shown(&renamed, violation) == Some(Some(other))
        })
    }

    /// The transactions, with somebody else in the place of senders.
    fn sent_by(&self, user: Address, replaced: Replaced) -> Vec<Transaction> {
        let mut transactions = self.sequence.transactions.clone();
        let last = transactions.len().saturating_sub(1);
        let senders: BTreeSet<Address> = transactions.iter().map(|transaction| transaction.sender).collect();
        let last_sender = transactions.last().map(|transaction| transaction.sender);
        let is_replaced = |index: usize, sender: Address| match replaced {
            Replaced::Everyone => true,
            Replaced::LastSender => Some(sender) == last_sender,
            Replaced::LastCall => index == last,
        };
        for (index, transaction) in transactions.iter_mut().enumerate() {
            let sender = transaction.sender;
            if is_replaced(index, sender) {
                for replaced in senders.iter().filter(|other| is_replaced(index, **other)) {
                    self.rename(transaction, *replaced, user);
                }
                transaction.sender = user;
            }
        }
        transactions
    }

    /// Passes another account wherever a transaction passes this one. Returns whether it did. What a stand-in answers is nobody's choice.
    fn rename(&self, transaction: &mut Transaction, from: Address, to: Address) -> bool {
        let function = self.harness.calls.function(transaction.call);
        if function.kind == FunctionKind::Answer {
            return false;
        }
        let (from, to): (U256, U256) = (from.into_word().into(), to.into_word().into());
        let words = transaction.words(&self.harness.calls).into_iter();
        let passed = words.filter(|(field, word)| matches!(field, Field::Argument { .. }) && *word == from);
        passed.fold(false, |renamed, (field, _)| transaction.set_word(function, &field, to) | renamed)
    }

    /// Whether something is to be lost there for anybody but the caller: it was there after the setup, and is no contract that keeps
    /// nothing and is behind a proxy because it has to run in the place of others.
    fn is_at_stake(harness: &Harness, start: &Snapshot, account: Address) -> bool {
        let is_proxy = |instance: &Instance| instance.address == account && matches!(instance.origin, Origin::Proxy(_));
        let is_proxied = harness.calls.instances().iter().any(is_proxy);
        let kept = || harness.world.genesis.changes(start).into_iter().filter(|(of, ..)| *of == account).count();
        // The proxy itself keeps whose code it runs.
        start.has_code(account) && (!is_proxied || kept() > 1)
    }

    /// The account that decides what happens, if the last call of a sequence shows the violation and something is at stake.
    fn account_shown(&mut self, sequence: &Sequence, violation: &Violation) -> Option<Option<Address>> {
        let mut account = None;
        let start = self.harness.set_up_from(&mut self.executor, &sequence.setup, &mut self.setups, |_| ()).1?;
        let Self { harness, executor, judge, checkpoints, .. } = self;
        let _ = harness.run_while(executor, sequence, checkpoints, |step| {
            if step.left == 0 {
                let mut shown = judge(step.executor, step.outcome).into_iter();
                let failures = &step.executor.observation().failures;
                let kind = |index: usize| failures.get(index).map(|failure| failure.kind);
                let shown = shown.find(|(_, shown)| shown == violation).map(|(index, _)| kind(index));
                let is_at_stake = |account: Address| Self::is_at_stake(harness, &start, account);
                account = shown.filter(|kind| kind.and_then(FailureKind::affected).is_none_or(is_at_stake));
            }
            ControlFlow::Continue(())
        });
        account.map(|kind| kind.and_then(FailureKind::decisive))
    }

    /// Whether the violation happens while the world is set up.
    pub fn is_in_setup(&self) -> bool {
        self.last.is_none()
    }

    /// Whether the same call right after the setup shows the same violation.
    pub fn fails_from_the_start(&mut self, violation: &Violation) -> bool {
        let Some(last) = &self.last else { return true };
        let (start, transaction) = (last.start.clone(), last.transaction.clone());
        self.run(&start, &transaction).iter().any(|(_, shown)| shown == violation)
    }

    /// A call with other arguments that comes past the check on the same state and from the same words of storage, or else how many
    /// were tried.
    ///
    /// # Errors
    ///
    /// The number of calls that were tried.
    pub fn other_arguments(&mut self, violation: &Violation) -> Result<Transaction, usize> {
        let Some(last) = &self.last else { return Err(0) };
        let (before, transaction) = (last.before.clone(), last.transaction.clone());
        let Some(check) = self.failed_check(&before, &transaction, violation) else { return Err(0) };
        let others = self.others(&transaction, &check);
        let tried = others.len();
        others.into_iter().find(|other| self.passes(&before, other, violation, &check)).ok_or(tried)
    }

    /// The two sides of the comparison in the failing expression; none if it is not one comparison of the called contract itself.
    pub fn sides(&mut self, violation: &Violation) -> Option<[ComparedWord; 2]> {
        let last = self.last.as_ref()?;
        let (before, transaction) = (last.before.clone(), last.transaction.clone());
        let source = self.harness.build.source(violation.place.source);
        let text = violation.place.span.text(&source.text);
        let condition = text.strip_prefix("assert(")?.strip_suffix(')')?;
        let compares = condition.contains(['<', '>', '=']) && !condition.contains(['&', '|', '?']);
        let check = self.failed_check(&before, &transaction, violation)?;
        check.sides.filter(|_| compares)
    }

    fn run(&mut self, state: &Snapshot, transaction: &Transaction) -> Vec<(usize, Violation)> {
        let call = self.harness.call(Action::Call(transaction), state.moment());
        let outcome = self.executor.run(state, &call);
        (self.judge)(&self.executor, &outcome)
    }

    /// The check at which a call fails.
    fn failed_check(&mut self, state: &Snapshot, call: &Transaction, violation: &Violation) -> Option<FailedCheck> {
        let (failure, _) = self.run(state, call).into_iter().find(|(_, shown)| shown == violation)?;
        let observation = self.executor.observation();
        let failure = observation.failures.get(failure)?;
        let is_own = |branch: &&Branch| failure.depth == 0 && branch.program == failure.program;
        let decided = observation.branches.iter().rfind(is_own);
        Some(FailedCheck {
            program: failure.program,
            block: self.block_of(failure, violation.place),
            reads: observation.reads.iter().copied().collect(),
            sides: decided.map(|branch| {
                let signed = matches!(branch.operator, Operator::SignedLess | Operator::SignedGreater);
                [branch.left, branch.right].map(|word| ComparedWord { word, signed })
            }),
        })
    }

    /// The last block with code of a place before a failure was decided: whoever comes past the check enters it, too.
    fn block_of(&self, failure: &Failure, place: Place) -> Option<BlockId> {
        let program = self.harness.programs.get(failure.program);
        let is_inside = |block: &&BlockId| {
            let instructions = program.instructions_of(program.block(**block));
            let mut ranges = instructions.iter().filter_map(|instruction| program.range(instruction.pc));
            ranges.any(|(source, span)| source == place.source && place.span.contains(span))
        };
        let decides = |block: &&BlockId| program.block(**block).exit == Exit::Branch;
        let mut before = failure.history.iter().rev().skip(1).skip_while(|block| !decides(block));
        before.find(is_inside).copied()
    }

    /// Whether a call comes past the check without failing at any, from the same words of storage: else it only stays away from what
    /// fails.
    fn passes(&mut self, state: &Snapshot, call: &Transaction, violation: &Violation, check: &FailedCheck) -> bool {
        let shows = self.run(state, call).iter().any(|(_, shown)| shown == violation);
        let observation = self.executor.observation();
        let fails = |failure: &Failure| matches!(failure.kind, FailureKind::Panic(_) | FailureKind::Invalid);
        let enters = |block| observation.blocks.iter().any(|seen| (seen.program, seen.block) == (check.program, block));
        !shows
            && !observation.failures.iter().any(fails)
            && check.block.is_some_and(enters)
            && check.reads.iter().all(|read| observation.reads.contains(read))
    }

    /// The same call with another word in one of its arguments, or another amount of ether.
    fn others(&self, call: &Transaction, check: &FailedCheck) -> Vec<Transaction> {
        let function = self.harness.calls.function(call.call);
        let fields = call.words(&self.harness.calls).into_iter();
        let fields: Vec<(Field, U256)> =
            fields.filter(|(field, _)| matches!(field, Field::Argument { .. } | Field::Value)).collect();
        let one = U256::ONE;
        let mut others: Vec<Transaction> = Vec::new();
        // All fields get their first value before any gets its second.
        let values: Vec<Vec<U256>> = fields
            .iter()
            .map(|(field, word)| {
                let is_address = matches!(field, Field::Argument { index, .. }
                    if matches!(function.inputs[usize::from(*index)].ty, Type::Address | Type::Contract { .. }));
                let near = check.sides.iter().flatten().flat_map(|side| [side.word, side.word.wrapping_sub(one)]);
                let plain =
                    [U256::ZERO, one, U256::from(2), word.wrapping_sub(one), word.wrapping_add(one), *word >> 1];
                let plain = plain.into_iter().chain(near).chain([U256::from(1_000_000_007)]);
                match is_address {
                    true => ACTORS.iter().map(|actor| actor.address.into_word().into()).collect(),
                    false => plain.collect(),
                }
            })
            .collect();
        for nth in 0..values.iter().map(Vec::len).max().unwrap_or(0) {
            for ((field, word), values) in fields.iter().zip(&values) {
                let mut other = call.clone();
                if let Some(value) = values.get(nth).filter(|value| *value != word)
                    && other.set_word(function, field, *value)
                    && !others.contains(&other)
                {
                    others.push(other);
                }
            }
        }
        others.truncate(MAX_TRIED);
        others
    }
}
