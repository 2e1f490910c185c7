//! Aiming: from an entry that just missed a side of a branch, a few runs show how the difference that decided it, and
//! those before it, move with each word of the transaction; what follows from them is run (HARVEY §IV, and beyond it
//! for several words at once). Where no word of the transaction moves it but the state does, the state is asked for:
//! see `grant`.

use super::{
    super::{
        corpus::State,
        parameter::{Parameter, Setting},
    },
    Allowance, LEAST_AIMED, Lane, MOST_AIMED,
    goal::{Aim, Goal, Operands},
};
use crate::{
    evm::{Executor, Observation, Operator},
    input::{Field, Function, Transaction},
    solve::{
        Comparison, Condition, Constraint, Difference, Integer, Problem, Relation, Span, Sum, System, centered, secant,
        signed, unsigned,
    },
};
use alloy_primitives::{Address, U256};
use rand::RngExt;
use std::{collections::BTreeMap, sync::Arc};

/// Words that are probed in one round.
const MAX_PARAMETERS: usize = 24;
/// Slots that are probed in one round.
const MAX_SLOTS: usize = 16;
/// Rounds from ever closer inputs.
const ROUNDS: usize = 3;
/// Solutions of one model that are run.
const SOLUTIONS: usize = 3;
/// Steps of the secant method on one word.
const SECANTS: usize = 6;
/// Transactions that one aim may cost, with all that it asks for.
const FUEL: u32 = 320;
const FIRST_FUEL: u32 = 80;
/// By how much the share of aiming grows, in thousandths, after a side was taken; and by which part it shrinks after none was.
const GAIN: u64 = 40;
const LOSS: u64 = 40;
/// How many states deep a wish may go.
const WISHES: u32 = 3;

/// What came of it.
#[derive(Debug)]
pub(super) enum Reached {
    /// The goal, and the state behind it if it was kept.
    Yes(Option<Arc<State>>),
    /// Not the goal, but this state is closer to it than the one before.
    Closer(Arc<State>),
    /// Nothing; `stuck` if no word of transaction or state moved it.
    No { stuck: bool },
}

/// How a run differs from the one that it is compared with, because one parameter was moved.
#[derive(Debug)]
struct Column {
    parameter: Parameter,
    /// The number that the parameter is.
    now: Integer,
    /// How far it was moved.
    step: Integer,
    /// What moved before the goal; branches that stayed as they were are left out.
    moves: Vec<(usize, Move)>,
    /// What moved at the goal.
    at_goal: Move,
}

/// How two operands moved, and the difference between them.
#[derive(Debug, Clone, Copy)]
struct Move {
    left: U256,
    right: U256,
    way: Integer,
}

impl Move {
    fn between(was: Operands, is: Operands) -> Self {
        let (before, after) = (was.difference(), is.difference());
        let way = after.value - before.value;
        // The shorter way, where numbers count modulo 2^256.
        let way = if before.modular { centered(way) } else { way };
        Self { left: is.left.wrapping_sub(was.left), right: is.right.wrapping_sub(was.right), way }
    }

    /// Whether there is a way, and not one that leads anywhere: a hash moves by all of its bits. A small step of what stands at the
    /// left of a word moves it far, too, but leaves the right of it.
    fn can_be_followed(&self) -> bool {
        let way = self.way.unsigned_abs();
        !way.is_zero() && (way.bit_len() <= 200 || way.trailing_zeros() >= 64)
    }

    fn is_none(&self) -> bool {
        self.left.is_zero() && self.right.is_zero()
    }
}

/// What one probe showed.
enum Probe {
    Reached(Option<Arc<State>>),
    Moved(Box<Column>),
    /// It went another way, or could not be moved.
    Left,
    /// There is no fuel for more.
    Spent,
}

impl Lane {
    /// Tries to take one of the sides that were just missed.
    pub(super) fn aim(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let session = self.session.clone();
        let Some((side, entry, attempt)) = self.missed.pick(&session.coverage, &mut self.rng) else { return };
        // A first try is short.
        self.fuel = (FIRST_FUEL << attempt.min(8)).min(FUEL);
        let before = allowance.left;
        let goal = Goal::Side(side);
        let reached = self.reach(executor, &entry.state, &entry.transaction, goal, attempt, WISHES, allowance);
        if matches!(reached, Reached::No { stuck: true }) {
            self.missed.discourage(side);
        }
        self.aimed = match reached {
            Reached::Yes(_) => (self.aimed + GAIN).min(MOST_AIMED),
            Reached::Closer(_) | Reached::No { .. } => (self.aimed - self.aimed / LOSS).max(LEAST_AIMED),
        };
        self.spent_aiming += before - allowance.left;
    }

