//! Probing: a [`Column`] is what moves when one parameter is moved by a step.

use super::pursuit::{MAX_SLOTS, Pursuit, Reached};
use crate::{
    fuzz::{
        corpus::State,
        goal::{Aim, Operands},
        parameter::{Parameter, Setting},
    },
    input::{Field, Transaction},
    solve::{Integer, StepRange, centered, unsigned},
};
use alloy_primitives::{Address, U256};
use rand::RngExt;

/// Words that are probed in one round.
const MAX_PARAMETERS: usize = 24;
/// So many times a parameter is moved by one first.
const UNIT: u32 = 2;
/// Words of earlier transactions that are probed in one round, and how many transactions back.
const MAX_EARLIER_PARAMETERS: usize = 12;
const MAX_EARLIER: usize = 4;

/// How a run differs from the one that it is compared with, because one parameter was moved.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) parameter: Parameter,
    /// The number that the parameter is.
    pub(super) now: Integer,
    /// How far it can go from there.
    pub(super) span: StepRange,
    /// How far it was moved.
    pub(super) step: Integer,
    /// What moved before the goal; branches that stayed as they were are left out.
    pub(super) moves: Vec<(usize, Move)>,
    /// What moved at the goal.
    pub(super) at_goal: Move,
    /// What was run because of it already.
    pub(super) foreseen: Option<Seen>,
}

/// A run in which a parameter alone was moved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) steps: Integer,
    /// What the difference was; none if it went another way.
    pub(super) difference: Option<Integer>,
}

/// A parameter that leaves the way to the goal when it is moved alone, and what it moves until there.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub(super) column: Column,
    /// The branch where it leaves.
    pub(super) row: usize,
}

/// What came of moving several parameters, each alone.
#[derive(Debug, Default)]
pub(super) struct Probed {
    pub(super) columns: Vec<Column>,
    pub(super) bound: Vec<Bound>,
}

/// How two operands moved, and the difference between them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Move {
    pub(super) left: U256,
    pub(super) right: U256,
    pub(super) way: Integer,
}

impl Move {
    pub(super) fn between(was: Operands, is: Operands) -> Self {
        let (before, after) = (was.difference(), is.difference());
        let way = after.value - before.value;
        // The shorter way, where numbers count modulo 2^256.
        let way = if before.modular { centered(way) } else { way };
        Self { left: is.left.wrapping_sub(was.left), right: is.right.wrapping_sub(was.right), way }
    }

    /// Whether there is a way, and not one that leads anywhere: a hash moves by all of its bits. A small step of what stands at the
    /// left of a word moves it far, too, but leaves the right of it.
    pub(super) fn can_be_followed(&self) -> bool {
        let way = self.way.unsigned_abs();
        !way.is_zero() && (way.bit_len() <= 200 || way.trailing_zeros() >= 64)
    }

    pub(super) fn is_none(&self) -> bool {
        self.left.is_zero() && self.right.is_zero()
    }
}

fn same_balance(one: &State, other: &State, address: Address) -> bool {
    one.snapshot.balance(address) == other.snapshot.balance(address)
}

impl Pursuit<'_, '_> {
    /// Moves each word of the transaction a little.
    pub(super) fn probe_fields(&mut self, setting: &Setting, aim: &Aim) -> Result<Probed, Reached> {
        let session = self.lane.session.clone();
        let mut fields: Vec<Field> =
            setting.transaction.words(&session.subject.calls).into_iter().map(|(field, _)| field).collect();
        while fields.len() > MAX_PARAMETERS {
            let at = self.lane.rng.random_range(0..fields.len());
            fields.swap_remove(at);
        }
        self.probe_each(setting, aim, fields.into_iter().map(Parameter::Field))
    }

    /// Moves words of the transactions before, the latest first, of those that changed something of the state which moves what
    /// decides the goal: a slot, or the balance. The setting has them, for the columns to belong to.
    pub(super) fn probe_earlier(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        storage: &[Column],
    ) -> Result<(Setting, Vec<Column>), Reached> {
        let session = self.lane.session.clone();
        let mut moving = Vec::new();
        for column in storage.iter().filter(|column| !column.at_goal.is_none()) {
            if let Parameter::Storage { address, slot, .. } = column.parameter {
                moving.push((address, slot));
            }
        }
        let called = self.lane.session.subject.calls.instance(setting.transaction.call.target).address;
        let paid = self
            .state
            .way()
            .take(MAX_EARLIER)
            .any(|state| state.from.as_ref().is_some_and(|(before, _)| !same_balance(before, state, called)));
        let pays = paid && self.depends_on_balance(setting, aim, called)?;
        let mut states: Vec<&State> = self.state.way().take(MAX_EARLIER).collect();
        states.reverse();
        let matters = |before: &State, after: &State| {
            let changes = |(address, slot): &(Address, U256)| {
                before.snapshot.slot(*address, *slot) != after.snapshot.slot(*address, *slot)
            };
            moving.iter().any(changes) || (pays && !same_balance(before, after, called))
        };
        // Those before the first that matters are left as they are.
        let calls =
            states.iter().filter_map(|state| state.from.as_ref().map(|(before, call)| (matters(before, state), call)));
        let calls: Vec<(bool, Transaction)> =
            calls.skip_while(|(matters, _)| !matters).map(|(matters, call)| (matters, call.clone())).collect();
        let earlier: Vec<Transaction> = calls.iter().map(|(_, call)| call.clone()).collect();
        let mut parameters = Vec::new();
        for (at, (_, call)) in calls.iter().enumerate().rev().filter(|(_, (matters, _))| *matters) {
            let fields =
                call.words(&session.subject.calls).into_iter().map(|(field, _)| Parameter::Earlier { at, field });
            parameters.extend(fields);
        }
        parameters.truncate(MAX_EARLIER_PARAMETERS);
        let setting = Setting { earlier, ..setting.clone() };
        let probed = self.probe_each(&setting, aim, parameters.into_iter())?;
        Ok((setting, probed.columns))
    }

