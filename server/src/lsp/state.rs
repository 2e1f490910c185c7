//! The [`State`] is everything that changes while the server runs, owned by one thread, and changed only by events. Each event
//! is handled to its end before the next; then what follows from all of them is told to the client at once.

use super::{
    attention::Attention,
    capabilities::Capabilities,
    config::Settings,
    diagnostics::{self, ByFile, Maker},
    documents::Documents,
    event::{Event, ProjectId},
    outbox::{Outbox, Outgoing},
    power::Power,
    progress::Progress,
    project::{FuzzedProject, Pace, SETTINGS_CHANGED},
    publish::Published,
    status::{Doing, Status, Teller},
    targets::Counts,
    trust::Trust,
    workspace::Workspace,
};
use bellwether::{
    compile::{Limits, Toolchain},
    fuzz::Pool,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender},
    time::{Duration, Instant},
};
use tower_lsp_server::ls_types::{InitializeParams, InitializeResult, MessageType, Uri};

/// How long the end waits for builders: a compilation that takes longer ends with the process.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// So many events are handled before what follows from them is told.
const BATCH: usize = 256;
/// After as many defects in a row nothing is to be hoped for.
const MAX_DEFECTS: usize = 16;

/// Everything that changes.
#[derive(Debug)]
pub(super) struct State {
    pub(super) events: Sender<Event>,
    pub(super) outbox: Outbox,
    capabilities: Capabilities,
    pub(super) settings: Settings,
    /// What is wrong with the settings and was not told yet, or told last.
    complaints: Vec<String>,
    pub(super) documents: Documents,
    pub(super) workspace: Workspace,
    /// The threads and the memory that all projects are fuzzed with.
    pub(super) pool: Pool,
    pub(super) projects: BTreeMap<ProjectId, FuzzedProject>,
    /// Compilers, for all projects.
    pub(super) toolchain: Toolchain,
    pub(super) trust: Trust,
    /// What was told of compilers that gave no answer, until they do.
    unanswered: BTreeSet<String>,
    /// The user wants no fuzzing for now.
    pub(super) paused: bool,
    pub(super) attention: Attention,
    pub(super) power: Power,
    /// Whether it was on battery when it was last asked about.
    on_battery: bool,
    published: Published,
    changed: Changed,
    progress: Progress,
    teller: Teller,
    /// Defects of ours, since the last time that all went well.
    defects: usize,
    /// Whether the user was told of one.
    apologised: bool,
}

/// Files whose diagnostics may differ from what was published.
#[derive(Debug, Default)]
struct Changed {
    all: bool,
    files: BTreeSet<PathBuf>,
}

impl State {
    /// A server that has not been spoken to.
    pub(super) fn new(events: Sender<Event>, outbox: Outbox) -> Self {
        let fetched = events.clone();
        // Nobody listens any more when the server ends.
        let toolchain = Toolchain::telling(Limits::default(), move || drop(fetched.send(Event::Fetched)));
        Self {
            events,
            outbox,
            capabilities: Capabilities::default(),
            settings: Settings::default(),
            complaints: Vec::new(),
            documents: Documents::default(),
            workspace: Workspace::default(),
            pool: Pool::new(true),
            projects: BTreeMap::new(),
            toolchain,
            trust: Trust::default(),
            unanswered: BTreeSet::new(),
            paused: false,
            attention: Attention::default(),
            power: Power::default(),
            on_battery: false,
            published: Published::default(),
            changed: Changed::default(),
            progress: Progress::new(false),
            teller: Teller::default(),
            defects: 0,
            apologised: false,
        }
    }

