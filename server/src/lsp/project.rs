//! A [`FuzzedProject`] is one project with its builder, its last build, and the findings that are true of it. Requests to build
//! coalesce here (`orders.rs`), and what belongs to an older generation ends here. What is shown of it, and how, is not its business.

use super::{
    builder::{Builder, Built, Compiled, Failure, Order, Place},
    config::Settings,
    event::ProjectId,
    log::TOLD,
    orders::Orders,
    targets::{Counts, Targets},
};
use bellwether::{
    compile::{self, Build, ContractId, Source},
    finding::{Finding, distinct},
    fuzz::{Campaign, Event as Fuzzed, Focus},
    project::Run,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// The reason for a build that no change of a file is.
pub(super) const SETTINGS_CHANGED: &str = "the settings changed";

/// One project.
#[derive(Debug)]
pub(super) struct FuzzedProject {
    id: ProjectId,
    /// Where it is.
    pub(super) place: Place,
    /// What is trusted as a whole, or not.
    pub(super) workspace: PathBuf,
    trusted: bool,
    builder: Builder,
    orders: Orders,
    /// What the last build is, once there is one.
    pub(super) compiled: Option<Compiled>,
    /// Why there is none, if the last attempt failed.
    pub(super) failure: Option<Failure>,
    /// The build that is fuzzed; what is said of another one is stale.
    generation: u64,
    findings: BTreeMap<String, Arc<Finding>>,
    /// Which of them were told of this build.
    confirmed: BTreeSet<String>,
    /// Contracts that are not fuzzed, and why, by file and name.
    not_fuzzed: BTreeMap<(String, String), NotFuzzed>,
    quiet: bool,
    /// In manual mode, whether somebody asked since the last save.
    asked: bool,
    /// Whether the next build begins with nothing.
    forgets: bool,
    budget: Budget,
    /// What the campaign was told last.
    halted: Option<bool>,
    focus: Option<Focus>,
    pace: Option<Pace>,
    targets: Targets,
    /// Of which state of the campaign these are.
    targets_version: Option<u64>,
    shows_targets: bool,
}

/// A contract of which nothing can be run.
#[derive(Debug)]
pub(super) struct NotFuzzed {
    /// The build that it is of.
    pub(super) build: Arc<Build>,
    /// Which contract of it.
    pub(super) contract: ContractId,
    /// Why.
    pub(super) why: String,
}

impl NotFuzzed {
    /// The file that defines it.
    pub(super) fn source(&self) -> &Source {
        self.build.source(self.build.contract(self.contract).source)
    }
}

impl std::fmt::Display for NotFuzzed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not fuzzed: {}", self.build.contract(self.contract).name, self.why)
    }
}

/// How fast a campaign is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// When this was measured.
    pub(super) at: Instant,
    /// How many contracts are fuzzed.
    pub(super) contracts: usize,
    /// How many are not, although they should be.
    pub(super) not_fuzzed: usize,
    /// Transactions a second.
    pub(super) per_second: u64,
    executions: u64,
}

/// The time for fuzzing after a save, where it is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Budget {
    Unlimited,
    Until(Instant),
    Spent,
}

impl Budget {
    fn of(seconds: u64, now: Instant) -> Self {
        if seconds == 0 { Self::Unlimited } else { Self::Until(now + Duration::from_secs(seconds)) }
    }
}

/// How many seconds a save is worth, 0 for no limit.
fn budget(compiled: &Compiled) -> u64 {
    compiled.project.config.budget_seconds.unwrap_or(0)
}

impl FuzzedProject {
    /// A project of which nothing is known before the first request.
    pub(super) fn new(id: ProjectId, place: Place, workspace: PathBuf, trusted: bool, builder: Builder) -> Self {
        Self {
            id,
            place,
            workspace,
            trusted,
            builder,
            orders: Orders::default(),
            compiled: None,
            failure: None,
            generation: 0,
            findings: BTreeMap::new(),
            confirmed: BTreeSet::new(),
            not_fuzzed: BTreeMap::new(),
            quiet: true,
            asked: false,
            forgets: false,
            budget: Budget::Unlimited,
            halted: None,
            focus: None,
            pace: None,
            targets: Targets::default(),
            targets_version: None,
            shows_targets: false,
        }
    }

