//! Confirming: a violation becomes a finding only if a replay from a clean world shows it, and the findings of an earlier build
//! are replayed on this one.

use super::{event::Event, session::Session, sessions::is_product};
use crate::{
    compile::{Build, ContractId, SourceRange},
    corpus::State,
    finding::{self, Discovery, Finding, Shrinker, Unproven},
    harness::Harness,
    input::{Adaptation, Sequence, Transaction},
    oracle::{self, LastCall, OracleSet, Violation},
    project::{Level, Products},
};
use std::sync::Arc;

/// For so many transactions, one run in a trial is spent on claims that were put off and come about in another way. Chosen by hand.
const EXECUTIONS_PER_TRIAL_RUN: u64 = 16;
/// Runs in trials that are spent on them at the start. Chosen by hand.
const FREE_TRIAL_RUNS: u64 = 1_000;

impl Session {
    /// Replays the findings of an earlier build: those that still fail become findings of this one. Returns the ids that are
    /// gone: of findings that no longer fail, and of those whose id changed with the name of their contract or file. Findings
    /// of an oracle that is switched off now are kept for when it is switched on again.
    pub(super) fn replay(&self, old: &[Arc<Finding>]) -> Vec<String> {
        let mut oracles = OracleSet::of(&self.harness, oracle::all());
        let mut gone = Vec::new();
        // What is wrong with a layout is seen by comparing it, not by a replay.
        for finding in old.iter().filter(|finding| !oracle::is_layout_change(&finding.violation)) {
            match self.replay_one(&mut oracles, finding) {
                Some(kept) => {
                    if kept.id != finding.id {
                        self.release_finding(&finding.id);
                        gone.push(finding.id.clone());
                    }
                    // Two old findings may have become the same one.
                    let known = self.findings.get(&kept.violation).is_some();
                    if !known {
                        self.publish(Arc::new(kept));
                    }
                }
                None => {
                    self.release_finding(&finding.id);
                    gone.push(finding.id.clone());
                }
            }
        }
        gone
    }

    fn replay_one(&self, oracles: &mut OracleSet, old: &Finding) -> Option<Finding> {
        let adaptation = Adaptation::between(&old.harness.calls, &self.harness.calls);
        let sequence = adaptation.sequence(&old.sequence);
        let mut executor = self.harness.executor();
        let violations = finding::last_violations(&self.harness, &mut executor, oracles, &sequence);
        let text = |harness: &Harness, violation: &Violation| {
            let source = harness.build.source(violation.place.source);
            (source.name.clone(), violation.place.span.text(&source.text).to_owned())
        };
        let was = text(&old.harness, &old.violation);
        let of_oracle = violations.iter().filter(|violation| violation.oracle == old.violation.oracle);
        // The violation at the same expression if it is still there, and for the same cause, otherwise any of the same oracle in this call.
        let mut of_oracle: Vec<&Violation> = of_oracle.collect();
        of_oracle.sort_by_key(|violation| {
            (text(&self.harness, violation) != was, violation.cause.describe() != old.violation.cause.describe())
        });
        let mut described =
            of_oracle.into_iter().map(|violation| self.describe(oracles, sequence.clone(), *violation, old.discovery));
        let kept = described.find_map(Result::ok)?;
        Some(Finding { shrunk: old.shrunk, ..kept })
    }

    /// The finding that a sequence shows, as the settings judge it.
    pub(super) fn describe(
        &self,
        oracles: &mut OracleSet,
        sequence: Sequence,
        violation: Violation,
        discovery: Discovery,
    ) -> Result<Finding, Unproven> {
        let level = self.level(&violation);
        let described = finding::describe(&self.harness, oracles, sequence, violation, level, discovery);
        self.shared.count_trial_runs(oracles.take_trial_runs());
        let config = self.config();
        Ok(self.weigh_support(described?, &config.products()).under(&config))
    }

    /// A defect of a test, mock or example deceives nobody on a chain: it is for information where there are products beside it, and so is
    /// what only such a contract does with a product's code that it takes in, since whatever has to be checked before is checked by those
    /// who take it in. What people state themselves counts everywhere, but for functions that are there to fail, and for asserts in what a
    /// mock does for the contract beside it: they check how that one calls, which nobody else does.
    fn weigh_support(&self, finding: Finding, products: &Products) -> Finding {
        let build = &self.harness.build;
        let place = finding.violation.place;
        let is_of_mock = finding.violation.oracle == "assertion"
            && (place.is_all_of_its_function(build) || place.is_in_function_of_interface(build));
        let is_stated = oracle::is_stated(finding.violation.oracle) && !is_of_mock;
        if is_stated || finding.level >= Level::Information {
            return finding;
        }
        if !has_products(build, products) {
            return finding;
        }
        let names = place.names(build);
        if let Some(support) = products.support(names.file, names.contract).map(str::to_owned) {
            return finding.of_support(&support);
        }
        match self.shown_by(&finding, products) {
            Some(support) => finding.shown_by_support(&support),
            None => finding,
        }
    }

