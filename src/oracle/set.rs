//! An [`OracleSet`] holds the enabled oracles and the places that they looked up so far. It asks them one after another, and
//! knows the facts that they need together.

use super::{
    execution::Execution,
    interface::{Oracle, WriteGoal},
    place::Places,
    property::{PROPERTY, called_property, is_assertion},
    trial::{LastCall, Trial},
    violation::Violation,
    violations::Violations,
    weight::Weight,
};
use crate::{
    code::Programs,
    compile::Build,
    evm::{Executor, Instruments, Outcome},
    harness::{Harness, HarnessKind},
    input::{CallTable, MadeCalls, Sequence, Transaction},
};
use std::sync::Arc;

/// The oracles that judge what people state themselves.
const STATED: [&str; 2] = ["assertion", PROPERTY];

/// Whether an oracle judges what people state themselves.
pub(crate) fn is_stated(oracle: &str) -> bool {
    STATED.contains(&oracle)
}

/// The enabled oracles.
#[derive(Debug)]
pub struct OracleSet {
    build: Arc<Build>,
    programs: Arc<Programs>,
    /// The contract with its world, where it is known.
    harness: Option<Arc<Harness>>,
    /// The oracles, each with whether it judges transactions in which nothing failed.
    oracles: Vec<(&'static dyn Oracle, bool)>,
    /// The instruments that any of them needs.
    instruments: Instruments,
    places: Places,
    /// Transactions that were run to weigh violations, and that nobody asked for yet.
    trial_runs: u64,
    /// Calls that trials make again.
    made: MadeCalls,
}

impl OracleSet {
    /// A set of these oracles.
    pub fn new(build: Arc<Build>, programs: Arc<Programs>, oracles: impl Iterator<Item = &'static dyn Oracle>) -> Self {
        let mut instruments = Instruments::default();
        let oracles = oracles.map(|oracle| {
            let needs = oracle.needs_on(&build, &programs);
            instruments.add(needs.instruments);
            if needs.arithmetic {
                let sites = programs.arithmetic(&build);
                instruments.arithmetic = (!sites.is_empty()).then(|| sites.clone());
            }
            (oracle, needs.every_transaction)
        });
        let oracles = oracles.collect();
        Self {
            build,
            programs,
            harness: None,
            oracles,
            instruments,
            places: Places::default(),
            trial_runs: 0,
            made: MadeCalls::default(),
        }
    }

    /// A set of these oracles for a contract with its world. Where contracts can use cheatcodes, states may be reached that no chain can
    /// reach: only what people state themselves is judged there.
    pub fn of(harness: &Arc<Harness>, oracles: impl Iterator<Item = &'static dyn Oracle>) -> Self {
        let is_test = harness.kind() == HarnessKind::Test;
        let is_judge = |id: &str| !is_test || is_stated(id);
        let oracles = oracles.filter(|oracle| is_judge(oracle.meta().id) && oracle.applies_to(&harness.calls));
        let mut set = Self::new(harness.build.clone(), harness.programs.clone(), oracles);
        for (oracle, every_transaction) in &mut set.oracles {
            *every_transaction |= oracle.judges_all(&harness.calls);
        }
        Self { harness: Some(harness.clone()), ..set }
    }

    /// The instruments that an executor needs for them.
    pub fn instruments(&self) -> &Instruments {
        &self.instruments
    }

    /// The violations of the last transaction of the executor, given its outcome. It costs nothing if nothing failed and no
    /// oracle judges every transaction.
    pub fn judge(&mut self, executor: &Executor, outcome: &Outcome) -> Vec<Violation> {
        self.judge_failures(executor, outcome).into_iter().map(|(_, violation)| violation).collect()
    }

    /// The same, each with the index of the failure that it judges.
    fn judge_failures(&mut self, executor: &Executor, outcome: &Outcome) -> Vec<(usize, Violation)> {
        let failed = !executor.observation().failures.is_empty();
        let is_asked = |(_, every_transaction): &&(&dyn Oracle, bool)| failed || *every_transaction;
        if !self.oracles.iter().any(|oracle| is_asked(&oracle)) {
            return Vec::new();
        }
        let harness = self.harness.as_deref();
        let Some(execution) = Execution::last(&self.build, &self.programs, harness, executor, outcome) else {
            return Vec::new();
        };
        let is_property = harness.is_some_and(|harness| called_property(harness, execution.call).is_some());
        let is_test = harness.is_some_and(|harness| harness.kind() == HarnessKind::Test);
        let mut violations = Violations::new(&mut self.places);
        for (oracle, _) in self.oracles.iter().filter(is_asked) {
            // In tests, as in forge, a failure counts that nobody catches.
            if oracle.meta().id != PROPERTY && (is_property || (is_test && !is_assertion(execution.outcome))) {
                continue;
            }
            violations.ask(oracle.meta().id);
            oracle.after_transaction(&execution, &mut violations);
        }
        violations.finish()
    }

    /// Weighs a confirmed violation of the last call of a sequence, which is none if its last step belongs to the setup. Returns none
    /// if its oracle claims nothing, given how other runs end.
    pub(crate) fn weigh(
        &mut self,
        violation: &Violation,
        harness: &Harness,
        sequence: &Sequence,
        last: Option<LastCall<'_>>,
    ) -> Option<Weight> {
        let (oracle, _) = self.oracles.iter().find(|(oracle, _)| oracle.meta().id == violation.oracle).copied()?;
        let mut executor = harness.executor();
        executor.set_instruments(&self.instruments);
        let made = std::mem::take(&mut self.made);
        let mut judge = |executor: &Executor, outcome: &Outcome| self.judge_failures(executor, outcome);
        let mut trial = Trial::new(harness, executor, &mut judge, sequence, last, &made);
        let weight = oracle.weigh(violation, &mut trial);
        let runs = trial.runs();
        self.made = made;
        self.trial_runs += runs;
        weight
    }

    /// Notes a call that led to a new state: trials make it again while another one is open.
    pub(crate) fn note_made(&mut self, transaction: &Transaction, calls: &CallTable) {
        self.made.note(transaction, calls);
    }

    /// The calls that led to new states.
    pub(crate) fn made(&self) -> &MadeCalls {
        &self.made
    }

    /// The same oracles, whose trials make the calls again that those of others made.
    pub(crate) fn in_place_of(self, others: &mut Self) -> Self {
        Self { made: std::mem::take(&mut others.made), ..self }
    }

    /// The number of transactions that were run to weigh violations since this was asked last.
    pub(crate) fn take_trial_runs(&mut self) -> u64 {
        std::mem::take(&mut self.trial_runs)
    }

    /// Goals for the search, given the last transaction of the executor.
    pub fn goals(&self, executor: &Executor, outcome: &Outcome) -> Vec<WriteGoal> {
        let mut goals = Vec::new();
        if let Some(execution) =
            Execution::last(&self.build, &self.programs, self.harness.as_deref(), executor, outcome)
        {
            self.oracles.iter().for_each(|(oracle, _)| oracle.goals(&execution, &mut goals));
        }
        goals
    }
}

#[cfg(test)]
mod tests;