    /// Whether what the account owns moves what decides the goal.
    fn depends_on_balance(&mut self, setting: &Setting, aim: &Aim, address: Address) -> Result<bool, Reached> {
        let balance = setting.snapshot.balance(address).saturating_add(U256::ONE);
        let snapshot = setting.snapshot.with_balance(address, balance);
        self.peek(&Setting { snapshot, ..setting.clone() })?;
        Ok(self.read(aim).is_none_or(|operands| !Move::between(aim.operands, operands).is_none()))
    }

    /// Moves each variable in the slots that were read a little, without a trace (HARVEY §V, aggressive mode).
    pub(super) fn probe_storage(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        reads: &[(Address, U256)],
    ) -> Result<Vec<Column>, Reached> {
        let mut parameters = Vec::new();
        for (address, slot) in reads.iter().take(MAX_SLOTS) {
            for (shift, bits) in self.lane.variables(*address, *slot) {
                parameters.push(Parameter::Storage { address: *address, slot: *slot, shift, bits });
            }
        }
        Ok(self.probe_each(setting, aim, parameters.into_iter())?.columns)
    }

    fn probe_each(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        parameters: impl Iterator<Item = Parameter>,
    ) -> Result<Probed, Reached> {
        let mut probed = Probed::default();
        for parameter in parameters {
            self.probe(setting, aim, parameter, &mut probed)?;
        }
        Ok(probed)
    }

    /// Moves one parameter and looks at what moves with it.
    fn probe(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        parameter: Parameter,
        probed: &mut Probed,
    ) -> Result<(), Reached> {
        let session = self.lane.session.clone();
        let calls = &session.subject.calls;
        let Some(now) = parameter.number(setting, calls) else { return Ok(()) };
        let Some(span) = parameter.span(now, setting, calls) else { return Ok(()) };
        let mut bound = None;
        for step in self.steps(&parameter, now) {
            let mut moved = setting.clone();
            if !parameter.set(&mut moved, &self.lane.generator, now + step) {
                continue;
            }
            if matches!(parameter, Parameter::Storage { .. }) {
                self.peek(&moved)?;
            } else {
                self.run(&moved)?;
            }
            if let Some(operands) = self.read(aim) {
                let moves = self.moves(aim, aim.prefix.len());
                let at_goal = Move::between(aim.operands, operands);
                let mut column =
                    Column { parameter: parameter.clone(), now, span, step, moves, at_goal, foreseen: None };
                if matches!(parameter, Parameter::Field(_)) {
                    column.foreseen = self.foresee(setting, aim, &column)?;
                }
                probed.columns.push(column);
                return Ok(());
            }
            if !self.strayed && bound.is_none() && !matches!(parameter, Parameter::Storage { .. }) {
                let row = aim.turned_at(self.executor.observation());
                bound = row.map(|row| (row, step, self.moves(aim, row + 1)));
            }
            if matches!(parameter, Parameter::Field(_)) && self.aim().is_some() {
                self.detour.get_or_insert(moved);
            }
        }
        if let Some((row, step, moves)) = bound {
            let column = Column { parameter, now, span, step, moves, at_goal: Move::default(), foreseen: None };
            probed.bound.push(Bound { column, row });
        }
        Ok(())
    }

    /// What moved in the last run in the first `count` branches.
    pub(super) fn moves(&self, aim: &Aim, count: usize) -> Vec<(usize, Move)> {
        let pairs = aim.prefix[..count].iter().zip(&self.executor.observation().branches);
        let moves = pairs.map(|(was, is)| Move::between(Operands::of(was), Operands::of(is)));
        moves.enumerate().filter(|(_, moved)| !moved.is_none()).collect()
    }

    /// How far a parameter is moved: one step at first, later other ones too, since not everything shows itself close by.
    fn steps(&mut self, parameter: &Parameter, now: Integer) -> Vec<Integer> {
        if let Parameter::Field(Field::Sender) | Parameter::Earlier { field: Field::Sender, .. } = parameter {
            let senders = self.lane.generator.senders.iter();
            let numbers = senders.map(|sender| unsigned(sender.into_word().into()));
            let mut others: Vec<Integer> = numbers.filter(|number| *number != now).map(|number| number - now).collect();
            others.truncate(1);
            return others;
        }
        let size: Integer =
            if self.attempt < UNIT { Integer::ONE } else { Integer::ONE << self.lane.rng.random_range(0..80_usize) };
        vec![size, -size]
    }
}
