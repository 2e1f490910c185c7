//! A [`FuzzedProject`] is one project with its builder, its campaign, and the results of both. It coalesces requests for builds
//! (`build_queue.rs`) and drops results of older generations. How results are shown is decided elsewhere.

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

/// The reason of a build without a change of a file.
pub(super) const SETTINGS_CHANGED: &str = "the settings changed";

/// One project.
#[derive(Debug)]
pub(super) struct FuzzedProject {
    id: ProjectId,
    extent: Extent,
    /// The folder that is trusted as a whole, or not.
    pub(super) workspace: PathBuf,
    trusted: bool,
    builder: Builder,
    queue: BuildQueue,
    /// Shared with the views that requests read.
    results: Arc<Results>,
    campaign: Option<Arc<Campaign>>,
    /// The generation of the build that is fuzzed. Results of another one are stale.
    generation: u64,
    quiet: bool,
    /// Whether, in manual mode, fuzzing was requested since the last save.
    asked: bool,
    /// Whether the next build starts without corpus and findings.
    forgets: bool,
    budget: FuzzingTime,
    /// Whether the campaign was last told to halt.
    halted: Option<bool>,
    focus: Option<Focus>,
    pace: Option<Pace>,
    targets: TargetLines,
    /// The version of the campaign's targets that these are.
    targets_version: Option<u64>,
    shows_targets: bool,
}

/// The speed of a campaign.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// The time of the measurement.
    pub(super) at: Instant,
    /// The number of contracts that are fuzzed.
    pub(super) contracts: usize,
    /// The number of contracts that are not, although they should be.
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

/// Seconds of fuzzing after a save, 0 for no limit.
fn budget(compiled: &Compiled) -> u64 {
    compiled.project.config.budget_seconds.unwrap_or(0)
}

/// Logs the files that a build leaves out, and its notes, unless the previous build had the same.
fn log_notes(place: std::path::Display<'_>, before: Option<&Compiled>, compiled: &Compiled) {
    let (reasons, notes) = (&compiled.build.left_out, &compiled.build.notes);
    if before.is_some_and(|before| (&before.build.left_out, &before.build.notes) == (reasons, notes)) {
        return;
    }
    for reason in reasons {
        // A reason with a place is shown there as a diagnostic; one without is shown nowhere else.
        if reason.file == compiled.project.root {
            tracing::error!("{place}: {}", reason.message);
        } else {
            tracing::info!("{place}: {}", reason.message);
        }
    }
    notes.iter().for_each(|note| tracing::info!("{place}: {note}"));
}

impl FuzzedProject {
    /// A project without results.
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

    /// Its results.
    pub(super) fn results(&self) -> &Arc<Results> {
        &self.results
    }

    fn config(&self) -> Option<&Config> {
        self.results.compiled.as_ref().map(|compiled| &compiled.project.config)
    }

    /// Its results, for a change. If a view holds them, that keeps the old ones, and this is a copy.
    fn results_mut(&mut self) -> &mut Results {
        Arc::make_mut(&mut self.results)
    }

    /// Requests a build: now, or after the one that is being made.
    pub(super) fn request(&mut self, reason: &'static str, settings: &ClientSettings, paused: bool) {
        let now = Instant::now();
        self.queue.ask(reason, now);
        self.order(settings, paused, now);
        if self.queue.has_pending() {
            self.builder.mark_stale();
        }
    }

    /// Starts the requested build, if it is time.
    pub(super) fn order(&mut self, settings: &ClientSettings, paused: bool, now: Instant) {
        if let Some((generation, reason)) = self.queue.begin(now) {
            // A request to fuzz concerned the text as it was then.
            self.asked &= reason == SETTINGS_CHANGED;
            let forget = std::mem::take(&mut self.forgets);
            let (settings, trusted) = (settings.clone(), self.trusted);
            self.builder.order(BuildOrder { generation, settings, trusted, paused, forget });
        }
    }

    /// Sets whether the workspace is trusted, for later builds. Returns whether that changed.
    pub(super) fn set_trusted(&mut self, trusted: bool) -> bool {
        std::mem::replace(&mut self.trusted, trusted) != trusted
    }