    /// Looks for a transaction like this one that reaches the goal from this state, or from one that can be had.
    #[expect(clippy::too_many_arguments, reason = "what is run, what for, and what it may cost")]
    pub(super) fn reach(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: &Transaction,
        goal: Goal,
        attempt: u32,
        wishes: u32,
        allowance: &mut Allowance<'_>,
    ) -> Reached {
        let techniques = self.session.techniques;
        let keeps = matches!(goal, Goal::Word { .. });
        let mut setting = Setting { transaction: transaction.clone(), snapshot: state.snapshot.clone() };
        let mut stuck = true;
        let mut closer = None;
        for _ in 0..ROUNDS {
            if !self.has_fuel(allowance) {
                break;
            }
            let next = self.try_one(executor, state, setting.transaction.clone(), keeps, allowance);
            self.fuel -= 1;
            if goal.is_reached(executor.observation()) && (!keeps || next.is_some()) {
                return Reached::Yes(next);
            }
            closer = closer.or_else(|| next.filter(|next| is_closer(goal, state, next)));
            let Some(aim) = Aim::new(goal, executor.observation()) else { break };
            let reads = slots_read(executor.observation());

            if techniques.input_to_state
                && let Some(reached) = self.copy_operand(executor, state, &setting, &aim, goal, allowance)
            {
                return reached;
            }
            let mut columns = Vec::new();
            if techniques.prediction {
                match self.probe_fields(executor, state, &setting, &aim, goal, attempt, allowance) {
                    Ok(found) => columns = found,
                    Err(reached) => return reached,
                }
            }
            let moved = columns.iter().any(|column| column.at_goal.can_be_followed());
            stuck &= !moved;
            let mut improved = None;
            if moved {
                match self.follow(executor, state, &setting, &aim, goal, &columns, allowance) {
                    Ok(better) => improved = better,
                    Err(reached) => return reached,
                }
            }
            if let Some(better) = improved {
                setting = better;
                continue;
            }
            if techniques.aggressive && wishes > 0 {
                match self.wish(executor, state, &setting, &aim, goal, &reads, attempt, wishes, allowance) {
                    Some(Reached::No { stuck: none }) => stuck &= none,
                    Some(reached) => return reached,
                    None => {}
                }
            }
            break;
        }
        closer.map_or(Reached::No { stuck }, Reached::Closer)
    }

    pub(super) fn has_fuel(&self, allowance: &Allowance<'_>) -> bool {
        !allowance.is_spent() && self.fuel > 0
    }

    /// Runs what is set, as an input like any other. None if there is no fuel.
    fn run_setting(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        goal: Goal,
        allowance: &mut Allowance<'_>,
    ) -> Option<Option<Reached>> {
        if !self.has_fuel(allowance) {
            return None;
        }
        self.fuel -= 1;
        let keeps = matches!(goal, Goal::Word { .. });
        let next = self.try_one(executor, state, setting.transaction.clone(), keeps, allowance);
        let reached = goal.is_reached(executor.observation()) && (!keeps || next.is_some());
        Some(reached.then_some(Reached::Yes(next)))
    }

    /// Where one operand of an equality appears in the input, the other one is put in its place.
    fn copy_operand(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        aim: &Aim,
        goal: Goal,
        allowance: &mut Allowance<'_>,
    ) -> Option<Reached> {
        if aim.relation != Relation::Zero {
            return None;
        }
        let (left, right) = (aim.operands.left, aim.operands.right);
        let session = self.session.clone();
        let function = session.subject.interface.function(setting.transaction.function);
        let words = setting.transaction.words(function);
        let mut settings = Vec::new();
        for (from, to) in [(left, right), (right, left)] {
            // Small numbers are everywhere.
            for (field, _) in words.iter().filter(|(_, word)| *word == from && from > U256::from(255)).take(2) {
                let mut changed = setting.clone();
                if self.generator.set_word(&mut changed.transaction, field, to) {
                    settings.push(changed);
                }
            }
            settings.extend(self.same_hash(executor, state, setting, from, to, allowance));
        }
        for changed in settings {
            if let Some(reached) = self.run_setting(executor, state, &changed, goal, allowance)? {
                return Some(reached);
            }
        }
        None
    }

