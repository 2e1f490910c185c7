//! The [`GlobalState`] is everything that changes while the server runs. One thread owns it, and only events change it: each is
//! handled completely before the next. It knows neither that thread nor the requests, which read a [`View`] of it.

use super::{
    attention::Attention,
    client::{
        capabilities::Capabilities,
        command::Control,
        outbox::{Outbox, Outgoing, Question},
        progress::CompilationProgress,
        settings::ClientSettings,
        status::{StatusParams, StatusThrottle},
    },
    coverage_news::CoverageNews,
    diagnostics::DiagnosticsContext,
    documents::Documents,
    event::{ClientMessage, ServerEvent},
    hint_refresh::HintRefresh,
    lens_refresh::LensRefresh,
    project::{
        SETTINGS_CHANGED,
        build::Extent,
        event::{ProjectEvent, ProjectId},
    },
    projects::Projects,
    publish::Publisher,
    trust::{self, Trust},
    uri::path_of,
    view::View,
    workspace::{self, Workspace},
};
use bellwether::compile::{Timeouts, Toolchain};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc::Sender},
    time::Instant,
};
use tower_lsp_server::ls_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, InitializeResult, MessageType, Uri,
    WorkspaceFolder,
};

/// The mutable state of the server.
#[derive(Debug)]
pub(super) struct GlobalState {
    /// Takes events of the threads that are started here.
    events: Sender<ServerEvent>,
    outbox: Outbox,
    capabilities: Capabilities,
    /// Mistakes in the settings that were last shown, or are still to be shown.
    complaints: Vec<String>,
    documents: Arc<Documents>,
    workspace: Workspace,
    projects: Projects,
    trust: Trust,
    attention: Attention,
    publisher: Publisher,
    progress: CompilationProgress,
    throttle: StatusThrottle,
    lenses: LensRefresh,
    hints: HintRefresh,
    coverage: CoverageNews,
}

impl GlobalState {
    /// The state before the first message.
    pub(super) fn new(events: Sender<ServerEvent>, outbox: Outbox) -> Self {
        let fetched = events.clone();
        // Nobody listens any more when the server ends.
        let shared = events.clone();
        let toolchain = Toolchain::telling(Timeouts::default(), move || drop(fetched.send(ServerEvent::Fetched)));
        Self {
            events,
            outbox,
            capabilities: Capabilities::default(),
            complaints: Vec::new(),
            documents: Arc::default(),
            workspace: Workspace::default(),
            projects: Projects::new(toolchain, shared),
            trust: Trust::default(),
            attention: Attention::default(),
            publisher: Publisher::default(),
            progress: CompilationProgress::new(false),
            throttle: StatusThrottle::default(),
            lenses: LensRefresh::default(),
            hints: HintRefresh::default(),
            coverage: CoverageNews::default(),
        }
    }

    /// A view of the current state, after this number of the client's messages. It shares the data.
    pub(super) fn view(&self, messages_handled: u64) -> View {
        View {
            messages_handled,
            capabilities: self.capabilities,
            diagnostics_in_hover: self.projects.settings().diagnostics_in_hover,
            finding_commands: self.projects.settings().finding_commands,
            documents: self.documents.clone(),
            projects: self.projects.results(),
        }
    }

    /// Handles an event. Its consequences follow in [`Self::settle`], and for the client in [`Self::tell`].
    pub(super) fn handle(&mut self, event: ServerEvent) {
        match event {
            ServerEvent::Client(message) => self.hear(message),
            ServerEvent::Looked(path) => self.attention.notice(&path),
            ServerEvent::Pulled(settings) => self.pulled(&settings),
            ServerEvent::ProgressAllowed { number, allowed } => self.progress.answered(number, allowed, &self.outbox),
            ServerEvent::TrustAnswered { workspace, answer } => self.trust_answered(&workspace, answer),
            ServerEvent::Discovered { folder, roots } => self.discovered(&folder, roots),
            ServerEvent::Fetched => self.projects.rebuild_waiting(),
            ServerEvent::Received => self.projects.receive(),
            ServerEvent::ExchangeTrouble(words) => {
                self.show(MessageType::WARNING, format!("Bellwether: `bellwether.exchange`: {words}"));
            }
            ServerEvent::Project { project, event } => self.project_said(project, event),
            ServerEvent::Shutdown { reply } => {
                self.projects.close();
                let _ = reply.send(Ok(()));
            }
            #[cfg(test)]
            ServerEvent::Defect => panic!("on purpose"),
        }
    }

