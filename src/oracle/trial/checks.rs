//! Checks, run otherwise: with other arguments, and on the state right after the setup.

use super::confirmed::Trial;
use crate::{
    code::{BlockId, Exit, ProgramId},
    evm::{Branch, Failure, FailureKind, Operator, SlotAccess, Snapshot},
    input::{Field, Transaction, Type, ValuePart},
    oracle::violation::{Place, Violation},
    world::ACTORS,
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// Calls with other arguments that are tried at most. Chosen by hand: four words with a dozen values each.
const MAX_TRIED: usize = 48;

/// Lengths that code asks for: an address, a word, and two of them.
const LENGTHS: [u64; 3] = [20, 32, 64];

/// Who calls, as people write it.
const SENDERS: [&str; 2] = ["msg.sender", "msgSender()"];

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComparedWord {
    /// The word.
    pub word: U256,
    /// Whether it was compared as a signed number.
    pub signed: bool,
}

impl ComparedWord {
    /// Both sides of the comparison that decided a branch.
    pub fn of_branch(branch: &Branch) -> [Self; 2] {
        let signed = matches!(branch.operator, Operator::SignedLess | Operator::SignedGreater);
        [branch.left, branch.right].map(|word| Self { word, signed })
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

impl Trial<'_> {
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
        let others = self.others(&transaction, check.sides);
        let tried = others.len();
        others.into_iter().find(|other| self.passes(&before, other, violation, &check)).ok_or(tried)
    }

    /// The two sides of the comparison in the failing expression; none if it is not one comparison of the called contract itself.
    pub fn sides(&mut self, violation: &Violation) -> Option<[ComparedWord; 2]> {
        let last = self.last.as_ref()?;
        let (before, transaction) = (last.before.clone(), last.transaction.clone());
        let condition = self.asserted_condition(violation)?;
        let compares = condition.contains(['<', '>', '=']) && !condition.contains(['&', '|', '?']);
        let check = self.failed_check(&before, &transaction, violation)?;
        check.sides.filter(|_| compares)
    }

    /// The account that comes past an assertion which compares the sender with it, and nothing else.
    pub fn accepted_sender(&mut self, violation: &Violation) -> Option<Address> {
        let last = self.last.as_ref().filter(|last| last.transaction.reaction.is_none())?;
        let (before, transaction) = (last.before.clone(), last.transaction.clone());
        let condition = self.asserted_condition(violation)?;
        if !condition.contains("==") || !SENDERS.iter().any(|sender| condition.contains(sender)) {
            return None;
        }
        let check = self.failed_check(&before, &transaction, violation)?;
        let sender: U256 = transaction.sender.into_word().into();
        let accepted = match check.sides?.map(|side| side.word) {
            [one, other] if one == sender => other,
            [one, other] if other == sender => one,
            _ => return None,
        };
        let accepted = Address::from_word(accepted.into());
        let by_accepted = Transaction { sender: accepted, ..transaction };
        self.passes(&before, &by_accepted, violation, &check).then_some(accepted)
    }

    /// What is between the brackets of an `assert`.
    fn asserted_condition(&self, violation: &Violation) -> Option<&'_ str> {
        let source = self.harness.build.source(violation.place.source);
        let text = violation.place.span.text(&source.text);
        text.strip_prefix("assert(")?.strip_suffix(')')
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
            sides: decided.map(ComparedWord::of_branch),
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

    /// The same call with another word in one of its arguments, or another amount of ether: near the two sides of a comparison, too.
    pub(super) fn others(&self, call: &Transaction, sides: Option<[ComparedWord; 2]>) -> Vec<Transaction> {
        let function = self.harness.calls.function(call.call);
        let fields = self.other_words(call, sides);
        let mut others: Vec<Transaction> = Vec::new();
        // All fields get their first value before any gets its second.
        for nth in 0..fields.iter().map(|field| field.others.len()).max().unwrap_or(0) {
            for OtherWords { field, word, others: words } in &fields {
                let mut other = call.clone();
                if let Some(value) = words.get(nth).filter(|value| *value != word)
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

    /// The same call with other words in all of its arguments at once, which differ from each other where they can.
    pub(super) fn others_together(&self, call: &Transaction) -> Vec<Transaction> {
        let function = self.harness.calls.function(call.call);
        let fields = self.other_words(call, None);
        let longest = fields.iter().map(|field| field.others.len()).max().unwrap_or(0);
        let together = (0..longest).map(|nth| {
            let mut other = call.clone();
            for (place, OtherWords { field, others: words, .. }) in fields.iter().enumerate() {
                other.set_word(function, field, words[(nth + place) % words.len()]);
            }
            other
        });
        together.take(MAX_TRIED).collect()
    }

    fn other_words(&self, call: &Transaction, sides: Option<[ComparedWord; 2]>) -> Vec<OtherWords> {
        let function = self.harness.calls.function(call.call);
        let one = U256::ONE;
        let is_tried = |field: &Field| matches!(field, Field::Argument { .. } | Field::Value);
        let fields = call.words(&self.harness.calls).into_iter().filter(|(field, _)| is_tried(field));
        let with_others = fields.map(|(field, word)| {
            let ty = match field {
                Field::Argument { index, .. } => Some(&function.inputs[usize::from(index)].ty),
                _ => None,
            };
            let near = sides.iter().flatten().flat_map(|side| [side.word, side.word.wrapping_sub(one)]);
            let plain = [U256::ZERO, one, U256::from(2), word.wrapping_sub(one), word.wrapping_add(one), word >> 1];
            let plain = plain.into_iter().chain(near).chain([U256::from(1_000_000_007)]);
            let others = match ty {
                _ if is_length(&field) => plain.chain(LENGTHS.map(U256::from)).collect(),
                Some(Type::Address | Type::Contract { .. }) => {
                    ACTORS.iter().map(|actor| actor.address.into_word().into()).collect()
                }
                // Their first byte is the highest.
                Some(Type::FixedBytes(_)) => plain.flat_map(|word| [word, word << 248]).collect(),
                _ => plain.collect(),
            };
            OtherWords { field, word, others }
        });
        with_others.collect()
    }
}

/// Whether a field is the length of a list, of bytes or of a text.
fn is_length(field: &Field) -> bool {
    matches!(field, Field::Argument { position, .. } if position.part == ValuePart::Length)
}

/// A word of a call, and what else it may be.
struct OtherWords {
    field: Field,
    word: U256,
    others: Vec<U256>,
}