    /// Moves each word of the transaction a little.
    #[expect(clippy::too_many_arguments, reason = "what is run, what for, and what it may cost")]
    fn probe_fields(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        aim: &Aim,
        goal: Goal,
        attempt: u32,
        allowance: &mut Allowance<'_>,
    ) -> Result<Vec<Column>, Reached> {
        let session = self.session.clone();
        let function = session.subject.interface.function(setting.transaction.function);
        let mut fields: Vec<Field> = setting.transaction.words(function).into_iter().map(|(field, _)| field).collect();
        while fields.len() > MAX_PARAMETERS {
            let at = self.rng.random_range(0..fields.len());
            fields.swap_remove(at);
        }
        let mut columns = Vec::new();
        for field in fields {
            match self.probe(executor, state, setting, aim, goal, Parameter::Field(field), attempt, allowance) {
                Probe::Reached(next) => return Err(Reached::Yes(next)),
                Probe::Moved(column) => columns.push(*column),
                Probe::Left => {}
                Probe::Spent => return Err(Reached::No { stuck: false }),
            }
        }
        Ok(columns)
    }

    /// Moves one parameter and looks at what moves with it.
    #[expect(clippy::too_many_arguments, reason = "what is run, what for, and what it may cost")]
    fn probe(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        aim: &Aim,
        goal: Goal,
        parameter: Parameter,
        attempt: u32,
        allowance: &mut Allowance<'_>,
    ) -> Probe {
        let session = self.session.clone();
        let function = session.subject.interface.function(setting.transaction.function);
        let Some(now) = parameter.number(setting, function) else { return Probe::Left };
        for step in self.steps(&parameter, now, attempt) {
            let mut moved = setting.clone();
            if !parameter.set(&mut moved, &self.generator, now + step) {
                continue;
            }
            let reached = if matches!(parameter, Parameter::Storage { .. }) {
                if !self.peek(executor, state, &moved, allowance) {
                    return Probe::Spent;
                }
                goal.is_reached(executor.observation()).then_some(None)
            } else {
                match self.run_setting(executor, state, &moved, goal, allowance) {
                    None => return Probe::Spent,
                    Some(Some(Reached::Yes(next))) => Some(next),
                    Some(_) => None,
                }
            };
            if let Some(next) = reached
                && !matches!(parameter, Parameter::Storage { .. })
            {
                return Probe::Reached(next);
            }
            let observation = executor.observation();
            if let Some(operands) = aim.read(observation) {
                let moves = aim
                    .prefix
                    .iter()
                    .zip(&observation.branches)
                    .map(|(was, is)| Move::between(Operands::of(was), Operands::of(is)));
                let moves = moves.enumerate().filter(|(_, moved)| !moved.is_none()).collect();
                let at_goal = Move::between(aim.operands, operands);
                return Probe::Moved(Box::new(Column { parameter, now, step, moves, at_goal }));
            }
        }
        Probe::Left
    }

    /// How far a parameter is moved: one step at first, later other ones too, since not everything shows itself close by.
    fn steps(&mut self, parameter: &Parameter, now: Integer, attempt: u32) -> Vec<Integer> {
        if let Parameter::Field(Field::Sender) = parameter {
            let numbers = self.generator.senders.iter().map(|sender| unsigned(sender.into_word().into()));
            let mut others: Vec<Integer> = numbers.filter(|number| *number != now).map(|number| number - now).collect();
            others.truncate(1);
            return others;
        }
        let size: Integer =
            if attempt == 0 { Integer::ONE } else { Integer::ONE << self.rng.random_range(0..80_usize) };
        vec![size, -size]
    }

