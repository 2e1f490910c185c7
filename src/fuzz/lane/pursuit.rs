//! A [`Pursuit`] goes after one goal from one state: a few runs show how the difference that decides it, and those before
//! it, move with each word of the transaction; what follows from them is run (HARVEY §IV, and beyond it for several words
//! at once). Where no word of the transaction moves it but the state does, the state is asked for: see `wish`.

use super::{Allowance, LEAST_AIMED, Lane, MOST_AIMED, attempt::Go, probe::Probed};
use crate::{
    evm::{Executor, Observation},
    fuzz::{
        corpus::State,
        goal::{Aim, Goal, Operands},
        missed::Pick,
        parameter::Setting,
    },
    input::{Field, Transaction},
    solve::{Relation, WorkBudget},
    subject::Action,
};
use alloy_primitives::{Address, U256};
use rand::{
    RngExt,
    seq::{IndexedRandom, SliceRandom},
};
use std::sync::Arc;

/// Rounds from ever closer inputs.
const ROUNDS: usize = 3;
/// Transactions that one pursuit may cost, with all that it asks for and computes.
const FUEL: u64 = 640;
const FIRST_FUEL: u64 = 160;
/// By how much the share of aiming grows, in thousandths, after a goal was reached; and by which part it shrinks after none was.
const GAIN: u64 = 40;
const LOSS: u64 = 40;
/// In so many first attempts curves are followed: they are the same from everywhere.
const BENT: u32 = 4;
/// In later attempts than these every second one predicts nothing.
const PREDICTED: u32 = 4;
/// Words that are put in place of others in one pursuit.
const MAX_REPEATED: usize = 6;
/// How many states deep a wish may go.
const WISHES: u32 = 3;
/// States that are tried before one is started from.
const STATES: usize = 4;
/// Slots that are looked at in one run.
pub(super) const MAX_SLOTS: usize = 16;

/// One attempt to reach a goal.
pub(super) struct Pursuit<'a, 'b> {
    pub(super) lane: &'a mut Lane,
    pub(super) executor: &'a mut Executor,
    pub(super) allowance: &'a mut Allowance<'b>,
    /// Where it starts.
    pub(super) state: Arc<State>,
    pub(super) goal: Goal,
    /// How often the goal was tried before.
    pub(super) attempt: u32,
    /// How many states deep it may still wish.
    pub(super) wishes: u32,
    /// A setting that comes to where the goal is decided on another way.
    pub(super) detour: Option<Setting>,
    /// Whether the last run ended in a transaction before the one that is set, which tells nothing about the goal.
    pub(super) strayed: bool,
}

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

impl Reached {
    /// There is nothing left to spend.
    pub(super) const SPENT: Self = Self::No { stuck: false };
}

impl Lane {
    /// Goes after one of the goals that were just missed.
    pub(super) fn aim(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let session = self.session.clone();
        let picked = self.missed.pick(&session.coverage, self.clock, &mut self.rng);
        let Some(Pick { goal, entry, attempt, state: stirring }) = picked else { return };
        // A first try is short.
        self.fuel = WorkBudget::transactions((FIRST_FUEL << attempt.min(8)).min(FUEL));
        let before = allowance.left;
        let starts_elsewhere = stirring.is_some();
        let state = stirring.unwrap_or_else(|| entry.state.clone());
        let mut pursuit = Pursuit {
            lane: self,
            executor,
            allowance,
            state,
            goal,
            attempt,
            wishes: WISHES,
            detour: None,
            strayed: false,
        };
        let reached = if starts_elsewhere { pursuit.reach(&entry.transaction) } else { pursuit.go(&entry.transaction) };
        match reached {
            Reached::No { stuck: true } => self.missed.discourage(goal),
            Reached::No { stuck: false } if self.fuel.is_spent() && self.missed.is_near_target() => {
                self.missed.resume(goal);
            }
            _ => {}
        }
        self.aimed = match reached {
            // It is code that counts.
            Reached::Yes(_) if matches!(goal, Goal::Turn { .. }) => self.aimed,
            Reached::Yes(_) => (self.aimed + GAIN).min(MOST_AIMED),
            Reached::Closer(_) | Reached::No { .. } => (self.aimed - self.aimed / LOSS).max(LEAST_AIMED),
        };
        let cost = before - allowance.left;
        self.spent_aiming += cost;
        if !matches!(reached, Reached::Yes(_)) {
            self.missed.charge(goal, cost);
        }
    }

    pub(super) fn has_fuel(&self, allowance: &Allowance<'_>) -> bool {
        !allowance.is_spent() && !self.fuel.is_spent()
    }
}

impl Pursuit<'_, '_> {
    /// Starts with this transaction; later on every second time from another state than the one it was seen in.
    fn go(&mut self, transaction: &Transaction) -> Reached {
        if self.attempt > 1
            && self.attempt.is_multiple_of(2)
            && let Err(reached) = self.move_elsewhere(transaction)
        {
            return reached;
        }
        self.reach(transaction)
    }