    /// Handles events until the shutdown, or until nothing works any more: then the server has to end.
    pub(super) fn run(mut self, events: &Receiver<Event>) {
        loop {
            let first = match self.due() {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            if matches!(first, Err(RecvTimeoutError::Disconnected)) {
                return;
            }
            for event in first.into_iter().chain(std::iter::from_fn(|| events.try_recv().ok())).take(BATCH) {
                if let Event::Shutdown { reply } = event {
                    self.close();
                    let _ = reply.send(Ok(()));
                    return;
                }
                // Unanswered, the request is answered with an error.
                self.guard(|state| state.handle(event));
            }
            self.guard(|state| state.settle(Instant::now()));
            if self.defects > MAX_DEFECTS {
                tracing::error!("nothing works any more: bellwether ends, so that the editor can start it again");
                return;
            }
        }
    }

    /// A defect of ours must not end the server: it is logged, and the user told, once.
    fn guard(&mut self, work: impl FnOnce(&mut Self)) {
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(self))) else {
            self.defects = 0;
            return;
        };
        self.defects += 1;
        tracing::error!("a defect of bellwether: {}", super::panic_words(panic.as_ref()));
        if !std::mem::replace(&mut self.apologised, true) {
            let words = "Bellwether met a defect of its own, and goes on. What it shows may be incomplete until it is restarted; \
                         its log has the details.";
            self.outbox.send(Outgoing::Show(MessageType::ERROR, words.to_owned()));
        }
    }

    fn handle(&mut self, event: Event) {
        // Whoever waits for an answer may have given up: then it goes nowhere.
        match event {
            Event::Initialize { params, reply } => drop(reply.send(Ok(self.initialize(&params)))),
            Event::Initialized => self.initialized(),
            Event::Opened(params) => self.opened(params),
            Event::Changed(params) => self.changed(params),
            Event::Saved(document) => self.saved(&document.uri),
            Event::Closed(document) => self.closed(&document.uri),
            Event::ActiveEditor(editor) => self.attention.tell(&editor),
            Event::FilesChanged(uris) => self.files_changed(&uris),
            Event::FoldersChanged { added, removed } => self.folders_changed(&added, &removed),
            Event::Configured(settings) => self.configure(&settings, true),
            Event::Pulled(settings) => {
                self.configure(&settings, false);
                if std::mem::take(&mut self.workspace.awaits_settings) {
                    self.discover_all();
                }
            }
            Event::Hover { params, reply } => {
                let at = params.text_document_position_params;
                let path = path_of(&at.text_document.uri);
                path.iter().for_each(|path| self.attention.notice(path));
                let hover = path.and_then(|path| self.hover(&path, at.position));
                let _ = reply.send(Ok(hover));
            }
            Event::CodeAction { params, reply } => {
                let path = path_of(&params.text_document.uri);
                path.iter().for_each(|path| self.attention.notice(path));
                let actions = path.and_then(|path| self.code_actions(&path, params.range, &params.context));
                let _ = reply.send(Ok(actions));
            }
            Event::Command { params, reply } => drop(reply.send(self.execute(&params))),
            Event::ProgressAllowed { number, allowed } => self.progress.answered(number, allowed, &self.outbox),
            Event::Discovered { folder, roots } => self.discovered(&folder, roots),
            Event::TrustAnswered { workspace, answer } => self.trust_answered(&workspace, answer),
            Event::Fetched => self.rebuild_waiting(),
            Event::Built { project, built } => {
                self.with(project, |project| project.built(*built, Instant::now()));
                self.ask_for_trust(project);
                self.tell_unanswered();
            }
            Event::Replayed { project, generation, findings } => {
                self.with(project, |project| project.replayed(generation, findings, Instant::now()));
            }
            Event::BuilderIdle { project } => self.with(project, FuzzedProject::builder_idle),
            Event::Fuzzed { project, event } => {
                if let Some(project) = self.projects.get_mut(&project) {
                    self.changed.all |= project.fuzzed(event);
                }
            }
            Event::Shutdown { .. } => {} // ends the loop
            #[cfg(test)]
            Event::Defect => panic!("on purpose"),
        }
    }

    /// Changes a project, unless it was closed meanwhile.
    fn with(&mut self, project: ProjectId, change: impl FnOnce(&mut FuzzedProject)) {
        if let Some(project) = self.projects.get_mut(&project) {
            change(project);
            self.changed.all = true;
        }
    }

    fn initialize(&mut self, params: &InitializeParams) -> InitializeResult {
        self.capabilities = Capabilities::resolve(&params.capabilities);
        self.documents.encoding = self.capabilities.encoding;
        self.progress = Progress::new(self.capabilities.progress);
        (self.settings, self.complaints) = Settings::from_options(params.initialization_options.clone());
        self.trust.set_told(self.settings.trusted);
        self.workspace = Workspace::of(params);
        if let Some(client) = &params.client_info {
            let version = client.version.as_deref().unwrap_or("of unknown version");
            tracing::info!(encoding = ?self.capabilities.encoding, trusted = self.settings.trusted, "client: {} {version}", client.name);
        }
        self.capabilities.offer()
    }

    fn initialized(&mut self) {
        self.complain();
        if self.capabilities.watched_files {
            self.outbox.send(Outgoing::Register(vec![super::workspace::watchers()]));
        }
        if self.capabilities.configuration && !self.workspace.has_options {
            // Nothing is built with settings that are not the user's.
            self.workspace.awaits_settings = true;
            self.outbox.send(Outgoing::PullConfiguration);
        } else {
            self.discover_all();
        }
    }

    /// Takes settings. Where a push says nothing about us, they are asked for.
    fn configure(&mut self, settings: &serde_json::Value, pushed: bool) {
        let before = self.settings.clone();
        match self.settings.update(settings) {
            Some(complaints) => {
                if complaints != self.complaints {
                    self.complaints = complaints;
                    self.complain();
                }
                if self.settings != before {
                    self.rebuild_all(SETTINGS_CHANGED);
                }
            }
            None if pushed && self.capabilities.configuration => self.outbox.send(Outgoing::PullConfiguration),
            None => {}
        }
    }

    /// Builds again what waits for a compiler.
    fn rebuild_waiting(&mut self) {
        for project in self.projects.values_mut().filter(|project| project.awaits_compiler()) {
            project.request("a compiler was fetched", &self.settings, self.paused);
        }
    }

    /// Shows what compilers that gave no answer are about, once.
    fn tell_unanswered(&mut self) {
        let now: BTreeSet<String> =
            self.projects.values().flat_map(FuzzedProject::unanswered).map(str::to_owned).collect();
        for words in now.difference(&self.unanswered) {
            self.outbox.send(Outgoing::Show(MessageType::ERROR, format!("Bellwether: {words}")));
        }
        self.unanswered = now;
    }

    fn complain(&self) {
        for complaint in &self.complaints {
            self.outbox.send(Outgoing::Show(MessageType::WARNING, format!("Bellwether settings: {complaint}")));
        }
    }

    /// The diagnostics of this file may have changed.
    pub(super) fn touch(&mut self, path: PathBuf) {
        self.changed.files.insert(path);
    }

    /// The diagnostics of any file may have changed.
    pub(super) fn touch_all(&mut self) {
        self.changed.all = true;
    }

    /// What it takes to make diagnostics.
    pub(super) fn maker(&self) -> Maker<'_> {
        Maker { documents: &self.documents, capabilities: &self.capabilities }
    }

    /// Does and tells what follows from what happened.
    fn settle(&mut self, now: Instant) {
        // Asked only where the answer counts.
        let asks =
            !self.paused && self.projects.values().any(|project| project.is_active() && project.pauses_on_battery());
        if !asks {
            self.power.forget();
        }
        self.on_battery = asks && self.power.is_battery(now);
        for project in self.projects.values_mut() {
            project.order(&self.settings, self.paused, now);
            if project.spend(now) {
                tracing::info!(project = %project.place.path().display(), "the time for this save is over");
            }
            project.set_paused(self.paused || self.on_battery && project.pauses_on_battery());
            project.focus(self.attention.focus());
            if project.measured_again_at().is_some_and(|at| now >= at) {
                project.measure(now);
                self.changed.all |= project.shown_targets().is_some();
            }
        }
        self.publish();
        let compiling = self.projects.values().any(FuzzedProject::is_compiling);
        self.progress.update(compiling, now, &self.outbox);
        if let Some(status) = self.status().and_then(|status| self.teller.tell(now, status)) {
            self.outbox.send(Outgoing::Status(status));
        }
    }

    /// Shows the targets of all projects, or of none.
    pub(super) fn show_targets(&mut self, shows: bool) {
        for project in self.projects.values_mut() {
            self.changed.all |= shows != project.shown_targets().is_some();
            project.show_targets(shows);
        }
    }

    /// How the targets of all projects stand, where there are any.
    pub(super) fn target_counts(&self) -> Option<Counts> {
        self.projects.values().filter_map(FuzzedProject::target_counts).reduce(Counts::with)
    }

    fn publish(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        let mut files = changed.files;
        if changed.all {
            files.extend(self.published.paths().cloned());
            files.extend(self.projects.values().flat_map(diagnostics::files));
        }
        if files.is_empty() {
            return;
        }
        let by_file: Vec<ByFile<'_>> = self.projects.values().map(ByFile::of).collect();
        for path in files {
            let maker = Maker { documents: &self.documents, capabilities: &self.capabilities };
            let diagnostics = by_file.iter().flat_map(|by_file| maker.of_file(by_file, &path)).collect();
            let Some(uri) = maker.uri(&path) else { continue };
            let version = self.documents.get(&path).map(|document| document.version);
            for params in self.published.update(&path, uri, version, diagnostics) {
                self.outbox.send(Outgoing::Diagnostics(params));
            }
        }
    }

    /// What is being done; nothing to tell before there is a project.
    fn status(&self) -> Option<Status> {
        let any = |is: fn(&FuzzedProject) -> bool| self.projects.values().any(is);
        let state = if any(FuzzedProject::is_compiling) {
            Doing::Compiling
        } else if self.projects.values().any(|project| project.is_active() && !self.rests(project)) {
            Doing::Fuzzing
        } else if any(FuzzedProject::is_active) {
            Doing::Paused
        } else if any(FuzzedProject::is_broken) {
            Doing::Error
        } else if any(FuzzedProject::waits_to_be_asked) {
            Doing::Paused
        } else {
            Doing::Quiet
        };
        let paces: Vec<Pace> = self.projects.values().filter_map(FuzzedProject::pace).collect();
        let rate = paces.iter().map(|pace| pace.per_second).sum();
        let mut messages: Vec<String> = self.projects.values().flat_map(FuzzedProject::troubles).collect();
        if self.on_battery {
            messages.insert(0, "on battery".to_owned());
        }
        let status = Status {
            state,
            contracts: paces.iter().map(|pace| pace.contracts).sum(),
            not_fuzzed: paces.iter().map(|pace| pace.not_fuzzed).sum(),
            executions_per_second: if state == Doing::Fuzzing { rate } else { 0 },
            findings: self.published.count(diagnostics::is_finding),
            targets: self.target_counts(),
            message: (!messages.is_empty()).then(|| messages.join("; ")),
        };
        (!self.projects.is_empty()).then_some(status)
    }

    /// Whether a project that could be fuzzed is not.
    fn rests(&self, project: &FuzzedProject) -> bool {
        self.paused || self.on_battery && project.pauses_on_battery()
    }

    /// When there is something to do, if nothing happens.
    fn due(&self) -> Option<Instant> {
        let projects = self.projects.values().flat_map(|project| {
            let measured = project.measured_again_at().filter(|_| !self.rests(project));
            [project.spent_at(), measured, project.ordered_at()]
        });
        let status = self.status().and_then(|status| self.teller.due(&status));
        projects.chain([status, self.progress.due(), self.power.due()]).flatten().min()
    }

    /// Ends all threads, and waits for them for a while.
    fn close(&mut self) {
        // Also those that do not answer: builders do not wait for them any longer.
        self.toolchain.stop();
        let builders: Vec<_> = std::mem::take(&mut self.projects).into_values().map(FuzzedProject::close).collect();
        let end = Instant::now() + PATIENCE;
        while builders.iter().any(|builder| !builder.is_finished()) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The path of a file; none for what is not on disk.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    is_file.then(|| uri.to_file_path())?.map(|path| Path::new(path.as_ref()).components().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::outbox::Deliveries;
    use std::sync::mpsc::channel;

    /// A state on its thread.
    fn start() -> (Sender<Event>, Deliveries, std::thread::JoinHandle<()>) {
        let (events, received) = channel();
        let (outbox, deliveries) = Outbox::new();
        let state = State::new(events.clone(), outbox);
        (events, deliveries, std::thread::spawn(move || state.run(&received)))
    }

    #[test]
    fn a_defect_is_told_once_and_what_follows_is_answered() {
        let (events, deliveries, thread) = start();
        for _ in 0..10 {
            let (reply, answer) = tokio::sync::oneshot::channel();
            events.send(Event::Defect).unwrap();
            events.send(Event::Initialize { params: Box::default(), reply }).unwrap();
            assert!(answer.blocking_recv().unwrap().is_ok());
        }
        let (reply, answer) = tokio::sync::oneshot::channel();
        events.send(Event::Shutdown { reply }).unwrap();
        answer.blocking_recv().unwrap().unwrap();
        thread.join().unwrap();
        let said: Vec<Outgoing> = std::iter::from_fn(|| deliveries.next_waiting()).collect();
        assert!(
            matches!(&said[..], [Outgoing::Show(MessageType::ERROR, words)] if words.contains("goes on")),
            "{said:?}"
        );
    }

    #[test]
    fn only_files_have_paths() {
        for (uri, path) in [
            ("file:///p/A.sol", Some("/p/A.sol")),
            ("file:///p/a%20b/%C3%A9.sol", Some("/p/a b/\u{e9}.sol")),
            ("file:///p//A.sol", Some("/p/A.sol")),
            ("untitled:Untitled-1", None),
            ("git:/p/A.sol?ref", None),
        ] {
            assert_eq!(path_of(&uri.parse().unwrap()), path.map(PathBuf::from), "{uri}");
        }
    }
}