    /// Runs what the columns tell. An input that is closer than the one they belong to is returned.
    #[expect(clippy::too_many_arguments, reason = "what is run, what for, and what it may cost")]
    fn follow(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        aim: &Aim,
        goal: Goal,
        columns: &[Column],
        allowance: &mut Allowance<'_>,
    ) -> Result<Option<Setting>, Reached> {
        let session = self.session.clone();
        let function = session.subject.interface.function(setting.transaction.function);
        let mut best: Option<(Integer, Setting)> = None;
        let problem = problem(aim, columns, function);
        let mut alternatives: Vec<Vec<Integer>> = Vec::new();
        for _ in 0..SOLUTIONS {
            if let Some(steps) = problem.solve(&mut self.rng)
                && !alternatives.contains(&steps)
            {
                alternatives.push(steps);
            }
        }
        if alternatives.is_empty() {
            // As far as the model knows there is none that keeps everything: each word for itself may still do.
            for (at, column) in
                columns.iter().enumerate().filter(|(_, column)| !column.at_goal.way.is_zero()).take(SOLUTIONS)
            {
                let height = aim.way();
                for x in secant((Integer::ZERO, Integer::ZERO), (column.step, column.at_goal.way), height)
                    .into_iter()
                    .flatten()
                {
                    let mut steps = vec![Integer::ZERO; columns.len()];
                    steps[at] = x;
                    alternatives.push(steps);
                }
            }
        }
        let wraps = system(aim, columns, function);
        for _ in 0..SOLUTIONS {
            let Some(numbers) = wraps.as_ref().and_then(|system| system.solve(&mut self.rng)) else { break };
            let steps = columns.iter().zip(&numbers).map(|(column, number)| unsigned(*number) - column.now).collect();
            if !alternatives.contains(&steps) {
                alternatives.push(steps);
            }
        }
        for steps in alternatives {
            let Some(moved) = self.moved(setting, columns, &steps) else { continue };
            match self.run_setting(executor, state, &moved, goal, allowance) {
                None => return Err(Reached::No { stuck: false }),
                Some(Some(reached)) => return Err(reached),
                Some(None) => {}
            }
            let difference = aim.read(executor.observation()).map(|operands| operands.difference().value);
            if let Some(difference) = difference {
                note_better(aim, difference, &moved, &mut best);
            }
            let mut single = steps.iter().enumerate().filter(|(_, steps)| !steps.is_zero());
            if let (Some((at, _)), None) = (single.next(), single.next()) {
                let first = (steps[at], difference);
                self.iterate(executor, state, setting, aim, goal, &columns[at], first, &mut best, allowance)?;
            }
        }
        Ok(best.map(|(_, setting)| setting))
    }

    /// The secant method on one word, from its first prediction on; half the way where a prediction went too far.
    #[expect(clippy::too_many_arguments, reason = "what is run, what for, and what it may cost")]
    fn iterate(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        aim: &Aim,
        goal: Goal,
        column: &Column,
        first: (Integer, Option<Integer>),
        best: &mut Option<(Integer, Setting)>,
        allowance: &mut Allowance<'_>,
    ) -> Result<(), Reached> {
        let mut old = (Integer::ZERO, aim.operands.difference().value);
        let (mut x, mut seen) = first;
        let mut tried = vec![Integer::ZERO, x];
        for _ in 0..SECANTS {
            let predictions = match seen {
                Some(y) => {
                    let new = (x, y);
                    let predictions = secant(old, new, aim.relation.nearest(y));
                    old = new;
                    predictions
                }
                None => [old.0.checked_add(x).map(|sum| sum / (Integer::ONE + Integer::ONE)), None],
            };
            let Some(next) = predictions.into_iter().flatten().find(|next| !tried.contains(next)) else { break };
            x = next;
            tried.push(x);
            let mut moved = setting.clone();
            let Some(number) = column.now.checked_add(x) else { break };
            if !column.parameter.set(&mut moved, &self.generator, number) {
                break;
            }
            match self.run_setting(executor, state, &moved, goal, allowance) {
                None => return Err(Reached::No { stuck: false }),
                Some(Some(reached)) => return Err(reached),
                Some(None) => {}
            }
            seen = aim.read(executor.observation()).map(|operands| operands.difference().value);
            if let Some(y) = seen {
                note_better(aim, y, &moved, best);
            }
        }
        Ok(())
    }

    /// The setting after each parameter went so many steps.
    fn moved(&self, setting: &Setting, columns: &[Column], steps: &[Integer]) -> Option<Setting> {
        let mut moved = setting.clone();
        for (column, steps) in columns.iter().zip(steps).filter(|(_, steps)| !steps.is_zero()) {
            if !column.parameter.set(&mut moved, &self.generator, column.now.checked_add(*steps)?) {
                return None;
            }
        }
        Some(moved)
    }

