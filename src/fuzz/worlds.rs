//! [`Worlds`] are the sessions of one contract: in the world that was made for it, and in the one that the `setUp()` of a test contract
//! makes. What is told of a contract is told of both together.

use super::{
    progress::{Progress, TargetReport},
    session::Session,
    sessions::Sessions,
    target::{At, Target, TargetState},
};
use crate::corpus::ReachedBy;
use std::{collections::BTreeMap, sync::Arc};

/// The sessions of one contract, its own world first.
pub(super) struct Worlds<'a>(Vec<&'a Arc<Session>>);

impl<'a> Worlds<'a> {
    /// The sessions of each contract that has anything to run, in the order of their keys.
    pub(super) fn of(sessions: &'a Sessions) -> Vec<Self> {
        let running: Vec<_> = sessions.iter().filter(|(_, session)| session.has_anything_to_run()).collect();
        let of_one = running.chunk_by(|(one, _), (other, _)| (&one.file, &one.name) == (&other.file, &other.name));
        of_one.map(|worlds| Self(worlds.iter().map(|(_, session)| *session).collect())).collect()
    }

    /// The sessions.
    pub(super) fn sessions(&self) -> &[&'a Arc<Session>] {
        &self.0
    }

    /// The session that stands for the contract: in its own world, if it has one.
    pub(super) fn first(&self) -> &'a Arc<Session> {
        self.0[0]
    }

    /// The session that reached most of the contract, the first one of several.
    pub(super) fn farthest(&self) -> &'a Arc<Session> {
        let reached = |session: &&&Arc<Session>| session.branches().covered;
        self.0.iter().rev().max_by_key(reached).copied().unwrap_or(self.0[0])
    }

    /// What they have reached together.
    pub(super) fn reached(&self) -> ReachedBy<'a> {
        let (first, others) = (self.0[0], &self.0[1..]);
        first.coverage.alone().with(others.iter().map(|session| &session.coverage))
    }

    /// Transactions executed.
    pub(super) fn executions(&self) -> u64 {
        self.sum(|session| session.executions())
    }

    /// Those of them that succeeded.
    pub(super) fn succeeded(&self) -> u64 {
        self.sum(|session| session.succeeded())
    }

    /// Why the contract is no longer fuzzed in any of them, if so.
    pub(super) fn given_up(&self) -> Option<String> {
        let whys: Option<Vec<String>> = self.0.iter().map(|session| session.given_up()).collect();
        whys?.into_iter().next()
    }

    /// Whether it is proved in all of them that no call enters a block. None of them has reached it.
    pub(super) fn is_unreachable(&self, at: At) -> bool {
        self.0.iter().all(|session| session.shared.unreachable().is_some_and(|blocks| blocks.contains(&at)))
    }

    /// The state of fuzzing it.
    pub(super) fn progress(&self) -> Progress {
        let (first, reached) = (self.first(), self.reached());
        let contract = first.harness.contract;
        let suites = self.0.iter().filter_map(|session| session.harness.suite());
        Progress {
            harness: first.harness.clone(),
            suite: suites.map(|suite| suite.name.clone()).next(),
            executions: self.executions(),
            succeeded: self.succeeded(),
            trial_runs: self.sum(|session| session.shared.trial_runs()),
            given_up: self.given_up(),
            support: first.is_support(),
            paths: self.0.iter().map(|session| session.path_count()).sum(),
            branches: reached.branches(contract),
            instructions: reached.instructions(contract),
            quiet: self.0.iter().all(|session| session.is_quiet()),
            memory: self.sum(|session| session.meter.bytes()),
            rerun: self.sum(|session| session.rerun()),
            awaiting_rerun: self.0.iter().map(|session| session.shared.replays.len()).sum(),
        }
    }

    /// Its targets with their states. A target is proved unreachable if it is in all worlds.
    pub(super) fn targets(&self) -> TargetReport {
        let of = |session: &Session| session.targets.list().iter().cloned().zip(session.targets.states()).collect();
        let mut targets: Vec<(Target, TargetState)> = of(self.first());
        let programs = &self.first().harness.programs;
        for session in self.0[1..].iter().filter(|session| Arc::ptr_eq(&session.harness.programs, programs)) {
            let others: Vec<(Target, TargetState)> = of(session);
            let others: BTreeMap<_, _> = others.iter().map(|(target, state)| (target.place(), *state)).collect();
            for (target, state) in &mut targets {
                if let Some(other) = others.get(&target.place()) {
                    *state = state.or(*other);
                }
            }
        }
        let lookahead = self.0.iter().map(|session| session.lookahead_time()).sum();
        TargetReport { harness: self.first().harness.clone(), targets, lookahead }
    }

    fn sum(&self, of: impl Fn(&Session) -> u64) -> u64 {
        self.0.iter().map(|session| of(session)).sum()
    }
}
