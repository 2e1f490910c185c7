//! Aiming: from an entry that just missed a side of a branch, a few runs show how the difference that decided it, and
//! those before it, move with each word of the transaction; what follows from them is run (HARVEY §IV, and beyond it
//! for several words at once). Where no word of the transaction moves it but the state does, the state is asked for:
//! see `grant`.

use super::{
    super::{corpus::State, parameter::{Parameter, Setting}},
    Allowance, Lane,
    goal::{Aim, Goal},
};
use crate::{
    evm::{Executor, Observation},
    input::{Field, Transaction},
    solve::{Constraint, Difference, Integer, Problem, Relation, secant},
};
use alloy_primitives::{Address, U256};
use rand::RngExt;
use std::sync::Arc;

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
    /// How far each difference before the goal moved; those that stayed are left out.
    moves: Vec<(usize, Integer)>,
    /// How far the goal's moved.
    way: Integer,
}

/// What one probe showed.
enum Probe {
    Reached(Option<Arc<State>>),
    Moved(Column),
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
        self.fuel = FUEL;
        let goal = Goal::Side(side);
        let reached = self.reach(executor, &entry.state, &entry.transaction, goal, attempt, WISHES, allowance);
        if matches!(reached, Reached::No { stuck: true }) {
            self.missed.discourage(side);
        }
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
            let moved = columns.iter().any(|column| !column.way.is_zero());
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
        let Goal::Side(side) = goal else { return None };
        if aim.relation != Relation::Zero {
            return None;
        }
        let branch = *executor.observation().branches.get(aim.prefix.len())?;
        debug_assert_eq!((branch.program, branch.pc), (side.program, side.pc));
        let session = self.session.clone();
        let function = session.subject.interface.function(setting.transaction.function);
        let words = setting.transaction.words(function);
        let mut settings = Vec::new();
        for (from, to) in [(branch.left, branch.right), (branch.right, branch.left)] {
            // Small numbers are everywhere.
            for (field, _) in words.iter().filter(|(_, word)| *word == from && from > U256::from(255)).take(2) {
                let mut changed = setting.clone();
                if self.generator.set_word(&mut changed.transaction, field, to) {
                    settings.push(changed);
                }
            }
            let looks_hashed = |word: U256| word.bit_len() > 200;
            if looks_hashed(from) && looks_hashed(to) {
                settings.extend(self.same_hash(executor, state, setting, from, to, allowance));
            }
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
                Probe::Moved(column) => columns.push(column),
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
            if let Some(difference) = aim.read(observation) {
                let moves = aim.prefix.iter().zip(&observation.branches).enumerate().filter_map(|(at, (was, is))| {
                    let way = way(Difference::of(was), Difference::of(is));
                    (!way.is_zero()).then_some((at, way))
                });
                let moves = moves.collect();
                return Probe::Moved(Column { parameter, now, step, moves, way: way(aim.difference, difference) });
            }
        }
        Probe::Left
    }

    /// How far a parameter is moved: one step at first, later other ones too, since not everything shows itself close by.
    fn steps(&mut self, parameter: &Parameter, now: Integer, attempt: u32) -> Vec<Integer> {
        if let Parameter::Field(Field::Sender) = parameter {
            let numbers = self.generator.senders.iter().map(|sender| crate::solve::unsigned(sender.into_word().into()));
            let mut others: Vec<Integer> = numbers.filter(|number| *number != now).map(|number| number - now).collect();
            others.truncate(1);
            return others;
        }
        let size: Integer = if attempt == 0 {
            Integer::ONE
        } else {
            Integer::ONE << self.rng.random_range(0..80_usize)
        };
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
            for (at, column) in columns.iter().enumerate().filter(|(_, column)| !column.way.is_zero()).take(SOLUTIONS) {
                let height = aim.relation.nearest(aim.difference.value) - aim.difference.value;
                for x in secant((Integer::ZERO, Integer::ZERO), (column.step, column.way), height).into_iter().flatten() {
                    let mut steps = vec![Integer::ZERO; columns.len()];
                    steps[at] = x;
                    alternatives.push(steps);
                }
            }
        }
        for steps in alternatives {
            let Some(moved) = self.moved(setting, columns, &steps) else { continue };
            match self.run_setting(executor, state, &moved, goal, allowance) {
                None => return Err(Reached::No { stuck: false }),
                Some(Some(reached)) => return Err(reached),
                Some(None) => {}
            }
            let difference = aim.read(executor.observation());
            if let Some(difference) = difference {
                note_better(aim, difference.value, &moved, &mut best);
            }
            let mut single = steps.iter().enumerate().filter(|(_, steps)| !steps.is_zero());
            if let (Some((at, _)), None) = (single.next(), single.next()) {
                let first = (steps[at], difference.map(|difference| difference.value));
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
        let mut old = (Integer::ZERO, aim.difference.value);
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
            seen = aim.read(executor.observation()).map(|difference| difference.value);
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
                    Probe::Moved(column) => columns.push(column),
                    Probe::Reached(_) | Probe::Left => {}
                    Probe::Spent => return Some(Reached::No { stuck: false }),
                }
            }
        }
        if columns.iter().all(|column| column.way.is_zero()) {
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
            if !session.techniques.demand_driven {
                return Some(Reached::No { stuck: false });
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
    fn peek(&mut self, executor: &mut Executor, state: &Arc<State>, setting: &Setting, allowance: &mut Allowance<'_>) -> bool {
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

/// The way from one difference to another; the shorter one where they count modulo 2^256.
fn way(from: Difference, to: Difference) -> Integer {
    let way = to.value - from.value;
    if from.modular { crate::solve::centered(way) } else { way }
}

fn note_better(aim: &Aim, difference: Integer, setting: &Setting, best: &mut Option<(Integer, Setting)>) {
    let distance = |difference: Integer| (aim.relation.nearest(difference) - difference).abs();
    let distance_now = distance(difference);
    if distance_now < best.as_ref().map_or_else(|| distance(aim.difference.value), |(known, _)| *known) {
        *best = Some((distance_now, setting.clone()));
    }
}

/// Everything that moved, and what has to become of it.
fn problem(aim: &Aim, columns: &[Column], function: &crate::input::Function) -> Problem {
    let nothing = || vec![Integer::ZERO; columns.len()];
    let mut spans = Vec::with_capacity(columns.len());
    let mut rows: std::collections::BTreeMap<usize, Vec<Integer>> = std::collections::BTreeMap::new();
    let mut goal = nothing();
    for (at, column) in columns.iter().enumerate() {
        let whole = column.parameter.span(column.now, function);
        spans.push(whole.unwrap_or(crate::solve::Span { lowest: Integer::ZERO, highest: Integer::ZERO }));
        goal[at] = column.way / column.step;
        for (row, way) in &column.moves {
            rows.entry(*row).or_insert_with(nothing)[at] = *way / column.step;
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
    constraints.push(Constraint {
        difference: aim.difference.value,
        modular: aim.difference.modular,
        relation: aim.relation,
        slopes: goal,
    });
    Problem { spans, constraints }
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