    /// Asks whether another state would do, and if so for that state.
    #[expect(clippy::too_many_arguments, reason = "what is run, what for, and what it may cost")]
    fn wish(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        aim: &Aim,
        goal: Goal,
        reads: &[(Address, U256)],
        attempt: u32,
        wishes: u32,
        allowance: &mut Allowance<'_>,
    ) -> Option<Reached> {
        let session = self.session.clone();
        let function = session.subject.interface.function(setting.transaction.function);
        let mut columns = Vec::new();
        for (address, slot) in reads.iter().take(MAX_SLOTS) {
            for (shift, bits) in self.variables(*address, *slot) {
                let parameter = Parameter::Storage { address: *address, slot: *slot, shift, bits };
                match self.probe(executor, state, setting, aim, goal, parameter, attempt, allowance) {
                    Probe::Moved(column) => columns.push(*column),
                    Probe::Reached(_) | Probe::Left => {}
                    Probe::Spent => return Some(Reached::No { stuck: false }),
                }
            }
        }
        if columns.iter().all(|column| column.at_goal.way.is_zero()) {
            return Some(Reached::No { stuck: true });
        }
        let problem = problem(aim, &columns, function);
        for _ in 0..SOLUTIONS {
            let Some(steps) = problem.solve(&mut self.rng) else { continue };
            let Some(wanted) = self.moved(setting, &columns, &steps) else { continue };
            if !self.peek(executor, state, &wanted, allowance) {
                return Some(Reached::No { stuck: false });
            }
            if !goal.is_reached(executor.observation()) {
                continue;
            }
            if !session.techniques.demand_driven {
                return Some(Reached::No { stuck: false });
            }
            // Another state would do: this function demands longer sequences (HARVEY §V).
            *self.demands.entry(setting.transaction.function).or_default() += 1;
            let mut slots: Vec<(Address, U256)> = columns
                .iter()
                .zip(&steps)
                .filter(|(_, steps)| !steps.is_zero())
                .filter_map(|(column, _)| match column.parameter {
                    Parameter::Storage { address, slot, .. } => Some((address, slot)),
                    Parameter::Field(_) => None,
                })
                .collect();
            slots.dedup();
            for slot in &slots {
                self.wanted.insert(*slot);
            }
            let mut here = state.clone();
            for (address, slot) in slots {
                let word = wanted.snapshot.slot(address, slot);
                if let Some(granted) = self.grant(executor, &here, (address, slot), word, wishes - 1, allowance) {
                    here = granted;
                }
            }
            if Arc::ptr_eq(&here, state) || !self.has_fuel(allowance) {
                return Some(Reached::No { stuck: false });
            }
            let keeps = matches!(goal, Goal::Word { .. });
            self.fuel -= 1;
            let next = self.try_one(executor, &here, setting.transaction.clone(), keeps, allowance);
            if goal.is_reached(executor.observation()) && (!keeps || next.is_some()) {
                return Some(Reached::Yes(next));
            }
            return Some(Reached::No { stuck: false });
        }
        Some(Reached::No { stuck: false })
    }

    /// Runs a transaction on a state that may not be reachable: it leaves no trace but the observation, and counts.
    /// `false` if there is no fuel.
    fn peek(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        allowance: &mut Allowance<'_>,
    ) -> bool {
        if !self.has_fuel(allowance) {
            return false;
        }
        self.fuel -= 1;
        allowance.spend();
        self.session.count();
        let call = self.session.subject.call(state.address, &setting.transaction, setting.snapshot.moment());
        executor.run(&setting.snapshot, &call);
        true
    }
}

fn note_better(aim: &Aim, difference: Integer, setting: &Setting, best: &mut Option<(Integer, Setting)>) {
    let distance = |difference: Integer| (aim.relation.nearest(difference) - difference).abs();
    let distance_now = distance(difference);
    if distance_now < best.as_ref().map_or_else(|| aim.way().abs(), |(known, _)| *known) {
        *best = Some((distance_now, setting.clone()));
    }
}

/// Everything that moved, and what has to become of it.
fn problem(aim: &Aim, columns: &[Column], function: &Function) -> Problem {
    let nothing = || vec![Integer::ZERO; columns.len()];
    let mut spans = Vec::with_capacity(columns.len());
    let mut rows: BTreeMap<usize, Vec<Integer>> = BTreeMap::new();
    let mut goal = nothing();
    for (at, column) in columns.iter().enumerate() {
        let whole = column.parameter.span(column.now, function);
        spans.push(whole.unwrap_or(Span { lowest: Integer::ZERO, highest: Integer::ZERO }));
        goal[at] = column.at_goal.way / column.step;
        for (row, moved) in &column.moves {
            rows.entry(*row).or_insert_with(nothing)[at] = moved.way / column.step;
        }
    }
    let mut constraints: Vec<Constraint> = Vec::with_capacity(rows.len() + 1);
    for (row, slopes) in rows {
        let branch = &aim.prefix[row];
        let difference = Difference::of(branch);
        let constraint = Constraint {
            difference: difference.value,
            modular: difference.modular,
            relation: Relation::of(branch.operator, branch.held()),
            slopes,
        };
        if !constraints.contains(&constraint) {
            constraints.push(constraint);
        }
    }
    let difference = aim.operands.difference();
    constraints.push(Constraint {
        difference: difference.value,
        modular: difference.modular,
        relation: aim.relation,
        slopes: goal,
    });
    Problem { spans, constraints }
}

