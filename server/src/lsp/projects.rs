//! [`Projects`] holds all open projects, and what they share: the threads and the memory for fuzzing, the compilers, the
//! settings, and the conditions to pause. Which folders and files are projects is decided elsewhere.

use super::{
    client::{
        settings::ClientSettings,
        status::{Counts, ServerState, StatusParams},
    },
    event::ServerEvent,
    exchange::EditorExchange,
    power::Power,
    project::{
        FuzzedProject, Pace,
        build::{Enclosing, Extent},
        builder::Builder,
        event::{EventSink, ProjectEvent, ProjectId},
        results::Results,
    },
};
use bellwether::{
    compile::Toolchain,
    fuzz::{Focus, Pool},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Arc, mpsc::Sender},
    time::{Duration, Instant},
};

/// The time that the shutdown waits for builders, and for what was found last to be shared; chosen by hand. A compilation that takes longer
/// ends with the process.
const CLOSING_TIMEOUT: Duration = Duration::from_millis(1_500);

/// All projects.
#[derive(Debug)]
pub(super) struct Projects {
    open: BTreeMap<ProjectId, FuzzedProject>,
    next: usize,
    pool: Pool,
    toolchain: Toolchain,
    exchange: EditorExchange,
    settings: ClientSettings,
    /// Whether the user paused fuzzing.
    paused: bool,
    power: Power,
    /// Whether the machine was on battery when it was last asked about.
    on_battery: bool,
    /// Messages about compilers without an answer that were shown, until they answer.
    unanswered: BTreeSet<String>,
}