    /// Asks for a build: now, or one more after the one that is being made.
    pub(super) fn request(&mut self, reason: &'static str, settings: &Settings, paused: bool) {
        let now = Instant::now();
        self.orders.ask(reason, now);
        self.order(settings, paused, now);
        if self.orders.are_waiting() {
            self.builder.mark_stale();
        }
    }

    /// Has the builder make what was asked for, if it is time.
    pub(super) fn order(&mut self, settings: &Settings, paused: bool, now: Instant) {
        if let Some((generation, reason)) = self.orders.begin(now) {
            // What was asked for was asked for what is there now.
            self.asked &= reason == SETTINGS_CHANGED;
            let forget = std::mem::take(&mut self.forgets);
            let (settings, trusted) = (settings.clone(), self.trusted);
            self.builder.order(Order { generation, settings, trusted, paused, forget });
        }
    }

    /// Says whether the workspace is trusted, for builds from now on; whether that is something new.
    pub(super) fn set_trusted(&mut self, trusted: bool) -> bool {
        std::mem::replace(&mut self.trusted, trusted) != trusted
    }

    /// What the last build did without because the workspace is not trusted, in words.
    pub(super) fn held_back(&self) -> &[String] {
        self.compiled.as_ref().map_or(&[], |compiled| &compiled.held_back)
    }

    /// Whether a compiler that was just fetched may be one that it waits for.
    pub(super) fn awaits_compiler(&self) -> bool {
        self.orders.busy() || self.compiled.as_ref().is_some_and(|compiled| !compiled.build.pending.is_empty())
    }