    /// Whether a compiler that was just fetched may be one that it waits for.
    pub(super) fn awaits_compiler(&self) -> bool {
        self.queue.busy() || self.results.awaits_compiler()
    }

    /// The time at which the requested build starts.
    pub(super) fn ordered_at(&self) -> Option<Instant> {
        self.queue.due()
    }

    /// Handles an event of its threads. Returns whether the shown results may have changed.
    pub(super) fn handle(&mut self, event: ProjectEvent, now: Instant) -> bool {
        match event {
            ProjectEvent::Built(built) => self.built(*built, now),
            ProjectEvent::Replayed { generation, findings, harnesses } => {
                if generation == self.generation {
                    self.results_mut().set_fuzzed(harnesses);
                }
                self.replayed(generation, findings, now);
                // What arrived while it turned to the build.
                self.receive();
            }
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
                let later = success.compiled.build.later.len();
                tracing::info!(project = %place, generation, contracts, later, changed = success.rebases, took = ?built.took, "compiled");
                if later > 0 {
                    self.queue.ask("tests", now);
                }
                self.succeeded(success, generation, now);
            }
            Err(failure) => {
                match &failure {
                    BuildFailure::Superseded => return tracing::debug!(project = %place, "superseded"),
                    BuildFailure::Project(error) => tracing::warn!("{error}"),
                    BuildFailure::Panic(words) => {
                        tracing::error!("internal error: compiling {place} panicked: {words}");
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
        if !rebases && self.quiet {
            self.update_remarks();
        }
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
            Fuzzed::Undeployable { generation, harness, why } if generation == self.generation => {
                self.leave_out(NotFuzzed { build: harness.build.clone(), contract: harness.contract, why });
                return true;
            }
            Fuzzed::Worldless { generation, build, contract, why } if generation == self.generation => {
                self.leave_out(NotFuzzed { build, contract, why });
                return true;
            }
            Fuzzed::Oversized { generation, harness, what } if generation == self.generation => {
                let contract = &harness.compiled().name;
                tracing::info!(target: TOLD, "{contract} is fuzzed, but cannot be deployed on a chain: {what}");
            }
            Fuzzed::Panicked { contract, report, .. } => {
                tracing::error!("internal error: fuzzing {contract} of {place} panicked: {report}");
            }
            Fuzzed::Quiet { generation } if generation == self.generation => {
                tracing::info!(project = %place, "quiet");
                self.quiet = true;
                // Nothing moves any more, unless the campaign turns to another build: then it does not answer.
                let mut changed = self.shows_targets;
                if !self.queue.busy() {
                    self.measure(now);
                    changed |= self.update_remarks();
                }
                return changed;
            }
            // Of a build that is no longer the newest.
            Fuzzed::Found { .. }
            | Fuzzed::Shrunk { .. }
            | Fuzzed::Fixed { .. }
            | Fuzzed::Undeployable { .. }
            | Fuzzed::Worldless { .. }
            | Fuzzed::Oversized { .. }
            | Fuzzed::Quiet { .. } => {}
        }
        false
    }

    /// Updates the ignores that match nothing, and what there is to say beside findings. Returns whether they are others than before.
    fn update_remarks(&mut self) -> bool {
        let idle = self.campaign.as_ref().map(|campaign| campaign.idle_ignores()).unwrap_or_default();
        let remarks = self.campaign.as_ref().map(|campaign| campaign.remarks()).unwrap_or_default();
        let are_others = self.results_mut().set_remarks(remarks);
        self.results_mut().set_idle_ignores(idle) || are_others
    }

    /// Records and logs that a contract is not fuzzed.
    fn leave_out(&mut self, left_out: NotFuzzed) {
        tracing::info!(target: TOLD, "{left_out}");
        self.results_mut().leave_out(left_out);
    }

    /// Whether a change of this file can change what is built.
    pub(super) fn builds(&self, path: &Path) -> bool {
        self.path() == path || self.results.has_source(path)
    }

    /// Whether what is built goes with this folder.
    pub(super) fn builds_below(&self, folder: &Path) -> bool {
        self.results.has_source_below(folder)
    }

    /// Has what other machines shared run, also where its contracts rest.
    pub(super) fn receive(&self) {
        if let Some(campaign) = &self.campaign {
            campaign.receive();
        }
    }

    /// Starts fuzzing in manual mode.
    pub(super) fn ask_to_fuzz(&mut self) {
        self.asked = true;
    }

    /// Makes the next build start without corpus and findings.
    pub(super) fn forget(&mut self) {
        self.forgets = true;
    }

    /// Pauses or resumes the campaign, as all conditions together require.
    pub(super) fn set_paused(&mut self, paused: bool) {
        let halted = paused || self.waits_to_be_asked() || self.budget == FuzzingTime::Spent;
        if let Some(campaign) = self.campaign.as_ref().filter(|_| self.halted != Some(halted)) {
            campaign.set_paused(halted);
            self.halted = Some(halted);
        }
    }

    /// Hands the campaign the files that the user works on.
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

    /// Whether it pauses while the machine is on battery.
    pub(super) fn pauses_on_battery(&self) -> bool {
        self.config().is_some_and(|config| config.pause_on_battery == Some(true))
    }

    /// Shows or hides targets from now on.
    pub(super) fn show_targets(&mut self, shows: bool) {
        self.shows_targets = shows;
    }

    /// The targets, if they are shown.
    pub(super) fn shown_targets(&self) -> Option<&TargetLines> {
        self.shows_targets.then_some(&self.targets)
    }

    /// The number of targets by outcome.
    pub(super) fn target_counts(&self) -> Option<Counts> {
        self.targets.counts()
    }

    /// Whether the fuzzing time after this save is used up.
    pub(super) fn spend(&mut self, now: Instant) -> bool {
        let over = matches!(self.budget, FuzzingTime::Until(end) if now >= end);
        if over {
            self.budget = FuzzingTime::Spent;
        }
        over
    }

    /// The time at which the fuzzing time after this save is used up.
    pub(super) fn spent_at(&self) -> Option<Instant> {
        match self.budget {
            FuzzingTime::Until(end) => Some(end),
            FuzzingTime::Unlimited | FuzzingTime::Spent => None,
        }
    }

    /// Whether a build is being made and its result is not known yet.
    pub(super) fn is_compiling(&self) -> bool {
        let is_fetching = self.results.awaits_compiler();
        self.queue.compiling() || self.queue.has_pending() || is_fetching && !self.is_active()
    }

    /// Whether it is fuzzed now, unless fuzzing is paused.
    pub(super) fn is_active(&self) -> bool {
        self.campaign.is_some() && !self.quiet && self.budget != FuzzingTime::Spent && !self.waits_to_be_asked()
    }

    /// Whether fuzzing waits for a request.
    pub(super) fn waits_to_be_asked(&self) -> bool {
        self.config().and_then(|config| config.run) == Some(Run::Manual) && !self.asked
    }

    /// Measures the speed since the last call.
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
        let has_session = |of: &&NotFuzzed| progress.iter().any(|it| it.harness.contract == of.contract);
        let without_session = self.results.not_fuzzed().filter(|of| !has_session(of)).count();
        let not_fuzzed = progress.len() - contracts + without_session;
        self.pace = Some(Pace { at: now, contracts, not_fuzzed, per_second, executions });
        let survey = campaign.survey();
        self.results_mut().set_survey(survey);
        self.look_at_targets();
    }

    /// Updates the outcomes of targets.
    fn look_at_targets(&mut self) {
        let Some(campaign) = &self.campaign else { return };
        let version = Some(campaign.targets_version());
        if self.targets_version != version {
            self.targets = TargetLines::of(&campaign.reaching());
            self.targets_version = version;
        }
    }

    /// The time of the next measurement. `None` while the campaign turns to a new build, and does not answer.
    pub(super) fn measured_again_at(&self) -> Option<Instant> {
        let measurable = self.is_active() && !self.queue.busy();
        measurable.then(|| self.pace.map(|pace| pace.at + Duration::from_secs(1)))?
    }

    /// The last measured speed.
    pub(super) fn pace(&self) -> Option<Pace> {
        self.pace
    }

    /// Ends the campaign at once, and the builder when its current work is done, for which the handle waits.
    pub(super) fn close(self) -> JoinHandle<()> {
        tracing::debug!(project = self.id.0, "closed");
        if let Some(campaign) = &self.campaign {
            campaign.set_paused(true);
        }
        self.builder.dismiss()
    }
}