/// The same with numbers that wrap as the EVM's do, or as those of the parameters' own width where all that was seen
/// fits it. Only for words from 0 up, moved by whole steps.
fn system(aim: &Aim, columns: &[Column], function: &Function) -> Option<System> {
    let mut numbers = Vec::with_capacity(columns.len());
    let mut highest = Vec::with_capacity(columns.len());
    for column in columns {
        let span = column.parameter.span(column.now, function)?;
        if (column.now + span.lowest).is_negative() || column.now.is_negative() {
            return None;
        }
        numbers.push(word(column.now));
        highest.push(word(column.now + span.highest));
    }
    let mut rows: BTreeMap<usize, Vec<Option<Move>>> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for (row, moved) in &column.moves {
            rows.entry(*row).or_insert_with(|| vec![None; columns.len()])[at] = Some(*moved);
        }
    }
    let goal: Vec<Option<Move>> = columns.iter().map(|column| Some(column.at_goal)).collect();
    let sum = |constant: U256, moves: &[Option<Move>], of: fn(&Move) -> U256| {
        let factors: Vec<U256> = columns
            .iter()
            .zip(moves)
            .map(|(column, moved)| moved.map_or(U256::ZERO, |moved| word(signed(of(&moved)) / column.step)))
            .collect();
        let moved = factors.iter().zip(&numbers).map(|(factor, number)| factor.wrapping_mul(*number));
        Sum { constant: moved.fold(constant, U256::wrapping_sub), factors }
    };
    let mut conditions = Vec::with_capacity(rows.len() + 1);
    let mut widest = 0;
    let decided = rows.iter().map(|(row, moves)| {
        let branch = &aim.prefix[*row];
        (Operands::of(branch), Relation::of(branch.operator, branch.held()), moves)
    });
    for (operands, relation, moves) in decided.chain([(aim.operands, aim.relation, &goal)]) {
        let (comparison, holds) = match (operands.operator, relation) {
            (Operator::Equal | Operator::Differ, relation) => (Comparison::Equal, relation == Relation::Zero),
            (Operator::Less, relation) => (Comparison::Less, relation == Relation::Negative),
            (Operator::Greater, relation) => (Comparison::Greater, relation == Relation::Positive),
            (Operator::SignedLess | Operator::SignedGreater, _) => continue,
        };
        widest = widest.max(operands.left.bit_len()).max(operands.right.bit_len());
        let left = sum(operands.left, moves, |moved| moved.left);
        let right = sum(operands.right, moves, |moved| moved.right);
        let condition = Condition { left, right, comparison, holds };
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    let own = highest.iter().zip(columns).filter(|(_, column)| !column.at_goal.is_none() || !column.moves.is_empty());
    let own = own.map(|(highest, _)| highest.bit_len()).max().unwrap_or(256);
    let bits = if widest <= own { own } else { 256 };
    Some(System { bits, numbers, highest, conditions })
}

/// The number as a word, modulo 2^256.
fn word(number: Integer) -> U256 {
    U256::from_limbs_slice(&number.into_raw().as_limbs()[..4])
}

/// The slots that a run read, each once.
fn slots_read(observation: &Observation) -> Vec<(Address, U256)> {
    let mut slots = Vec::new();
    for access in &observation.reads {
        if !slots.contains(&(access.address, access.slot)) && slots.len() < MAX_SLOTS {
            slots.push((access.address, access.slot));
        }
    }
    slots
}

/// Whether the goal's slot is closer to the goal's word than it was.
fn is_closer(goal: Goal, before: &State, after: &State) -> bool {
    let Goal::Word { address, slot, word } = goal else { return false };
    let distance = |state: &State| state.snapshot.slot(address, slot).abs_diff(word);
    distance(after) < distance(before)
}
