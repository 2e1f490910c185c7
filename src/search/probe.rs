//! Probing: a [`FiniteDifference`] is the effect of moving one variable by a step.

use super::{
    constraint::{Operands, PathConstraint},
    objective_search::{ObjectiveSearch, Reached},
    runner::Runner,
    variable::{Assignment, Variable},
};
use crate::{
    corpus::State,
    input::{Field, Transaction},
    solve::{Integer, StepRange, centered, unsigned},
};
use alloy_primitives::{Address, U256};
use rand::RngExt;

/// The difference between a run and the one it is compared with, after one variable was moved.
#[derive(Debug, Clone)]
pub(super) struct FiniteDifference {
    pub(super) variable: Variable,
    /// The current number of the variable.
    pub(super) now: Integer,
    /// The range in which it can move from there.
    pub(super) span: StepRange,
    /// The distance by which it was moved.
    pub(super) step: Integer,
    /// The movement of branches before the objective; branches that stayed as they were are left out.
    pub(super) moves: Vec<(usize, Delta)>,
    /// The movement at the objective.
    pub(super) at_goal: Delta,
    /// A run that its prediction has already led to.
    pub(super) predicted: Option<Seen>,
}

/// A run in which a variable alone was moved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) steps: Integer,
    /// The difference in that run; none if it diverged.
    pub(super) difference: Option<Integer>,
}

/// A variable that diverges from the path to the objective when it is moved alone, and its effect up to there.
#[derive(Debug, Clone)]
pub(super) struct CoupledVariable {
    pub(super) column: FiniteDifference,
    /// The branch at which it diverges.
    pub(super) row: usize,
}

/// The result of moving several variables, each alone.
#[derive(Debug, Default)]
pub(super) struct Probed {
    pub(super) columns: Vec<FiniteDifference>,
    pub(super) bound: Vec<CoupledVariable>,
}

/// The movement of two operands, and of the difference between them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Delta {
    pub(super) left: U256,
    pub(super) right: U256,
    pub(super) way: Integer,
}

impl Delta {
    pub(super) fn between(was: Operands, is: Operands) -> Self {
        let (before, after) = (was.difference(), is.difference());
        let way = after.value - before.value;
        // The shorter direction, where numbers count modulo 2^256.
        let way = if before.modular { centered(way) } else { way };
        Self { left: is.left.wrapping_sub(was.left), right: is.right.wrapping_sub(was.right), way }
    }

    /// Whether the difference can be extrapolated: a hash changes in all bits. A small step of a value in the left part of
    /// a word moves it far, too, but leaves the right part.
    pub(super) fn can_be_followed(&self) -> bool {
        let way = self.way.unsigned_abs();
        !way.is_zero() && (way.bit_len() <= 200 || way.trailing_zeros() >= 64)
    }

    pub(super) fn is_none(&self) -> bool {
        self.left.is_zero() && self.right.is_zero()
    }
}

/// Whether a variable is a word of the transaction itself, or of what somebody does during it.
fn is_of_call(variable: &Variable) -> bool {
    matches!(variable, Variable::Field(_) | Variable::CallBack(_) | Variable::Answer)
}