impl Projects {
    /// No projects, with this toolchain. What happens to what they share goes to `events`.
    pub(super) fn new(toolchain: Toolchain, events: Sender<ServerEvent>) -> Self {
        Self {
            open: BTreeMap::new(),
            next: 0,
            pool: Pool::new(true),
            toolchain,
            exchange: EditorExchange::new(events),
            settings: ClientSettings::default(),
            paused: false,
            power: Power::default(),
            on_battery: false,
            unanswered: BTreeSet::new(),
        }
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &FuzzedProject> {
        self.open.values()
    }

    /// One of them, unless it was closed meanwhile.
    pub(super) fn get(&self, id: ProjectId) -> Option<&FuzzedProject> {
        self.open.get(&id)
    }

    /// The current results of each.
    pub(super) fn results(&self) -> Vec<Arc<Results>> {
        self.iter().map(|project| project.results().clone()).collect()
    }

    /// Opens a project and requests a build. Its events go to `events`.
    pub(super) fn open(&mut self, extent: Extent, enclosing: Enclosing, trusted: bool, events: &Sender<ServerEvent>) {
        if self.iter().any(|project| project.is(&extent)) {
            return;
        }
        let id = ProjectId(self.next);
        self.next += 1;
        let events = events.clone();
        // Nobody listens any more when the server ends.
        let sink = EventSink::new(move |event| drop(events.send(ServerEvent::Project { project: id, event })));
        let workspace = enclosing.trusted_as.clone();
        let (toolchain, pool, exchange) = (self.toolchain.clone(), self.pool.clone(), self.exchange.mailbox());
        match Builder::start(id, extent.clone(), enclosing, toolchain, pool, exchange, sink) {
            Ok(builder) => {
                tracing::info!("project {}", extent.path().display());
                let mut project = FuzzedProject::new(id, extent, workspace, trusted, builder);
                project.request("opened", &self.settings, self.paused);
                self.open.insert(id, project);
            }
            Err(error) => tracing::error!("cannot start the thread that builds {}: {error}", extent.path().display()),
        }
    }

    /// Closes the projects that are gone. Their threads end by themselves.
    pub(super) fn close_gone(&mut self, is_gone: impl Fn(&Path) -> bool) {
        for (_, project) in self.open.extract_if(.., |_, project| is_gone(project.path())) {
            drop(project.close());
        }
    }

    /// Ends all threads, and waits for them for a while.
    pub(super) fn close(&mut self) {
        // Also those that do not answer: builders do not wait for them any longer.
        self.toolchain.stop();
        let builders = std::mem::take(&mut self.open).into_values().map(FuzzedProject::close);
        let threads: Vec<_> = builders.chain(self.exchange.dismiss()).collect();
        let end = Instant::now() + CLOSING_TIMEOUT;
        while threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Handles an event of a project's threads. Returns whether the shown results may have changed.
    pub(super) fn handle(&mut self, id: ProjectId, event: ProjectEvent, now: Instant) -> bool {
        self.open.get_mut(&id).is_some_and(|project| project.handle(event, now))
    }

    /// The settings for builds from now on.
    pub(super) fn settings(&self) -> &ClientSettings {
        &self.settings
    }

    /// Sets them, without a new build. Returns a complaint if they name no place where machines share.
    pub(super) fn set_settings(&mut self, settings: ClientSettings) -> Option<String> {
        self.settings = settings;
        self.exchange.configure(&self.settings.config)
    }

    /// Has what other machines shared run.
    pub(super) fn receive(&self) {
        self.iter().for_each(FuzzedProject::receive);
    }

    /// Requests a build of all projects.
    pub(super) fn rebuild_all(&mut self, reason: &'static str) {
        self.rebuild(reason, |_, _| true);
    }

    /// Requests a build of the projects that wait for a compiler.
    pub(super) fn rebuild_waiting(&mut self) {
        self.rebuild("a compiler was fetched", |_, project| project.awaits_compiler());
    }

    /// Requests a build of the projects that depend on this file: the innermost around it, and all that were built from it.
    pub(super) fn rebuild_for(&mut self, path: &Path, reason: &'static str) {
        let around = self.open.iter().filter(|(_, project)| path.starts_with(project.path()));
        let innermost = around.max_by_key(|(_, project)| project.path().components().count()).map(|(id, _)| *id);
        self.rebuild(reason, |id, project| Some(id) == innermost || project.builds(path));
    }

    /// Requests a build of the projects that were built from files in a folder that is gone.
    pub(super) fn rebuild_without(&mut self, folder: &Path) {
        self.rebuild("a folder is gone", |_, project| project.builds_below(folder));
    }

    fn rebuild(&mut self, reason: &'static str, matters: impl Fn(ProjectId, &FuzzedProject) -> bool) {
        for (id, project) in &mut self.open {
            if matters(*id, project) {
                project.request(reason, &self.settings, self.paused);
            }
        }
    }

    /// Sets whether a workspace is trusted. If that changed, its projects are built again.
    pub(super) fn set_trusted(&mut self, workspace: &Path, trusted: bool) {
        for project in self.open.values_mut().filter(|project| project.workspace == workspace) {
            if project.set_trusted(trusted) {
                project.request("the workspace is trusted now", &self.settings, self.paused);
            }
        }
    }

    /// Pauses fuzzing.
    pub(super) fn pause(&mut self) {
        self.paused = true;
    }

    /// Resumes fuzzing, and starts it in manual mode.
    pub(super) fn resume(&mut self) {
        self.paused = false;
        self.forget_power();
        self.open.values_mut().for_each(FuzzedProject::ask_to_fuzz);
    }

    /// Drops the last answer on whether the machine is on battery.
    pub(super) fn forget_power(&mut self) {
        self.power.forget();
    }

    /// Forgets corpus and findings, and builds all projects again.
    pub(super) fn clear(&mut self) {
        self.open.values_mut().for_each(FuzzedProject::forget);
        self.rebuild_all("findings and corpus are forgotten");
    }

    /// Shows or hides the targets of all projects. Returns whether that changed.
    pub(super) fn show_targets(&mut self, shows: bool) -> bool {
        let mut changed = false;
        for project in self.open.values_mut() {
            changed |= shows != project.shown_targets().is_some();
            project.show_targets(shows);
        }
        changed
    }

    /// The number of targets of all projects by outcome, if there are any.
    pub(super) fn target_counts(&self) -> Option<Counts> {
        self.iter().filter_map(FuzzedProject::target_counts).reduce(Counts::with)
    }

    /// New messages about compilers that gave no answer.
    pub(super) fn newly_unanswered(&mut self) -> Vec<String> {
        let unanswered = self.iter().flat_map(|project| project.results().unanswered());
        let now: BTreeSet<String> = unanswered.map(str::to_owned).collect();
        let new = now.difference(&self.unanswered).cloned().collect();
        self.unanswered = now;
        new
    }

    /// Does everything that is due. Returns whether any project was measured.
    pub(super) fn settle(&mut self, now: Instant, focus: &Focus) -> bool {
        // Asked only where the answer counts.
        let asks = !self.paused && self.iter().any(|project| project.is_active() && project.pauses_on_battery());
        if !asks {
            self.power.forget();
        }
        self.on_battery = asks && self.power.is_battery(now);
        let mut measured = false;
        for project in self.open.values_mut() {
            project.order(&self.settings, self.paused, now);
            if project.spend(now) {
                tracing::info!(project = %project.path().display(), "the time for this save is over");
            }
            project.set_paused(self.paused || self.on_battery && project.pauses_on_battery());
            project.focus(focus);
            if project.measured_again_at().is_some_and(|at| now >= at) {
                project.measure(now);
                measured = true;
            }
        }
        measured
    }

    /// The next time at which something is due.
    pub(super) fn due(&self) -> Option<Instant> {
        let projects = self.iter().flat_map(|project| {
            let measured = project.measured_again_at().filter(|_| !self.rests(project));
            [project.spent_at(), measured, project.ordered_at()]
        });
        projects.chain([self.power.due()]).flatten().min()
    }

    /// Whether a project that could be fuzzed is paused.
    fn rests(&self, project: &FuzzedProject) -> bool {
        self.paused || self.on_battery && project.pauses_on_battery()
    }

    /// Whether a build is being made.
    pub(super) fn is_compiling(&self) -> bool {
        self.iter().any(FuzzedProject::is_compiling)
    }

    fn state(&self) -> ServerState {
        let any = |is: fn(&FuzzedProject) -> bool| self.iter().any(is);
        let is_fuzzed = |project: &&FuzzedProject| project.is_active() && !self.rests(project);
        let has_begun =
            |project: &FuzzedProject| project.pace().is_some_and(|pace| pace.contracts + pace.not_fuzzed > 0);
        if self.is_compiling() {
            ServerState::Compiling
        } else if self.iter().any(|project| is_fuzzed(&project)) {
            // Before the first contract is deployed nothing is fuzzed.
            let begun = self.iter().filter(is_fuzzed).any(has_begun);
            if begun { ServerState::Fuzzing } else { ServerState::Compiling }
        } else if any(FuzzedProject::is_active) {
            ServerState::Paused
        } else if any(|project| project.results().is_broken()) {
            ServerState::Error
        } else if any(FuzzedProject::waits_to_be_asked) {
            ServerState::Paused
        } else {
            ServerState::Quiet
        }
    }

    /// The status, with this number of findings; `None` while there is no project.
    pub(super) fn status(&self, findings: usize) -> Option<StatusParams> {
        let state = self.state();
        let paces: Vec<Pace> = self.iter().filter_map(FuzzedProject::pace).collect();
        let rate = paces.iter().map(|pace| pace.per_second).sum();
        let mut messages: Vec<String> = self.iter().flat_map(|project| project.results().troubles()).collect();
        if self.on_battery {
            messages.insert(0, "on battery".to_owned());
        }
        let status = StatusParams {
            state,
            contracts: paces.iter().map(|pace| pace.contracts).sum(),
            not_fuzzed: paces.iter().map(|pace| pace.not_fuzzed).sum(),
            executions_per_second: if state == ServerState::Fuzzing { rate } else { 0 },
            findings,
            targets: self.target_counts(),
            message: (!messages.is_empty()).then(|| messages.join("; ")),
        };
        (!self.open.is_empty()).then_some(status)
    }
}
