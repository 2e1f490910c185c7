//! Looking ahead: while targets are open, entries are picked by the [`Schedule`](crate::fuzz::schedule::Schedule), and goals
//! behind which no target is any more are aimed at later.

use super::{Allowance, Lane};
use crate::{
    code::{BlockId, ProgramId},
    evm::Executor,
    fuzz::{
        corpus::Entry,
        goal::{Goal, Side},
        memory::Weight,
        missed::Bearing,
        schedule::{Configuration, Told},
        session::Session,
    },
    lookahead::{Ahead, SplitPoint},
    subject::Action,
};
use rand::RngExt;
use std::sync::{Arc, PoisonError};

/// Of so many entries that get no energy, the last one is mutated once all the same.
const MAX_SKIPPED: usize = 64;
/// So many entries are looked at as soon as they are picked, and then one in so many transactions: a look at a path through a large
/// contract takes as long as ten runs of it. An entry that was not looked at is scheduled by its path.
const FIRST_LOOKS: u64 = 128;
const A_LOOK: u64 = 512;
/// Targets of a first build are proved to be unreachable after so many transactions: most are reached by then.
const LATE: u64 = 20_000;

impl Lane {
    /// Keeps an entry, and says so to the schedule.
    pub(super) fn keep_entry(&mut self, entry: Arc<Entry>) {
        if self.guided {
            self.schedule.enter(entry.path);
        }
        self.corpus.keep(entry);
    }

    /// Follows what became of the targets: proves those that cannot be reached, and orders what was missed.
    pub(super) fn turn_to_targets(&mut self) {
        let session = self.session.clone();
        let targets = &session.targets;
        let looks = session.techniques.lookahead != Configuration::A;
        let is_time = targets.guide() || session.executions() > LATE;
        if looks && targets.open() > 0 && is_time && targets.begin_proofs() {
            session.prove_targets();
        }
        if !self.guided || self.turned == Some(targets.version()) {
            return;
        }
        self.turned = Some(targets.version());
        self.guided = targets.guide();
        if !self.guided {
            (self.picked, self.schedule) = (None, Default::default());
        }
        self.missed.turn(|goal| bearing(&session, goal));
    }

    /// The entry that the schedule picked, until its energy is spent; then another one.
    pub(super) fn scheduled(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) -> Option<Arc<Entry>> {
        if self.departed != self.corpus.departures {
            self.departed = self.corpus.departures;
            self.schedule.retain(&self.corpus.entries.iter().map(|entry| entry.path).collect());
        }
        if let Some((entry, left)) = self.picked.as_mut().filter(|(_, left)| *left > 0) {
            *left -= 1;
            return Some(entry.clone());
        }
        for skipped in 0..=MAX_SKIPPED {
            if allowance.is_spent() || self.corpus.entries.is_empty() {
                return None;
            }
            let at = self.rng.random_range(0..self.corpus.entries.len());
            let entry = self.corpus.entries[at].clone();
            self.look_ahead(executor, &entry, allowance);
            let energy = self.schedule.energy(entry.path);
            if energy > 0 || skipped == MAX_SKIPPED {
                self.picked = Some((entry.clone(), energy.saturating_sub(1)));
                return Some(entry);
            }
        }
        None
    }

    /// Tells the schedule what is ahead of an entry, by one detailed run of it, unless it knows well enough.
    fn look_ahead(&mut self, executor: &mut Executor, entry: &Entry, allowance: &mut Allowance<'_>) {
        let session = self.session.clone();
        let version = session.targets.version();
        if !self.schedule.looks_ahead() {
            return;
        }
        // Where targets were reached since, there may be a shorter prefix; what is known is one all the same.
        let may_look = self.looks < FIRST_LOOKS + self.clock / A_LOOK;
        if self.schedule.version(entry.path) == Some(version) || !may_look {
            return;
        }
        self.looks += 1;
        allowance.spend();
        session.count();
        let call = session.subject.call(Action::Call(&entry.transaction), entry.state.snapshot.moment());
        executor.set_detailed(true);
        executor.run(&entry.state.snapshot, &call);
        executor.set_detailed(false);
        let observation = executor.observation();
        let mut told = entry.told.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = match told.as_ref().filter(|told| told.version == version) {
            Some(told) => told.ahead.clone(),
            None => {
                let ahead = Arc::new(session.look_ahead(|lookahead| lookahead.analyze(observation)));
                let weight = weigh(&session, &ahead);
                *told = Some(Told { version, ahead: ahead.clone(), _weight: weight });
                ahead
            }
        };
        self.schedule.tell(entry.path, version, &ahead, &observation.branches);
    }
}

fn weigh(session: &Session, ahead: &Ahead) -> Weight {
    let bytes = size_of::<Ahead>() + ahead.split_points.capacity() * size_of::<SplitPoint>();
    session.meter.weigh(bytes as u64)
}

/// Where targets are, seen from behind a goal.
pub(super) fn bearing(session: &Session, goal: Goal) -> Bearing {
    let looks = matches!(session.techniques.lookahead, Configuration::B | Configuration::D);
    if !looks || !session.targets.guide() {
        return Bearing::Anywhere;
    }
    let Some((program, block)) = behind(session, goal) else { return Bearing::Towards(u32::MAX) };
    if session.targets.is_open_at((program, block)) {
        return Bearing::At;
    }
    // What other code than the contract's own comes back to is not known here.
    if session.subject.programs.get(program).contract != session.subject.contract {
        return Bearing::Towards(u32::MAX);
    }
    let blocks = session.look_ahead(|lookahead| lookahead.blocks_to_target(program, block));
    blocks.map_or(Bearing::Away, Bearing::Towards)
}

/// The block that a side of a branch enters.
fn behind(session: &Session, goal: Goal) -> Option<(ProgramId, BlockId)> {
    let (Goal::Side(Side { program: id, pc, taken }) | Goal::Turn { side: Side { program: id, pc, taken }, .. }) = goal
    else {
        return None;
    };
    let program = session.subject.programs.get(id);
    let block = program.block_of(pc)?;
    let entered = if taken { program.jumps_to(program.block(block)) } else { program.block_behind(block) };
    Some((id, entered?))
}