    /// Messages of compilers that gave no answer in the last build.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &str> {
        let said = self.compiled.iter().flat_map(|compiled| &compiled.build.diagnostics);
        said.filter(|said| said.code.as_deref() == Some(compile::NO_ANSWER)).map(|said| said.message.as_str())
    }

    /// When it is time for what was asked for.
    pub(super) fn ordered_at(&self) -> Option<Instant> {
        self.orders.due()
    }

    /// Takes a build in.
    pub(super) fn built(&mut self, built: Built, now: Instant) {
        self.orders.built();
        let place = self.place.path().display();
        match built.outcome {
            Ok(compiled) => {
                let (contracts, generation) = (compiled.build.contracts.len(), built.generation);
                tracing::info!(project = %place, generation, contracts, changed = compiled.rebases, took = ?built.took, "compiled");
                if compiled.campaign.is_none() {
                    self.findings.clear();
                    self.not_fuzzed.clear();
                    self.pace = None;
                    (self.targets, self.targets_version) = (Targets::default(), None);
                }
                // Once, and not at each save while nothing of it changes.
                let (reasons, notes) = (&compiled.build.left_out, &compiled.build.notes);
                let before = self.compiled.as_ref().map(|before| (&before.build.left_out, &before.build.notes));
                if before != Some((reasons, notes)) {
                    for reason in reasons {
                        // What has a place is shown there; what has none is shown nowhere else.
                        if reason.file == compiled.project.root {
                            tracing::error!("{place}: {}", reason.message);
                        } else {
                            tracing::info!("{place}: {}", reason.message);
                        }
                    }
                    notes.iter().for_each(|note| tracing::info!("{place}: {note}"));
                }
                let config = &compiled.project.config;
                if compiled.rebases {
                    self.generation = generation;
                    self.quiet = false;
                    self.not_fuzzed.clear();
                    self.confirmed.clear();
                    self.budget = Budget::Unlimited;
                } else if self.compiled.as_ref().is_some_and(|before| budget(before) != budget(&compiled)) {
                    self.budget = Budget::of(budget(&compiled), now);
                }
                for finding in self.findings.values_mut() {
                    *finding = Finding::at_level(finding, config.level(finding.violation.oracle));
                }
                self.failure = None;
                (self.halted, self.focus) = (None, None);
                self.compiled = Some(compiled);
            }
            Err(failure) => {
                match &failure {
                    Failure::Superseded => return tracing::debug!(project = %place, "superseded"),
                    Failure::Project(error) => tracing::warn!("{error}"),
                    Failure::Panic(words) => {
                        tracing::error!("a defect of bellwether: compiling {place} panicked: {words}");
                    }
                }
                // What was built before goes on.
                self.failure = Some(failure);
            }
        }
    }

    /// The findings of the new build: these, those that were told of it meanwhile, and no others.
    pub(super) fn replayed(&mut self, generation: u64, findings: Vec<Arc<Finding>>, now: Instant) {
        if generation == self.generation {
            self.findings.retain(|id, _| self.confirmed.contains(id));
            for finding in findings {
                // The list may be older than what was told of this build meanwhile.
                let is_newer = self.findings.get(&finding.id).is_some_and(|known| known.shrunk && !finding.shrunk);
                if !is_newer {
                    self.findings.insert(finding.id.clone(), finding);
                }
            }
            self.budget = Budget::of(self.compiled.as_ref().map_or(0, budget), now);
            self.pace = None;
            self.targets_version = None;
            self.measure(now);
        }
    }

    /// The builder waits.
    pub(super) fn builder_idle(&mut self) {
        self.orders.done();
        if self.quiet {
            self.measure(Instant::now());
        }
    }

    /// Takes in what happened while fuzzing. Whether what is shown changed.
    pub(super) fn fuzzed(&mut self, event: Fuzzed) -> bool {
        let place = self.place.path().display();
        match event {
            Fuzzed::Found { generation, finding } if generation == self.generation => {
                tracing::info!(id = finding.id, "{}:{}: {}", finding.file, finding.lines.line, finding.message);
                self.confirmed.insert(finding.id.clone());
                self.findings.insert(finding.id.clone(), finding);
                return true;
            }
            Fuzzed::Shrunk { generation, finding } if generation == self.generation => {
                tracing::info!(id = finding.id, "shrunk: {}", finding.message);
                self.findings.insert(finding.id.clone(), finding);
                return true;
            }
            Fuzzed::Fixed { generation, id } if generation == self.generation => {
                tracing::info!(id, "no longer fails");
                self.confirmed.remove(&id);
                return self.findings.remove(&id).is_some();
            }
            Fuzzed::Undeployable { generation, subject, why } if generation == self.generation => {
                self.leave_out(subject.build.clone(), subject.contract, why);
                return true;
            }
            Fuzzed::Unlinkable { generation, build, contract, why } if generation == self.generation => {
                self.leave_out(build, contract, why);
                return true;
            }
            Fuzzed::Oversized { generation, subject, what } if generation == self.generation => {
                let contract = &subject.compiled().name;
                tracing::info!(target: TOLD, "{contract} is fuzzed, but cannot be deployed on a chain: {what}");
            }
            Fuzzed::Panicked { contract, report, .. } => {
                tracing::error!("a defect of bellwether: fuzzing {contract} of {place} panicked: {report}");
            }
            Fuzzed::Quiet { generation } if generation == self.generation => {
                tracing::info!(project = %place, "quiet");
                self.quiet = true;
                // Nothing moves any more, unless the campaign turns to another build: then it does not answer.
                if !self.orders.busy() {
                    self.measure(Instant::now());
                }
                return self.shows_targets;
            }
            // Of a build that is no longer the newest.
            Fuzzed::Found { .. }
            | Fuzzed::Shrunk { .. }
            | Fuzzed::Fixed { .. }
            | Fuzzed::Undeployable { .. }
            | Fuzzed::Unlinkable { .. }
            | Fuzzed::Oversized { .. }
            | Fuzzed::Quiet { .. } => {}
        }
        false
    }

    /// Notes that a contract is not fuzzed, and says so.
    fn leave_out(&mut self, build: Arc<Build>, contract: ContractId, why: String) {
        let (file, name) = build.qualified_name(contract);
        let key = (file.to_owned(), name.to_owned());
        let left_out = NotFuzzed { build, contract, why };
        tracing::info!(target: TOLD, "{left_out}");
        self.not_fuzzed.insert(key, left_out);
    }

    /// The contracts that are not fuzzed although they should be.
    pub(super) fn not_fuzzed(&self) -> impl Iterator<Item = &NotFuzzed> {
        self.not_fuzzed.values()
    }

    /// Confirmed findings, one for each place and oracle, in the order of files and lines.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Arc<Finding>> {
        distinct(self.findings.values()).into_iter()
    }

    /// Whether a change of this file can change what is built.
    pub(super) fn builds(&self, path: &Path) -> bool {
        self.place.path() == path
            || self.compiled.as_ref().is_some_and(|compiled| compiled.build.source_at(path).is_some())
    }

    /// Fuzzes on, where it is not done automatically.
    pub(super) fn ask_to_fuzz(&mut self) {
        self.asked = true;
    }

    /// Has the next build begin with nothing.
    pub(super) fn forget(&mut self) {
        self.forgets = true;
    }

    /// Has the campaign rest, or go on, as everything together says.
    pub(super) fn set_paused(&mut self, paused: bool) {
        let halted = paused || self.waits_to_be_asked() || self.budget == Budget::Spent;
        if let Some(campaign) = self.campaign().filter(|_| self.halted != Some(halted)) {
            campaign.set_paused(halted);
            self.halted = Some(halted);
        }
    }

    /// Has the campaign turn to what the user works on.
    pub(super) fn focus(&mut self, focus: &Focus) {
        if let Some(campaign) = self.campaign().filter(|_| self.focus.as_ref() != Some(focus)) {
            campaign.focus(focus.clone());
            let name = |path: &Option<PathBuf>| {
                path.as_deref()
                    .and_then(Path::file_name)
                    .map_or_else(|| "-".into(), |name| name.to_string_lossy().into_owned())
            };
            tracing::debug!(looked = name(&focus.looked), changed = name(&focus.changed), "focus");
            self.focus = Some(focus.clone());
        }
    }

    /// Whether it rests while the machine is on battery.
    pub(super) fn pauses_on_battery(&self) -> bool {
        self.compiled.as_ref().is_some_and(|compiled| compiled.project.config.pause_on_battery == Some(true))
    }

    /// The text of a file as it is on disk, where that did not make it into the build.
    pub(super) fn text_on_disk(&self, path: &Path) -> Option<&str> {
        self.compiled.as_ref()?.texts.get(path).map(String::as_str)
    }

    /// Shows targets from now on, or none any more.
    pub(super) fn show_targets(&mut self, shows: bool) {
        self.shows_targets = shows;
    }

    /// The targets, while they are to be shown.
    pub(super) fn shown_targets(&self) -> Option<&Targets> {
        self.shows_targets.then_some(&self.targets)
    }

    /// How many targets there are, and how they stand.
    pub(super) fn target_counts(&self) -> Option<Counts> {
        self.targets.counts()
    }

    /// Whether the time of this save is over by now.
    pub(super) fn spend(&mut self, now: Instant) -> bool {
        let over = matches!(self.budget, Budget::Until(end) if now >= end);
        if over {
            self.budget = Budget::Spent;
        }
        over
    }

    /// When the time of this save is over.
    pub(super) fn spent_at(&self) -> Option<Instant> {
        match self.budget {
            Budget::Until(end) => Some(end),
            Budget::Unlimited | Budget::Spent => None,
        }
    }

    /// Whether a build is being made, and not yet known.
    pub(super) fn is_compiling(&self) -> bool {
        let is_fetching = self.compiled.as_ref().is_some_and(|compiled| !compiled.build.pending.is_empty());
        self.orders.compiling() || self.orders.are_waiting() || is_fetching && !self.is_active()
    }

    /// Whether it is fuzzed now, if nobody paused it.
    pub(super) fn is_active(&self) -> bool {
        self.campaign().is_some() && !self.quiet && self.budget != Budget::Spent && !self.waits_to_be_asked()
    }

    /// Whether fuzzing waits until somebody asks for it.
    pub(super) fn waits_to_be_asked(&self) -> bool {
        let run = self.compiled.as_ref().and_then(|compiled| compiled.project.config.run);
        run == Some(Run::Manual) && !self.asked
    }

    /// Counts the executions since the last time.
    pub(super) fn measure(&mut self, now: Instant) {
        let Some(campaign) = self.campaign() else {
            self.pace = None;
            return;
        };
        let progress = campaign.progress();
        let executions: u64 = progress.iter().map(|contract| contract.executions).sum();
        let (last, since) = self.pace.map_or((executions, now), |pace| (pace.executions, pace.at));
        let seconds = now.duration_since(since).as_secs_f64();
        let per_second = if seconds > 0.0 { (executions.saturating_sub(last) as f64 / seconds) as u64 } else { 0 };
        let contracts = progress.iter().filter(|contract| contract.given_up.is_none()).count();
        let has_session = |of: &&NotFuzzed| progress.iter().any(|it| it.subject.contract == of.contract);
        let without_session = self.not_fuzzed().filter(|of| !has_session(of)).count();
        let not_fuzzed = progress.len() - contracts + without_session;
        self.pace = Some(Pace { at: now, contracts, not_fuzzed, per_second, executions });
        self.look_at_targets();
    }

    /// Asks how the targets stand.
    fn look_at_targets(&mut self) {
        let Some(campaign) = self.campaign() else { return };
        let version = Some(campaign.targets_version());
        if self.targets_version != version {
            self.targets = Targets::of(&campaign.reaching());
            self.targets_version = version;
        }
    }

    /// When it is worth measuring again. Not while the campaign is turned to a new build: it does not answer then.
    pub(super) fn measured_again_at(&self) -> Option<Instant> {
        let measurable = self.is_active() && !self.orders.busy();
        measurable.then(|| self.pace.map(|pace| pace.at + Duration::from_secs(1)))?
    }

    /// How fast it was at last.
    pub(super) fn pace(&self) -> Option<Pace> {
        self.pace
    }

    /// Whether nothing of it can be fuzzed.
    pub(super) fn is_broken(&self) -> bool {
        self.failure.is_some()
            || self
                .compiled
                .as_ref()
                .is_some_and(|compiled| compiled.build.contracts.is_empty() && compiled.build.has_errors())
    }

    /// What keeps all or a part of it from being fuzzed, in words.
    pub(super) fn troubles(&self) -> Vec<String> {
        let mut troubles = Vec::new();
        match &self.failure {
            Some(Failure::Project(error)) => troubles.push(error.to_string()),
            Some(Failure::Panic(_)) => troubles.push("a defect of bellwether: see the log".to_owned()),
            Some(Failure::Superseded) | None => {}
        }
        if let Some(compiled) = &self.compiled {
            let without_file = compiled.build.diagnostics.iter().filter(|said| said.file == compiled.project.root);
            troubles.extend(without_file.map(|said| said.message.clone()));
            let pending = &compiled.build.pending;
            troubles.extend(pending.keys().map(|version| format!("solc {version} is being fetched")));
            match compiled.build.failed.len() - pending.values().map(BTreeSet::len).sum::<usize>() {
                0 => {}
                1 => troubles.push("1 file does not compile".to_owned()),
                several => troubles.push(format!("{several} files do not compile")),
            }
        }
        match self.not_fuzzed.len() {
            0 => {}
            1 => troubles.extend(self.not_fuzzed.values().map(NotFuzzed::to_string)),
            several => troubles.push(format!("{several} contracts are not fuzzed: see the notes on their names")),
        }
        troubles
    }

    /// Ends everything: the campaign at once, the builder when what it does is done, which the handle tells.
    pub(super) fn close(self) -> JoinHandle<()> {
        tracing::debug!(project = self.id.0, "closed");
        if let Some(campaign) = self.campaign() {
            campaign.set_paused(true);
        }
        self.builder.dismiss()
    }

    fn campaign(&self) -> Option<&Campaign> {
        self.compiled.as_ref()?.campaign.as_deref()
    }
}