    /// Carries out the consequences of the events so far, and what is due. Returns whether there is more to see in a view.
    pub(super) fn settle(&mut self, now: Instant) -> bool {
        let measured = self.projects.settle(now, self.attention.focus());
        if measured && self.projects.iter().any(|project| project.shown_targets().is_some()) {
            self.publisher.touch_all();
        }
        measured
    }

    /// Tells the client what changed.
    pub(super) fn tell(&mut self, now: Instant) {
        let context = DiagnosticsContext {
            documents: &self.documents,
            capabilities: &self.capabilities,
            is_beside_hover: self.projects.settings().diagnostics_in_hover,
        };
        self.publisher.publish(&self.projects, context, &self.outbox);
        self.progress.update(self.projects.is_compiling(), now, &self.outbox);
        if let Some(status) = self.status().and_then(|status| self.throttle.tell(now, status)) {
            self.outbox.send(Outgoing::Status(status));
        }
        if self.capabilities.code_lens_refresh && self.lenses.tell(now, self.projects.results(), &self.documents) {
            self.outbox.send(Outgoing::RefreshLenses);
        }
        if self.capabilities.inlay_hint_refresh && self.hints.tell(now, self.projects.results()) {
            self.outbox.send(Outgoing::RefreshHints);
        }
        for coverage in self.coverage.tell(now, self.projects.results(), &self.documents) {
            self.outbox.send(Outgoing::Coverage(coverage));
        }
    }

    /// The next time at which something is due.
    pub(super) fn due(&self) -> Option<Instant> {
        let status = self.status().and_then(|status| self.throttle.due(&status));
        [self.projects.due(), status, self.progress.due(), self.lenses.due(), self.hints.due(), self.coverage.due()]
            .into_iter()
            .flatten()
            .min()
    }

    fn status(&self) -> Option<StatusParams> {
        self.projects.status(self.publisher.findings())
    }

    fn hear(&mut self, message: ClientMessage) {
        // Whoever waits for an answer may have given up: then it goes nowhere.
        match message {
            ClientMessage::Initialize { params, reply } => drop(reply.send(Ok(self.initialize(&params)))),
            ClientMessage::Initialized => self.initialized(),
            ClientMessage::Opened(params) => self.opened(params),
            ClientMessage::Changed(params) => self.changed(params),
            ClientMessage::Saved(document) => self.saved(&document.uri),
            ClientMessage::Closed(document) => self.closed(&document.uri),
            ClientMessage::ActiveEditor(editor) => self.attention.tell(&editor),
            ClientMessage::FilesChanged(uris) => self.files_changed(&uris),
            ClientMessage::FoldersChanged { added, removed } => self.folders_changed(&added, &removed),
            ClientMessage::Configured(settings) => self.configure(&settings, true),
            ClientMessage::Control { control, reply } => {
                self.control(control);
                let _ = reply.send(Ok(None));
            }
        }
    }

    fn initialize(&mut self, params: &InitializeParams) -> InitializeResult {
        self.capabilities = Capabilities::resolve(&params.capabilities);
        Arc::make_mut(&mut self.documents).encoding = self.capabilities.encoding;
        self.progress = CompilationProgress::new(self.capabilities.progress);
        let (settings, complaints) = ClientSettings::from_options(params.initialization_options.clone());
        let trusted = settings.trusted;
        self.complaints = complaints;
        self.trust.set_told(trusted);
        self.complaints.extend(self.projects.set_settings(settings));
        self.workspace = Workspace::of(params);
        if let Some(client) = &params.client_info {
            let version = client.version.as_deref().unwrap_or("of unknown version");
            tracing::info!(encoding = ?self.capabilities.encoding, trusted, "client: {} {version}", client.name);
        }
        self.capabilities.offer()
    }