    /// Looks for a transaction like this one that reaches the goal from the state, or from one that can be had.
    pub(super) fn reach(&mut self, transaction: &Transaction) -> Reached {
        self.search(transaction).unwrap_or_else(|reached| reached)
    }

    /// The same; what ends it early comes as an error.
    fn search(&mut self, transaction: &Transaction) -> Result<Reached, Reached> {
        let techniques = self.lane.session.techniques;
        let mut setting = Setting::new(transaction, &self.state);
        // What words of the transaction can do comes first, for every goal; other states are asked for the next time.
        let asks = self.attempt > 0 || self.keeps();
        // What words could not be computed for so often is soon tried with what costs little.
        let predicts = techniques.prediction && (self.attempt < PREDICTED || self.lane.rng.random());
        let mut stuck = asks && (predicts || !techniques.prediction);
        let mut closer = None;
        for round in 0..ROUNDS {
            match self.run(&setting) {
                Ok(next) => closer = closer.or_else(|| next.filter(|next| is_closer(self.goal, &self.state, next))),
                Err(Reached::No { .. }) => break,
                Err(reached) => return Err(reached),
            }
            let Some(aim) = self.aim() else { break };
            let reads = slots_read(self.executor.observation());
            if round == 0 {
                self.lane.missed.note_reads(self.goal, &reads);
            }

            if techniques.input_to_state {
                self.copy_operand(&setting, &aim)?;
                if asks && round == 0 {
                    self.repeat_words(&setting)?;
                }
            }
            let Probed { mut columns, bound } =
                if predicts { self.probe_fields(&setting, &aim)? } else { Probed::default() };
            let bends = round == 0 && self.attempt < BENT;
            let mut better = self.follow(&setting, &aim, &columns, bends)?;
            if !bound.is_empty() {
                let loosened = self.loosen(&setting, &aim, bound)?;
                better = self.follow(&setting, &aim, &loosened, bends)?.or(better);
                columns.extend(loosened);
            }
            let moved = columns.iter().any(|column| column.at_goal.can_be_followed());
            stuck &= !moved;
            if let Some(better) = better {
                setting = better;
                continue;
            }
            // What cannot be moved on this way may be on another.
            if !moved && let Some(detour) = self.detour.take() {
                setting = detour;
                continue;
            }
            let mut moving = Vec::new();
            if asks && techniques.aggressive && self.wishes > 0 {
                moving = self.wish(&setting, &aim, &columns, &reads)?;
                stuck &= moving.is_empty();
            }
            if predicts && techniques.demand_driven && self.attempt > 0 && setting.earlier.is_empty() {
                let (setting, mut earlier) = self.probe_earlier(&setting, &aim, &moving)?;
                if earlier.iter().any(|column| column.at_goal.can_be_followed()) {
                    stuck = false;
                    earlier.append(&mut columns);
                    self.follow(&setting, &aim, &earlier, false)?;
                }
            }
            break;
        }
        Ok(closer.map_or(Reached::No { stuck }, Reached::Closer))
    }

    /// Runs what is set, as an input like any other, and gives the state behind it if it was kept.
    ///
    /// # Errors
    ///
    /// If the goal is reached, or there is nothing left to spend.
    pub(super) fn run(&mut self, setting: &Setting) -> Result<Option<Arc<State>>, Reached> {
        let mut state = self.state.clone();
        if !setting.earlier.is_empty() {
            let calls = state.last_calls(setting.earlier.len());
            let same = setting.earlier.iter().zip(calls).take_while(|(one, other)| one == other).count();
            state = state.ancestor(state.depth - setting.earlier.len() + same);
            for earlier in &setting.earlier[same..] {
                // A call that fails leaves the state as it is; the run is over all the same, as nothing is like before.
                match self.call(&state, earlier, Go::Through)? {
                    Some(next) => state = next,
                    None => {
                        self.strayed = true;
                        return Ok(None);
                    }
                }
            }
        }
        let keeps = self.keeps();
        let go = if keeps { Go::Through } else { Go::No };
        let next = self.call(&state, &setting.transaction, go)?;
        if self.goal.is_reached(self.executor.observation()) && (!keeps || next.is_some()) {
            return Err(Reached::Yes(next));
        }
        Ok(next)
    }

    /// How far the last run was from the goal.
    pub(super) fn aim(&self) -> Option<Aim> {
        (!self.strayed).then(|| Aim::new(self.goal, self.executor.observation(), self.attempt)).flatten()
    }

    /// What decided it in the last run; none if it went another way.
    pub(super) fn read(&self, aim: &Aim) -> Option<Operands> {
        (!self.strayed).then(|| aim.read(self.executor.observation())).flatten()
    }

    /// Whether the state behind the goal is what is wanted.
    fn keeps(&self) -> bool {
        matches!(self.goal, Goal::Word { .. })
    }

