//! A [`FuzzedProject`] is one project with its builder, its campaign, and the results of both. Requests to build
//! coalesce here (`build_queue.rs`), and what belongs to an older generation ends here. What is shown of it, and how, is not its business.

pub(super) mod build;
mod build_queue;
pub(super) mod builder;
pub(super) mod event;
pub(super) mod results;
pub(super) mod targets;

use super::client::{log::TOLD, settings::ClientSettings, status::Counts};
use bellwether::{
    finding::Finding,
    fuzz::{Campaign, Event as Fuzzed, Focus},
    project::{Config, Run},
};
use build::{BuildFailure, BuildOrder, Built, Compiled, Extent, Success};
use build_queue::BuildQueue;
use builder::Builder;
use event::{ProjectEvent, ProjectId};
use results::{NotFuzzed, Results};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread::JoinHandle,
    time::{Duration, Instant},
};
use targets::TargetLines;

/// The reason for a build that no change of a file is.
pub(super) const SETTINGS_CHANGED: &str = "the settings changed";

/// One project.
#[derive(Debug)]
pub(super) struct FuzzedProject {
    id: ProjectId,
    extent: Extent,
    /// What is trusted as a whole, or not.
    pub(super) workspace: PathBuf,
    trusted: bool,
    builder: Builder,
    queue: BuildQueue,
    /// Shared with the views that requests read.
    results: Arc<Results>,
    campaign: Option<Arc<Campaign>>,
    /// The build that is fuzzed; what is said of another one is stale.
    generation: u64,
    quiet: bool,
    /// In manual mode, whether somebody asked since the last save.
    asked: bool,
    /// Whether the next build begins with nothing.
    forgets: bool,
    budget: FuzzingTime,
    /// What the campaign was told last.
    halted: Option<bool>,
    focus: Option<Focus>,
    pace: Option<Pace>,
    targets: TargetLines,
    /// Of which state of the campaign these are.
    targets_version: Option<u64>,
    shows_targets: bool,
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
enum FuzzingTime {
    Unlimited,
    Until(Instant),
    Spent,
}

impl FuzzingTime {
    fn of(seconds: u64, now: Instant) -> Self {
        if seconds == 0 { Self::Unlimited } else { Self::Until(now + Duration::from_secs(seconds)) }
    }
}

/// How many seconds a save is worth, 0 for no limit.
fn budget(compiled: &Compiled) -> u64 {
    compiled.project.config.budget_seconds.unwrap_or(0)
}

/// Tells what a build leaves out, and its notes. Once, and not at each save while nothing of it changes.
fn log_notes(place: std::path::Display<'_>, before: Option<&Compiled>, compiled: &Compiled) {
    let (reasons, notes) = (&compiled.build.left_out, &compiled.build.notes);
    if before.is_some_and(|before| (&before.build.left_out, &before.build.notes) == (reasons, notes)) {
        return;
    }
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

impl FuzzedProject {
    /// A project of which nothing is known before the first request.
    pub(super) fn new(id: ProjectId, extent: Extent, workspace: PathBuf, trusted: bool, builder: Builder) -> Self {
        Self {
            id,
            extent,
            workspace,
            trusted,
            builder,
            queue: BuildQueue::default(),
            results: Arc::default(),
            campaign: None,
            generation: 0,
            quiet: true,
            asked: false,
            forgets: false,
            budget: FuzzingTime::Unlimited,
            halted: None,
            focus: None,
            pace: None,
            targets: TargetLines::default(),
            targets_version: None,
            shows_targets: false,
        }
    }

    /// The folder or the file that it is.
    pub(super) fn path(&self) -> &Path {
        self.extent.path()
    }

    /// Whether it is exactly this.
    pub(super) fn is(&self, extent: &Extent) -> bool {
        self.extent == *extent
    }

    /// What is known of it.
    pub(super) fn results(&self) -> &Arc<Results> {
        &self.results
    }

    fn config(&self) -> Option<&Config> {
        self.results.compiled.as_ref().map(|compiled| &compiled.project.config)
    }

    /// What is known, to be changed. Where a view holds it, that keeps what it has, and this becomes a copy.
    fn results_mut(&mut self) -> &mut Results {
        Arc::make_mut(&mut self.results)
    }

    /// Asks for a build: now, or one more after the one that is being made.
    pub(super) fn request(&mut self, reason: &'static str, settings: &ClientSettings, paused: bool) {
        let now = Instant::now();
        self.queue.ask(reason, now);
        self.order(settings, paused, now);
        if self.queue.has_pending() {
            self.builder.mark_stale();
        }
    }

    /// Has the builder make what was asked for, if it is time.
    pub(super) fn order(&mut self, settings: &ClientSettings, paused: bool, now: Instant) {
        if let Some((generation, reason)) = self.queue.begin(now) {
            // What was asked for was asked for what is there now.
            self.asked &= reason == SETTINGS_CHANGED;
            let forget = std::mem::take(&mut self.forgets);
            let (settings, trusted) = (settings.clone(), self.trusted);
            self.builder.order(BuildOrder { generation, settings, trusted, paused, forget });
        }
    }

    /// Says whether the workspace is trusted, for builds from now on; whether that is something new.
    pub(super) fn set_trusted(&mut self, trusted: bool) -> bool {
        std::mem::replace(&mut self.trusted, trusted) != trusted
    }

    /// Whether a compiler that was just fetched may be one that it waits for.
    pub(super) fn awaits_compiler(&self) -> bool {
        self.queue.busy() || self.results.awaits_compiler()
    }

    /// When it is time for what was asked for.
    pub(super) fn ordered_at(&self) -> Option<Instant> {
        self.queue.due()
    }

    /// Takes in what its threads say. Whether what is shown of it may have changed.
    pub(super) fn handle(&mut self, event: ProjectEvent, now: Instant) -> bool {
        match event {
            ProjectEvent::Built(built) => self.built(*built, now),
            ProjectEvent::Replayed { generation, findings } => self.replayed(generation, findings, now),
            ProjectEvent::BuilderIdle => self.builder_idle(now),
            ProjectEvent::Fuzzed(event) => return self.fuzzed(event, now),
        }
        true
    }

    fn built(&mut self, built: Built, now: Instant) {
        self.queue.built();
        let place = self.extent.path().display();
        match built.outcome {
            Ok(success) => {
                let (contracts, generation) = (success.compiled.build.contracts.len(), built.generation);
                tracing::info!(project = %place, generation, contracts, changed = success.rebases, took = ?built.took, "compiled");
                self.succeeded(success, generation, now);
            }
            Err(failure) => {
                match &failure {
                    BuildFailure::Superseded => return tracing::debug!(project = %place, "superseded"),
                    BuildFailure::Project(error) => tracing::warn!("{error}"),
                    BuildFailure::Panic(words) => {
                        tracing::error!("a defect of bellwether: compiling {place} panicked: {words}");
                    }
                }
                self.results_mut().failed(failure);
            }
        }
    }

    fn succeeded(&mut self, success: Success, generation: u64, now: Instant) {
        let Success { compiled, campaign, rebases } = success;
        let results = Arc::make_mut(&mut self.results);
        log_notes(self.extent.path().display(), results.compiled.as_deref(), &compiled);
        if campaign.is_none() {
            results.forget_campaign();
            self.pace = None;
            (self.targets, self.targets_version) = (TargetLines::default(), None);
        }
        if rebases {
            self.generation = generation;
            self.quiet = false;
            results.turn();
            self.budget = FuzzingTime::Unlimited;
        } else if results.compiled.as_ref().is_some_and(|before| budget(before) != budget(&compiled)) {
            self.budget = FuzzingTime::of(budget(&compiled), now);
        }
        results.built(Arc::new(compiled));
        self.campaign = campaign;
        (self.halted, self.focus) = (None, None);
    }

    fn replayed(&mut self, generation: u64, findings: Vec<Arc<Finding>>, now: Instant) {
        if generation == self.generation {
            self.results_mut().replayed(findings);
            self.budget = FuzzingTime::of(self.results.compiled.as_deref().map_or(0, budget), now);
            self.pace = None;
            self.targets_version = None;
            self.measure(now);
        }
    }

    fn builder_idle(&mut self, now: Instant) {
        self.queue.done();
        if self.quiet {
            self.measure(now);
        }
    }

    fn fuzzed(&mut self, event: Fuzzed, now: Instant) -> bool {
        let place = self.extent.path().display();
        match event {
            Fuzzed::Found { generation, finding } if generation == self.generation => {
                tracing::info!(id = finding.id, "{}:{}: {}", finding.file, finding.lines.line, finding.message);
                self.results_mut().found(finding);
                return true;
            }
            Fuzzed::Shrunk { generation, finding } if generation == self.generation => {
                tracing::info!(id = finding.id, "shrunk: {}", finding.message);
                self.results_mut().shrunk(finding);
                return true;
            }
            Fuzzed::Fixed { generation, id } if generation == self.generation => {
                tracing::info!(id, "no longer fails");
                return self.results_mut().fixed(&id);
            }
            Fuzzed::Undeployable { generation, subject, why } if generation == self.generation => {
                self.leave_out(NotFuzzed { build: subject.build.clone(), contract: subject.contract, why });
                return true;
            }
            Fuzzed::Unlinkable { generation, build, contract, why } if generation == self.generation => {
                self.leave_out(NotFuzzed { build, contract, why });
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
                if !self.queue.busy() {
                    self.measure(now);
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
    fn leave_out(&mut self, left_out: NotFuzzed) {
        tracing::info!(target: TOLD, "{left_out}");
        self.results_mut().leave_out(left_out);
    }

    /// Whether a change of this file can change what is built.
    pub(super) fn builds(&self, path: &Path) -> bool {
        self.path() == path || self.results.has_source(path)
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
        let halted = paused || self.waits_to_be_asked() || self.budget == FuzzingTime::Spent;
        if let Some(campaign) = self.campaign.as_ref().filter(|_| self.halted != Some(halted)) {
            campaign.set_paused(halted);
            self.halted = Some(halted);
        }
    }

    /// Has the campaign turn to what the user works on.
    pub(super) fn focus(&mut self, focus: &Focus) {
        if let Some(campaign) = self.campaign.as_ref().filter(|_| self.focus.as_ref() != Some(focus)) {
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
        self.config().is_some_and(|config| config.pause_on_battery == Some(true))
    }

    /// Shows targets from now on, or none any more.
    pub(super) fn show_targets(&mut self, shows: bool) {
        self.shows_targets = shows;
    }

    /// The targets, while they are to be shown.
    pub(super) fn shown_targets(&self) -> Option<&TargetLines> {
        self.shows_targets.then_some(&self.targets)
    }

    /// How many targets there are, and how they stand.
    pub(super) fn target_counts(&self) -> Option<Counts> {
        self.targets.counts()
    }

    /// Whether the time of this save is over by now.
    pub(super) fn spend(&mut self, now: Instant) -> bool {
        let over = matches!(self.budget, FuzzingTime::Until(end) if now >= end);
        if over {
            self.budget = FuzzingTime::Spent;
        }
        over
    }

    /// When the time of this save is over.
    pub(super) fn spent_at(&self) -> Option<Instant> {
        match self.budget {
            FuzzingTime::Until(end) => Some(end),
            FuzzingTime::Unlimited | FuzzingTime::Spent => None,
        }
    }

    /// Whether a build is being made, and not yet known.
    pub(super) fn is_compiling(&self) -> bool {
        let is_fetching = self.results.awaits_compiler();
        self.queue.compiling() || self.queue.has_pending() || is_fetching && !self.is_active()
    }

    /// Whether it is fuzzed now, if nobody paused it.
    pub(super) fn is_active(&self) -> bool {
        self.campaign.is_some() && !self.quiet && self.budget != FuzzingTime::Spent && !self.waits_to_be_asked()
    }

    /// Whether fuzzing waits until somebody asks for it.
    pub(super) fn waits_to_be_asked(&self) -> bool {
        self.config().and_then(|config| config.run) == Some(Run::Manual) && !self.asked
    }

    /// Counts the executions since the last time.
    pub(super) fn measure(&mut self, now: Instant) {
        let Some(campaign) = &self.campaign else {
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
        let without_session = self.results.not_fuzzed().filter(|of| !has_session(of)).count();
        let not_fuzzed = progress.len() - contracts + without_session;
        self.pace = Some(Pace { at: now, contracts, not_fuzzed, per_second, executions });
        self.look_at_targets();
    }

    /// Asks how the targets stand.
    fn look_at_targets(&mut self) {
        let Some(campaign) = &self.campaign else { return };
        let version = Some(campaign.targets_version());
        if self.targets_version != version {
            self.targets = TargetLines::of(&campaign.reaching());
            self.targets_version = version;
        }
    }

    /// When it is worth measuring again. Not while the campaign is turned to a new build: it does not answer then.
    pub(super) fn measured_again_at(&self) -> Option<Instant> {
        let measurable = self.is_active() && !self.queue.busy();
        measurable.then(|| self.pace.map(|pace| pace.at + Duration::from_secs(1)))?
    }

    /// How fast it was at last.
    pub(super) fn pace(&self) -> Option<Pace> {
        self.pace
    }

    /// Ends everything: the campaign at once, the builder when what it does is done, which the handle tells.
    pub(super) fn close(self) -> JoinHandle<()> {
        tracing::debug!(project = self.id.0, "closed");
        if let Some(campaign) = &self.campaign {
            campaign.set_paused(true);
        }
        self.builder.dismiss()
    }
}