    fn initialized(&mut self) {
        self.complain();
        if self.capabilities.watched_files {
            self.outbox.send(Outgoing::Register(vec![workspace::watchers()]));
        }
        if self.capabilities.configuration && !self.workspace.has_options {
            // Nothing is built with settings that are not the user's.
            self.workspace.awaits_settings = true;
            self.outbox.send(Outgoing::PullConfiguration);
        } else {
            self.discover_all();
        }
    }

    fn pulled(&mut self, settings: &Value) {
        self.configure(settings, false);
        if std::mem::take(&mut self.workspace.awaits_settings) {
            self.discover_all();
        }
    }

    /// Applies settings. If a push does not mention us, they are requested.
    fn configure(&mut self, told: &Value, pushed: bool) {
        let mut settings = self.projects.settings().clone();
        match settings.update(told) {
            Some(complaints) => {
                let changes = settings != *self.projects.settings();
                let of_exchange = self.projects.set_settings(settings);
                let complaints: Vec<String> = complaints.into_iter().chain(of_exchange).collect();
                if complaints != self.complaints {
                    self.complaints = complaints;
                    self.complain();
                }
                if changes {
                    self.projects.rebuild_all(SETTINGS_CHANGED);
                }
            }
            None if pushed && self.capabilities.configuration => self.outbox.send(Outgoing::PullConfiguration),
            None => {}
        }
    }

    fn complain(&self) {
        for complaint in &self.complaints {
            self.show(MessageType::WARNING, format!("Bellwether settings: {complaint}"));
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else { return };
        self.attention.notice(&path);
        let documents = Arc::make_mut(&mut self.documents);
        documents.open(path.clone(), document.uri, document.version, document.text);
        self.ensure_project(&path);
        self.publisher.touch(path);
    }

    /// Only a save causes a build. Typing only moves the places of diagnostics.
    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else { return };
        self.attention.notice(&path);
        let documents = Arc::make_mut(&mut self.documents);
        if !documents.change(&path, document.version, &params.content_changes) {
            tracing::warn!("{} was changed, but it is not open", path.display());
        }
        self.publisher.touch(path);
    }

    fn saved(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else { return };
        Arc::make_mut(&mut self.documents).save(&path);
        self.attention.notice(&path);
        self.attention.changed(path.clone());
        self.projects.forget_power();
        self.show_targets(false);
        self.rebuild_for(&path, "a file was saved");
        self.ensure_project(&path);
        self.publisher.touch(path);
    }

    fn closed(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else { return };
        Arc::make_mut(&mut self.documents).close(&path);
        self.attention.closed(&path);
        self.publisher.touch(path);
    }

    fn files_changed(&mut self, uris: &[Uri]) {
        for path in uris.iter().filter_map(path_of) {
            self.rebuild_for(&path, "a file changed on disk");
            self.attention.changed(path);
        }
    }

    fn folders_changed(&mut self, added: &[WorkspaceFolder], removed: &[WorkspaceFolder]) {
        self.projects.close_gone(self.workspace.remove(removed));
        self.workspace.add(added, &self.events);
        self.publisher.touch_all();
    }

    fn control(&mut self, control: Control) {
        match control {
            Control::Pause => self.projects.pause(),
            Control::Resume => self.projects.resume(),
            Control::Clear => self.projects.clear(),
            Control::ShowTargets => self.toggle_targets(),
        }
    }

    /// Shows or hides targets. If no file has any to show, a message says why.
    fn toggle_targets(&mut self) {
        let shows = !self.projects.iter().any(|project| project.shown_targets().is_some());
        self.show_targets(shows);
        let words = match self.projects.target_counts() {
            _ if !shows => return,
            Some(counts) if counts.open + counts.unreachable > 0 => return,
            Some(counts) if counts.reached == 1 => "Bellwether: the only target is reached.".to_owned(),
            Some(counts) => format!("Bellwether: all {} targets are reached.", counts.reached),
            None => "Bellwether: there are no targets: the last save changed no line that a transaction can reach."
                .to_owned(),
        };
        self.show(MessageType::INFO, words);
    }