    pub(super) fn call(
        &mut self,
        state: &Arc<State>,
        transaction: &Transaction,
        go: Go,
    ) -> Result<Option<Arc<State>>, Reached> {
        self.burn()?;
        Ok(self.lane.try_one(self.executor, state, transaction.clone(), go, self.allowance))
    }

    /// Runs a transaction on a state that may not be reachable: it leaves no trace but the observation, and counts.
    pub(super) fn peek(&mut self, setting: &Setting) -> Result<(), Reached> {
        self.burn()?;
        self.allowance.spend();
        let session = &self.lane.session;
        session.count();
        let call = session.subject.call(Action::Call(&setting.transaction), setting.snapshot.moment());
        self.executor.run(&setting.snapshot, &call);
        Ok(())
    }

    fn burn(&mut self) -> Result<(), Reached> {
        if !self.lane.has_fuel(self.allowance) {
            return Err(Reached::SPENT);
        }
        self.lane.fuel.spend_transaction();
        self.strayed = false;
        Ok(())
    }

    /// Where one operand of an equality appears in the input, the other one is put in its place.
    fn copy_operand(&mut self, setting: &Setting, aim: &Aim) -> Result<(), Reached> {
        if aim.relation != Relation::Zero {
            return Ok(());
        }
        let (left, right) = (aim.operands.left, aim.operands.right);
        let session = self.lane.session.clone();
        let words = setting.transaction.words(&session.subject.calls);
        let mut settings = Vec::new();
        for (from, to) in [(left, right), (right, left)] {
            // Small numbers are everywhere.
            for (field, _) in words.iter().filter(|(_, word)| *word == from && from > U256::from(255)).take(2) {
                let mut changed = setting.clone();
                if self.lane.generator.set_word(&mut changed.transaction, field, to) {
                    settings.push(changed);
                }
            }
            settings.extend(self.lane.same_hash(self.executor, &self.state, setting, from, to, self.allowance));
        }
        settings.iter().try_for_each(|changed| self.run(changed).map(drop))
    }

    /// One word in place of another of its kind: who is named twice often takes no other path, but is booked twice.
    fn repeat_words(&mut self, setting: &Setting) -> Result<(), Reached> {
        let session = self.lane.session.clone();
        let function = session.subject.calls.function(setting.transaction.call);
        let mut words = setting.transaction.words(&session.subject.calls);
        words.shuffle(&mut self.lane.rng);
        let mut left = MAX_REPEATED;
        for (at, (field, word)) in words.iter().enumerate() {
            let shape = field.shape(function);
            let is_alike = |(other, held): &&(Field, U256)| other.shape(function) == shape && held != word;
            for (_, other) in words[at + 1..].iter().filter(is_alike) {
                if left == 0 {
                    return Ok(());
                }
                let mut changed = setting.clone();
                if self.lane.generator.set_word(&mut changed.transaction, field, *other) {
                    left -= 1;
                    self.run(&changed)?;
                }
            }
        }
        Ok(())
    }

    /// Starts from another kept state, in which one of the slots that the transaction reads holds another word: first the highest, then
    /// the lowest, since that is where bounds do not hold any more, later any. The first of a few that comes to the goal is taken.
    fn move_elsewhere(&mut self, transaction: &Transaction) -> Result<(), Reached> {
        self.run(&Setting::new(transaction, &self.state))?;
        let choices = self.choices(&slots_read(self.executor.observation()));
        for _ in 0..STATES {
            let Some(words) = choices.choose(&mut self.lane.rng) else { break };
            let choice = match self.attempt {
                ..=2 => words.iter().max_by_key(|(word, _)| *word),
                3..=4 => words.iter().min_by_key(|(word, _)| *word),
                _ => words.choose(&mut self.lane.rng),
            };
            let Some((_, state)) = choice else { break };
            self.state = state.clone();
            self.run(&Setting::new(transaction, &self.state))?;
            if self.aim().is_some() {
                break;
            }
        }
        Ok(())
    }

    /// For each slot of which kept states know another word than the one here: these words, each with the latest such state, which
    /// is the furthest.
    fn choices(&self, slots: &[(Address, U256)]) -> Vec<Vec<(U256, Arc<State>)>> {
        let states = || self.lane.corpus.states.iter().rev().filter(|state| state.depth < self.lane.max_depth);
        let choices = slots.iter().map(|(address, slot)| {
            let mut words = vec![(self.state.snapshot.slot(*address, *slot), self.state.clone())];
            for state in states() {
                let word = state.snapshot.slot(*address, *slot);
                if words.iter().all(|(known, _)| *known != word) {
                    words.push((word, state.clone()));
                }
            }
            words.swap_remove(0);
            words
        });
        choices.filter(|words| !words.is_empty()).collect()
    }
}

impl Setting {
    /// As it is.
    pub(super) fn new(transaction: &Transaction, state: &State) -> Self {
        Self { earlier: Vec::new(), transaction: transaction.clone(), snapshot: state.snapshot.clone() }
    }
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
