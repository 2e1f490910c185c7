//! Finds the comparison that decided a branch: the one behind the word that a JUMPI tests. A [`ConditionTracer`] follows the
//! word back through the blocks that the frame came through, by the effect of each block on the stack (`code/condition.rs`).
//! Where several tests were combined, it picks the one that decides.

use super::{block_history::BlockHistory, observation::Operator};
use crate::code::{Program, StackEffect, Test, WordOrigin};
use alloy_primitives::U256;
use revm::bytecode::opcode;

/// Blocks and tests that are looked at for one branch; chosen by hand.
const MAX_LOOKUPS: u32 = 192;

/// The operands that an instruction saw last, and when.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SeenOperands {
    /// The recorder's clock at that moment.
    pub(super) clock: u64,
    pub(super) left: U256,
    pub(super) right: U256,
}

/// A comparison with its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DecidingComparison {
    pub(super) operator: Operator,
    pub(super) left: U256,
    pub(super) right: U256,
    /// Whether the word is zero where the comparison holds.
    pub(super) negated: bool,
    /// Whether the word is either 0 or 1.
    boolean: bool,
}

impl DecidingComparison {
    /// The comparison that a word stands for if it is compared with nothing: `x + n` is zero where `x` is `-n`.
    fn of_sum(word: U256, addend: U256) -> Self {
        let (left, right) = (word.wrapping_sub(addend), U256::ZERO.wrapping_sub(addend));
        Self { operator: Operator::Differ, left, right, negated: false, boolean: false }
    }

    fn held(&self) -> bool {
        self.operator.holds(self.left, self.right)
    }

    /// Whether the word is not zero.
    fn is_true(&self) -> bool {
        self.held() != self.negated
    }

    fn cost(&self) -> U256 {
        self.operator.cost(self.left, self.right, self.held())
    }

    fn flipped(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    fn boolean(self, boolean: bool) -> Self {
        Self { boolean, ..self }
    }
}

/// The tests of a program, and the effect of each block on the stack.
#[derive(Debug)]
pub(super) struct ConditionTable {
    tests: Vec<Test>,
    /// The site of each test that has one, else an index outside of every frame. No lookup asks for those.
    sites: Vec<usize>,
    stack_effects: Vec<StackEffect>,
}

impl ConditionTable {
    /// `site` knows the site of an instruction, if it has one.
    pub(super) fn new(program: &Program, site: impl Fn(u32) -> Option<u32>) -> Self {
        let tests = program.conditions.tests.clone();
        let sites = tests.iter().map(|test| match test {
            Test::Compare { pc, .. } | Test::Sum { pc, .. } => site(*pc).map_or(usize::MAX, |site| site as usize),
            Test::Addend(_) | Test::Not(_) | Test::Both { .. } | Test::Either(_) => usize::MAX,
        });
        Self { sites: sites.collect(), tests, stack_effects: program.conditions.stack_effects.clone() }
    }
}

fn operator(byte: u8) -> Operator {
    match byte {
        opcode::LT => Operator::Less,
        opcode::GT => Operator::Greater,
        opcode::SLT => Operator::SignedLess,
        opcode::SGT => Operator::SignedGreater,
        opcode::SUB | opcode::XOR => Operator::Differ,
        _ => Operator::Equal,
    }
}

/// The moment to which a stack position refers.
#[derive(Debug, Clone, Copy)]
struct TracePoint {
    /// The position of the block in the history; `None` for the running block.
    position: Option<usize>,
    /// The recorder's clock when the block was left. Operands that were noted later belong to a later round of a loop.
    left: u64,
}

/// Follows words back within the running frame.
pub(super) struct ConditionTracer<'a> {
    table: &'a ConditionTable,
    /// The operands that each site of the frame saw last.
    seen: &'a [SeenOperands],
    history: &'a BlockHistory,
    lookups_left: u32,
}

impl<'a> ConditionTracer<'a> {
    pub(super) fn new(table: &'a ConditionTable, seen: &'a [SeenOperands], history: &'a BlockHistory) -> Self {
        Self { table, seen, history, lookups_left: MAX_LOOKUPS }
    }

    /// The comparison behind a word of the running block. Falls back to the comparison of the word itself with 0.
    pub(super) fn decide(&mut self, origin: WordOrigin, word: U256) -> DecidingComparison {
        let truth = !word.is_zero();
        if let WordOrigin::Test(index) = origin
            && let Test::Addend(addend) = self.table.tests[index as usize]
        {
            return DecidingComparison::of_sum(word, addend);
        }
        let now = TracePoint { position: None, left: u64::MAX };
        let found = self.look(origin, now, Some(truth)).filter(|comparison| comparison.is_true() == truth);
        found.unwrap_or_else(|| DecidingComparison::of_sum(word, U256::ZERO))
    }