    fn show_targets(&mut self, shows: bool) {
        if self.projects.show_targets(shows) {
            self.publisher.touch_all();
        }
    }

    /// Looks for projects in all folders, and for those of the open files.
    fn discover_all(&mut self) {
        self.workspace.discover_all(&self.events);
        self.ensure_projects();
    }

    fn discovered(&mut self, folder: &Path, roots: Vec<PathBuf>) {
        if self.workspace.discovered(folder) {
            roots.into_iter().for_each(|root| self.open_project(Extent::Folder(root)));
        }
        self.ensure_projects();
    }

    /// Opens the projects of all open files.
    fn ensure_projects(&mut self) {
        let open: Vec<PathBuf> = self.documents.paths().cloned().collect();
        open.iter().for_each(|path| self.ensure_project(path));
    }

    /// Opens the project of a file, unless it is open already.
    fn ensure_project(&mut self, path: &Path) {
        let is_known = self.projects.iter().any(|project| project.builds(path));
        if let Some(extent) = (!is_known).then(|| self.workspace.extent_of(path)).flatten() {
            self.open_project(extent);
        }
    }

    fn open_project(&mut self, extent: Extent) {
        let enclosing = self.workspace.enclosing(&extent);
        let trusted = self.trust.is_trusted(&enclosing.trusted_as);
        self.projects.open(extent, enclosing, trusted, &self.events);
    }

    /// Builds the projects that depend on this file again, or on what was in this folder, if it is gone. A new configuration file makes
    /// another project.
    fn rebuild_for(&mut self, path: &Path, reason: &'static str) {
        if !workspace::is_input(path) {
            if !path.exists() {
                self.projects.rebuild_without(path);
            }
            return;
        }
        self.projects.rebuild_for(path, reason);
        let is_root = |folder: &Path| self.projects.iter().any(|project| project.path() == folder);
        if workspace::is_configuration(path) && path.parent().is_some_and(|folder| !is_root(folder)) {
            self.workspace.discover_around(path, &self.events);
        }
    }

    fn project_said(&mut self, id: ProjectId, event: ProjectEvent) {
        let is_build = matches!(event, ProjectEvent::Built(_));
        if self.projects.handle(id, event, Instant::now()) {
            self.publisher.touch_all();
        }
        if is_build {
            self.ask_for_trust(id);
            for words in self.projects.newly_unanswered() {
                self.show(MessageType::ERROR, format!("Bellwether: {words}"));
            }
        }
    }

    /// Asks whether a project's workspace is trusted, if its last build left something out for lack of trust. If the client
    /// cannot ask, it shows a message.
    fn ask_for_trust(&mut self, id: ProjectId) {
        let Some(project) = self.projects.get(id) else { return };
        let held_back = project.results().held_back();
        if held_back.is_empty() {
            return;
        }
        if !self.trust.raise(&project.workspace) {
            return held_back.iter().for_each(|words| tracing::info!("{words}"));
        }
        let workspace = project.workspace.clone();
        if self.capabilities.questions {
            let words = trust::question(&workspace, held_back);
            self.outbox.send(Outgoing::Ask(Question { workspace, words }));
        } else {
            self.warn_of_distrust(&workspace);
        }
    }

    /// Handles the user's answer; `None` if the question was dismissed or could not be shown.
    fn trust_answered(&mut self, workspace: &Path, answer: Option<bool>) {
        let Some(trusted) = answer else { return self.warn_of_distrust(workspace) };
        tracing::info!(workspace = %workspace.display(), trusted, "trust");
        self.trust.set_answer(workspace, trusted);
        self.projects.set_trusted(workspace, trusted);
    }

    fn warn_of_distrust(&self, workspace: &Path) {
        let projects = self.projects.iter().filter(|project| project.workspace == workspace);
        let words = trust::warning(workspace, projects.flat_map(|project| project.results().held_back()));
        self.show(MessageType::WARNING, words);
    }

    fn show(&self, kind: MessageType, words: String) {
        self.outbox.send(Outgoing::Show(kind, words));
    }
}