    /// The name that makes a contract support, if each call of a finding is of such a contract, the place is in the code of no product in
    /// this world, and what is taken in there is either a dependency's or called by a function that the contract declares itself.
    fn shown_by(&self, finding: &Finding, products: &Products) -> Option<String> {
        let (build, place) = (&self.harness.build, finding.violation.place);
        let is_of_dependency = build.source(place.source).foreign;
        let support = |id: ContractId| {
            let contract = build.contract(id);
            products.support(&build.source(contract.source).name, &contract.name)
        };
        let mut shown_by = None;
        for transaction in &finding.sequence.transactions {
            let id = self.harness.contract_of(transaction.call.target)?;
            let contract = build.contract(id);
            let declares = |(source, span): SourceRange| source == contract.source && contract.span.contains(span);
            if !is_of_dependency && !self.harness.definition(transaction.call).is_some_and(declares) {
                return None;
            }
            shown_by = Some(support(id)?.to_owned());
        }
        let mut code = self.harness.code().iter().map(|id| self.harness.programs.get(*id).contract);
        let is_in_product = |id: ContractId| support(id).is_none() && place.is_in_code(&build.contract(id).runtime);
        shown_by.filter(|_| !code.any(is_in_product))
    }

    /// Claims a violation that came about in this `way`: true for the first fuzzer that sees it, and never for an oracle that was switched
    /// off meanwhile.
    pub(super) fn claim(&self, violation: Violation, way: impl FnOnce() -> u64) -> bool {
        let runs = FREE_TRIAL_RUNS + self.executions() / EXECUTIONS_PER_TRIAL_RUN;
        self.findings.claim(violation, || self.level(&violation) != Level::Off, runs, way)
    }

    /// Confirms a claimed violation of a transaction on a state. Most claims are weighed many times before one of them is proved, so the
    /// trial comes first, and the replay from a clean world only if the trial claims something.
    pub(super) fn confirm_call(
        &self,
        oracles: &mut OracleSet,
        state: &State,
        transaction: &Transaction,
        violation: Violation,
    ) -> bool {
        let sequence = state.sequence_with(transaction);
        let start = state.ancestors().last().unwrap_or(state).snapshot.clone();
        let last = LastCall { transaction, before: state.snapshot.clone(), start };
        let is_claimed = oracles.weigh(&violation, &self.harness, &sequence, Some(last)).is_some();
        let runs = oracles.take_trial_runs();
        self.shared.count_trial_runs(runs);
        if !is_claimed {
            self.findings.put_off(violation, runs);
            return false;
        }
        self.confirm(oracles, &sequence, violation)
    }

    /// Confirms a claimed violation and reports the finding with its full sequence, which is shrunk later. Returns whether there is
    /// one: what is put off is nothing new, however often it is looked at.
    pub(super) fn confirm(&self, oracles: &mut OracleSet, sequence: &Sequence, violation: Violation) -> bool {
        let elapsed = Some(self.shared.started.elapsed());
        let discovery = Discovery { seed: self.seed, executions: self.executions(), elapsed };
        match self.describe(oracles, sequence.clone(), violation, discovery) {
            Ok(finding) => {
                self.publish(Arc::new(finding));
                return true;
            }
            Err(Unproven::NotClaimed) => self.findings.put_off(violation, 0),
            Err(Unproven::NotShown) => {
                tracing::warn!(contract = %self.harness.compiled().name, ?violation, "not reproduced from a clean world; dropped")
            }
        }
        false
    }

    pub(super) fn publish(&self, finding: Arc<Finding>) {
        if !self.findings.insert(finding.clone()) {
            return;
        }
        if !oracle::is_layout_change(&finding.violation) {
            self.archive_finding(&finding);
        }
        if !finding.shrunk {
            self.shrinks.push(finding.violation, Shrinker::of(finding.sequence.clone()));
        }
        if finding.level != Level::Off {
            self.tell(Event::Found { generation: self.generation, finding });
        }
    }

    /// The finding with another sequence, if it is claimed of that one as well, at no lower level.
    pub(super) fn claimed(&self, oracles: &mut OracleSet, told: &Finding, sequence: &Sequence) -> Option<Finding> {
        if told.sequence == *sequence {
            return Some(Finding::clone(told));
        }
        let other = self.describe(oracles, sequence.clone(), told.violation, told.discovery).ok()?;
        (other.most <= told.most).then_some(other)
    }

    /// Reports a finding again, under the same id, with its shrunk sequence. Does nothing if it was taken over by the next
    /// build, where it is shrunk anew.
    pub(super) fn replace_by_shorter(&self, shorter: Finding) {
        let replaced = self.findings.replace(Finding { shrunk: true, ..shorter }, || self.config());
        let Some(finding) = replaced else { return };
        self.archive_finding(&finding);
        if finding.level != Level::Off {
            self.tell(Event::Shrunk { generation: self.generation, finding });
        }
    }
}

/// Whether any contract of the project is a product.
fn has_products(build: &Build, products: &Products) -> bool {
    let is_own = |id| {
        let contract = build.contract(id);
        contract.is_deployable() && !build.source(contract.source).foreign
    };
    build.contract_ids().any(|id| is_own(id) && is_product(build, products, id))
}