fn same_balance(one: &State, other: &State, address: Address) -> bool {
    one.snapshot.balance(address) == other.snapshot.balance(address)
}

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// Moves each word of the transaction by a step.
    pub(super) fn probe_fields(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
    ) -> Result<Probed, Reached> {
        let mut variables: Vec<Variable> =
            assignment.words(&self.calls()).into_iter().map(|(variable, _)| variable).collect();
        while variables.len() > self.tuning.probed_words {
            let at = self.runner.lend().rng.random_range(0..variables.len());
            variables.swap_remove(at);
        }
        self.probe_each(assignment, constraint, variables.into_iter())
    }

    /// Moves words of earlier transactions, the latest first, if they changed a part of the state that moves the
    /// objective's operands: a slot, or the balance. The earlier transactions are added to the assignment, since the finite
    /// differences refer to them.
    pub(super) fn probe_earlier(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        storage: &[FiniteDifference],
    ) -> Result<(Assignment, Vec<FiniteDifference>), Reached> {
        let table = self.calls();
        let mut moving = Vec::new();
        for column in storage.iter().filter(|column| !column.at_goal.is_none()) {
            if let Variable::Storage { address, slot, .. } = column.variable {
                moving.push((address, slot));
            }
        }
        let called = table.instance(assignment.transaction.call.target).address;
        let paid = self
            .state
            .ancestors()
            .take(self.tuning.probed_earlier_calls)
            .any(|state| state.from.as_ref().is_some_and(|(before, _)| !same_balance(before, state, called)));
        let pays = paid && self.depends_on_balance(assignment, constraint, called)?;
        let mut states: Vec<&State> = self.state.ancestors().take(self.tuning.probed_earlier_calls).collect();
        states.reverse();
        let matters = |before: &State, after: &State| {
            let changes = |(address, slot): &(Address, U256)| {
                before.snapshot.slot(*address, *slot) != after.snapshot.slot(*address, *slot)
            };
            moving.iter().any(changes) || (pays && !same_balance(before, after, called))
        };
        // The calls before the first one that matters are left as they are.
        let calls =
            states.iter().filter_map(|state| state.from.as_ref().map(|(before, call)| (matters(before, state), call)));
        let calls: Vec<(bool, Transaction)> =
            calls.skip_while(|(matters, _)| !matters).map(|(matters, call)| (matters, call.clone())).collect();
        let earlier: Vec<Transaction> = calls.iter().map(|(_, call)| call.clone()).collect();
        let mut variables = Vec::new();
        for (at, (_, call)) in calls.iter().enumerate().rev().filter(|(_, (matters, _))| *matters) {
            let fields = call.words(&table).into_iter().map(|(field, _)| Variable::Earlier { at, field });
            variables.extend(fields);
        }
        variables.truncate(self.tuning.probed_earlier_words);
        let assignment = Assignment { earlier, ..assignment.clone() };
        let probed = self.probe_each(&assignment, constraint, variables.into_iter())?;
        Ok((assignment, probed.columns))
    }

    /// Whether the account's balance moves the objective's operands.
    fn depends_on_balance(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        address: Address,
    ) -> Result<bool, Reached> {
        let balance = assignment.snapshot.balance(address).saturating_add(U256::ONE);
        let snapshot = assignment.snapshot.with_balance(address, balance);
        self.peek(&Assignment { snapshot, ..assignment.clone() })?;
        Ok(self.evaluate(constraint).is_none_or(|operands| !Delta::between(constraint.operands, operands).is_none()))
    }

    /// Moves each variable in the slots that were read by a step, without leaving a trace (HARVEY §V, aggressive mode).
    pub(super) fn probe_storage(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        reads: &[(Address, U256)],
    ) -> Result<Vec<FiniteDifference>, Reached> {
        let mut variables = Vec::new();
        for (address, slot) in reads.iter().take(self.tuning.looked_slots) {
            for (shift, bits) in self.search().variables(*address, *slot) {
                variables.push(Variable::Storage { address: *address, slot: *slot, shift, bits });
            }
        }
        Ok(self.probe_each(assignment, constraint, variables.into_iter())?.columns)
    }

    pub(super) fn probe_each(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        variables: impl Iterator<Item = Variable>,
    ) -> Result<Probed, Reached> {
        let mut probed = Probed::default();
        for variable in variables {
            self.probe(assignment, constraint, variable, &mut probed)?;
        }
        Ok(probed)
    }

    /// Moves one variable and records its effect.
    fn probe(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        variable: Variable,
        probed: &mut Probed,
    ) -> Result<(), Reached> {
        let calls = self.calls();
        let Some(now) = variable.number(assignment, &calls) else { return Ok(()) };
        let Some(span) = variable.span(now, assignment, &calls) else { return Ok(()) };
        let mut bound = None;
        for step in self.steps(&variable, now) {
            let mut moved = assignment.clone();
            if !variable.set(&mut moved, self.runner.lend().generator, now + step) {
                continue;
            }
            if matches!(variable, Variable::Storage { .. }) {
                self.peek(&moved)?;
            } else {
                self.run(&moved)?;
            }
            if let Some(operands) = self.evaluate(constraint) {
                let moves = self.moves(constraint, constraint.prefix.len());
                let at_goal = Delta::between(constraint.operands, operands);
                let mut column =
                    FiniteDifference { variable: variable.clone(), now, span, step, moves, at_goal, predicted: None };
                if is_of_call(&variable) {
                    column.predicted = self.predict_univariate(assignment, constraint, &column)?;
                }
                probed.columns.push(column);
                return Ok(());
            }
            if !self.prefix_failed && bound.is_none() && !matches!(variable, Variable::Storage { .. }) {
                let row = constraint.divergence(self.runner.observation());
                bound = row.map(|row| (row, step, self.moves(constraint, row + 1)));
            }
            if is_of_call(&variable) && self.constraint().is_some() {
                self.alternative.get_or_insert(moved);
            }
        }
        if let Some((row, step, moves)) = bound {
            let column =
                FiniteDifference { variable, now, span, step, moves, at_goal: Delta::default(), predicted: None };
            probed.bound.push(CoupledVariable { column, row });
        }
        Ok(())
    }

    /// The movement of the first `count` branches in the last run.
    pub(super) fn moves(&self, constraint: &PathConstraint, count: usize) -> Vec<(usize, Delta)> {
        let pairs = constraint.prefix[..count].iter().zip(&self.runner.observation().branches);
        let moves = pairs.map(|(was, is)| Delta::between(Operands::of(was), Operands::of(is)));
        moves.enumerate().filter(|(_, moved)| !moved.is_none()).collect()
    }

    /// The steps by which a variable is moved: one at first, later others as well, since some effects appear only farther
    /// away.
    fn steps(&mut self, variable: &Variable, now: Integer) -> Vec<Integer> {
        if let Variable::Field(Field::Sender) | Variable::Earlier { field: Field::Sender, .. } = variable {
            let senders = self.runner.lend().generator.senders.iter();
            let numbers = senders.map(|sender| unsigned(sender.into_word().into()));
            let mut others: Vec<Integer> = numbers.filter(|number| *number != now).map(|number| number - now).collect();
            others.truncate(1);
            return others;
        }
        let size: Integer = if self.attempt < self.tuning.unit_probes {
            Integer::ONE
        } else {
            Integer::ONE << self.runner.lend().rng.random_range(0..80_usize)
        };
        vec![size, -size]
    }
}