    /// `truth` is whether the word is nonzero; `None` where that is unknown, because the word may be either of two that were
    /// combined.
    fn look(&mut self, mut word: WordOrigin, mut point: TracePoint, truth: Option<bool>) -> Option<DecidingComparison> {
        let index = loop {
            self.lookups_left = self.lookups_left.checked_sub(1)?;
            match word {
                WordOrigin::Unknown => return None,
                WordOrigin::Test(index) => break index,
                WordOrigin::Entry(depth) => (word, point) = self.step_back(depth, point)?,
            }
        };
        match self.table.tests[index as usize] {
            Test::Compare { opcode, of, flip, strict, .. } => {
                let truth = if strict { None } else { truth.map(|truth| truth != flip) };
                let is_number = matches!(opcode, opcode::SUB | opcode::XOR);
                match self.look(of, point, truth) {
                    Some(inner) if !strict || inner.boolean => {
                        let inner = if flip { inner.flipped() } else { inner };
                        Some(inner.boolean(!is_number))
                    }
                    _ => {
                        let SeenOperands { clock, left, right } = self.seen(index)?;
                        let operator = operator(opcode);
                        let comparison =
                            DecidingComparison { operator, left, right, negated: false, boolean: !is_number };
                        (clock <= point.left).then_some(comparison)
                    }
                }
            }
            Test::Sum { addend, .. } => {
                let SeenOperands { clock, left, .. } = self.seen(index)?;
                (clock <= point.left).then(|| DecidingComparison::of_sum(left, addend).flipped().boolean(true))
            }
            Test::Not(of) => Some(self.look(of, point, truth.map(|truth| !truth))?.flipped().boolean(true)),
            Test::Both { words, bitwise } => self.both(words, bitwise, point, truth),
            // Either holds unless both of their opposites do.
            Test::Either(words) => {
                let [left, right] = words.map(|word| {
                    let truth = truth.filter(|truth| !truth);
                    self.look(word, point, truth)
                });
                let boolean = left.is_some_and(|left| left.boolean) && right.is_some_and(|right| right.boolean);
                let opposite = |part: Option<DecidingComparison>| part.map(DecidingComparison::flipped);
                let decisive = decisive([opposite(left), opposite(right)], truth.map(|truth| !truth))?;
                Some(decisive.flipped().boolean(boolean))
            }
            Test::Addend(_) => None,
        }
    }

    /// The operands that the instruction of a test saw last.
    fn seen(&self, test: u32) -> Option<SeenOperands> {
        self.seen.get(self.table.sites[test as usize]).copied()
    }

    fn both(
        &mut self,
        words: [WordOrigin; 2],
        bitwise: bool,
        point: TracePoint,
        truth: Option<bool>,
    ) -> Option<DecidingComparison> {
        let parts = words.map(|word| self.look(word, point, truth.filter(|truth| *truth)));
        let boolean = |part: &Option<DecidingComparison>| part.is_some_and(|part| part.boolean);
        let parts = if bitwise {
            // An AND of a number tests only one of its bits.
            parts.map(|part| part.filter(|part| part.boolean))
        } else if parts.iter().any(boolean) {
            parts
        } else {
            // The product of two numbers may be zero although neither is.
            return None;
        };
        Some(decisive(parts, truth)?.boolean(bitwise || parts.iter().all(boolean)))
    }

    /// The origin of the same word at the end of the block before.
    fn step_back(&mut self, depth: u32, point: TracePoint) -> Option<(WordOrigin, TracePoint)> {
        let position = point.position.or(self.history.last())?;
        let left = self.history.get(position)?.clock;
        let before = position.checked_sub(1)?;
        let word = self.table.stack_effects[self.history.get(before)?.block as usize].at(depth);
        Some((word, TracePoint { position: Some(before), left }))
    }
}

/// The part that decides whether both hold: if they do, the one that is easiest to break, else the one that is hardest to
/// reach. `None` if an unknown part may be the one.
fn decisive(parts: [Option<DecidingComparison>; 2], truth: Option<bool>) -> Option<DecidingComparison> {
    let fails = |part: &DecidingComparison| !part.is_true();
    let known = || parts.iter().flatten().copied();
    if let Some(hardest) = known().filter(fails).max_by_key(DecidingComparison::cost) {
        return Some(hardest);
    }
    (truth == Some(true) || parts.iter().all(Option::is_some))
        .then(|| known().min_by_key(DecidingComparison::cost))
        .flatten()
}
