//! A [`Builder`] is the thread that reads and compiles one project and turns its campaign to the new build, one order at a
//! time. It does not decide when, and only reports the results.

use super::{
    build::{BuildFailure, BuildOrder, Built, Compiled, Enclosing, Extent, Success},
    event::{EventSink, ProjectEvent, ProjectId},
};
use crate::{
    committed::Committed,
    lsp::{defects::panic_words, trust::REMEDY},
    seed::any_seed,
};
use bellwether::{
    compile::{self, Build, Compiler, Toolchain, programs_in},
    corpus::{exchange::Exchange, store::CorpusStore},
    finding::ignore_mistakes,
    fuzz::{Campaign, Options, Pool},
    project::{Config, FileRole, Project, ProjectWarning, Run},
    world::unknown_contracts,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread::JoinHandle,
    time::Instant,
};

/// The handle of the thread. The thread ends when this is dropped, once its current work is done.
#[derive(Debug)]
pub(crate) struct Builder {
    orders: Sender<BuildOrder>,
    stale: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Builder {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// If the system gives none.
    pub(crate) fn start(
        id: ProjectId,
        extent: Extent,
        enclosing: Enclosing,
        toolchain: Toolchain,
        pool: Pool,
        exchange: Arc<dyn Exchange>,
        events: EventSink,
    ) -> std::io::Result<Self> {
        let (orders, receiver) = channel();
        let stale = Arc::new(AtomicBool::new(false));
        let builds = BuildLoop {
            extent,
            enclosing,
            toolchain,
            pool,
            exchange,
            events,
            stale: stale.clone(),
            superseded: false,
            lacks_tests: false,
            forgets: false,
            compiler: None,
            campaign: None,
            last: None,
            committed: Committed::default(),
        };
        let thread =
            std::thread::Builder::new().name(format!("build-{}", id.0)).spawn(move || builds.work(&receiver))?;
        Ok(Self { orders, stale, thread })
    }

    /// Gives it the next order.
    pub(crate) fn order(&self, order: BuildOrder) {
        self.stale.store(false, Ordering::SeqCst);
        // The thread ends only with the last sender.
        let _ = self.orders.send(order);
    }

    /// Notes that files changed, so that the current build is outdated.
    pub(crate) fn mark_stale(&self) {
        self.stale.store(true, Ordering::SeqCst);
    }

    /// Lets the thread end, and returns its handle to wait for that.
    pub(crate) fn dismiss(self) -> JoinHandle<()> {
        self.thread
    }
}

/// The conditions that a compiler is made for. If they change, another one is needed.
#[derive(PartialEq, Eq)]
struct CompilerKey {
    cache: PathBuf,
    root: PathBuf,
    trusted: bool,
}

/// The state of the thread.
struct BuildLoop {
    extent: Extent,
    enclosing: Enclosing,
    toolchain: Toolchain,
    /// The threads that fuzz all projects.
    pool: Pool,
    /// On which what was found is shared with other machines.
    exchange: Arc<dyn Exchange>,
    events: EventSink,
    stale: Arc<AtomicBool>,
    /// Whether the last build was given up. Never two in a row, so that somebody who saves all the time still gets results.
    superseded: bool,
    /// Whether the last build left tests to the next one.
    lacks_tests: bool,
    /// Whether findings and corpus still have to be forgotten.
    forgets: bool,
    compiler: Option<(CompilerKey, Compiler)>,
    /// The campaign, and the seed in the settings for it.
    campaign: Option<(Option<u64>, Arc<Campaign>)>,
    /// Id and settings of the build that the campaign runs.
    last: Option<(String, Config)>,
    /// What upgradeable contracts were in the last commit.
    committed: Committed,
}

impl BuildLoop {
    fn work(mut self, orders: &Receiver<BuildOrder>) {
        while let Ok(order) = orders.recv() {
            let generation = order.generation;
            let started = Instant::now();
            let outcome = guarded(|| self.compile(&order)).unwrap_or_else(|panic| {
                // Half of what it was doing may be done.
                self.compiler = None;
                Err(BuildFailure::Panic(panic))
            });
            let rebase = outcome.as_ref().ok().filter(|success| success.rebases).and_then(|success| {
                let Compiled { build, project, .. } = &success.compiled;
                Some((success.campaign.clone()?, build.clone(), project.clone()))
            });
            let built = Built { generation, outcome, took: started.elapsed() };
            self.events.tell(ProjectEvent::Built(Box::new(built)));
            if let Some((campaign, build, project)) = rebase {
                // Sent first, so that all events of this generation come later.
                let started = Instant::now();
                match guarded(|| campaign.rebase(&build, &project.config, generation)) {
                    Ok(()) => {
                        tracing::debug!(generation, took = ?started.elapsed(), "turned");
                        let (findings, harnesses) = (campaign.findings(), campaign.harnesses());
                        self.events.tell(ProjectEvent::Replayed { generation, findings, harnesses });
                    }
                    Err(panic) => {
                        tracing::error!("internal error: turning to a new build panicked: {panic}");
                        self.last = None;
                    }
                }
            }
            self.events.tell(ProjectEvent::BuilderIdle);
        }
    }

    fn compile(&mut self, order: &BuildOrder) -> Result<Success, BuildFailure> {
        self.forgets |= order.forget;
        let mut project = match &self.extent {
            Extent::Folder(root) => Project::load_in(root, self.enclosing.folder.as_deref()),
            Extent::File(file) => Project::open(file, self.enclosing.folder.as_deref()),
        }
        .map_err(BuildFailure::Project)?;
        let held_back = if order.trusted { Vec::new() } else { self.distrust(&mut project) };
        project.configure(order.settings.config.clone());

        let cache = compile::cache_folder(&project);
        let key = CompilerKey { cache, root: project.root.clone(), trusted: order.trusted };
        if self.compiler.as_ref().is_none_or(|(of, _)| *of != key) {
            let CompilerKey { cache, root, trusted } = &key;
            // Dropped first: the old one has other rules of trust.
            self.compiler = None;
            let compiler = Compiler::sharing(&self.toolchain, cache, root, &self.enclosing.trusted_as, *trusted);
            self.compiler = Some((key, compiler));
        }
        let build = match &mut self.compiler {
            Some((_, compiler)) if self.lacks_tests => Arc::new(compiler.build(&project)),
            Some((_, compiler)) => Arc::new(compiler.build_before_tests(&project)),
            None => Arc::default(),
        };
        self.superseded = !self.superseded && self.stale.load(Ordering::SeqCst);
        // Whoever saved while tests were compiled waits for them no more.
        self.lacks_tests = !self.superseded && !build.later.is_empty();
        if self.superseded {
            return Err(BuildFailure::Superseded);
        }
        project.warnings.extend(unknown_contracts(&build, &project.config));
        let mistakes = mistaken_ignores(&project, &build);
        project.warnings.extend(mistakes);
        let texts = texts_outside(&build);
        if std::mem::take(&mut self.forgets) {
            self.forget(&project, order.generation);
        }
        let campaign = self.campaign(&project, order.paused);
        let rebases = campaign.as_ref().is_some_and(|campaign| self.turns(campaign, &build, &project.config));
        if let Some(campaign) = campaign.as_ref().filter(|_| rebases) {
            campaign.set_committed(self.committed(&project, &build, order.trusted));
        }
        let compiled = Compiled { project: Arc::new(project), build, texts, held_back };
        Ok(Success { compiled, campaign, rebases })
    }

    /// What the upgradeable contracts of a build were in the last commit.
    fn committed(&mut self, project: &Project, build: &Arc<Build>, trusted: bool) -> Option<Arc<Build>> {
        let cache = compile::cache_folder(project);
        let (toolchain, trusted_as) = (&self.toolchain, &self.enclosing.trusted_as);
        let compiler = || Compiler::sharing(toolchain, &cache, &project.root, trusted_as, trusted);
        self.committed.of(project, build, trusted, compiler)
    }

    /// Removes what only a trusted workspace may name, or put on PATH. Returns descriptions of it.
    fn distrust(&self, project: &mut Project) -> Vec<String> {
        let before = project.warnings.len();
        project.distrust(REMEDY);
        let mut held_back: Vec<String> =
            project.warnings[before..].iter().map(|warning| warning.message.clone()).collect();
        held_back.extend(programs_in(&[&project.root, &self.enclosing.trusted_as]).into_iter().map(|program| {
            format!(
                "{} is on PATH, and is not run because it is in the workspace, which is not trusted. {REMEDY}",
                program.display()
            )
        }));
        held_back
    }

    /// Forgets findings and corpus, so that the next build starts without them.
    fn forget(&mut self, project: &Project, generation: u64) {
        tracing::info!(project = %project.root.display(), "findings and corpus are forgotten");
        self.last = None;
        match &self.campaign {
            Some((_, campaign)) => campaign.forget(generation),
            // Corpus and findings of an earlier server, if nothing is fuzzed.
            None => drop(archive(&compile::cache_folder(project), &project.root).map(|archive| archive.clear())),
        }
    }

    /// Applies the settings to the campaign. Returns whether it has to turn to this build, for the sake of the settings or
    /// because the build changed.
    fn turns(&mut self, campaign: &Campaign, build: &Build, config: &Config) -> bool {
        let now = (build.id.clone(), config.clone());
        let last = self.last.replace(now);
        match last {
            Some((id, before)) if id == build.id && !Campaign::needs_rebase(&before, config) => {
                campaign.configure(config);
                false
            }
            _ => true,
        }
    }

    /// A campaign for these settings: the running one, if it fits.
    fn campaign(&mut self, project: &Project, paused: bool) -> Option<Arc<Campaign>> {
        let run = project.config.run.unwrap_or(Run::OnSave);
        if run == Run::Off {
            // It stays paused with everything that it learned, and turns to the current build when it is wanted again.
            if let Some((_, campaign)) = &self.campaign {
                campaign.set_paused(true);
            }
            self.last = None;
            return None;
        }
        let workers = project.config.workers.unwrap_or_else(half_of_the_cores);
        let seed = project.config.seed;
        let no_threads = |error| {
            tracing::error!(
                "cannot start the threads that fuzz: {error}; close other programs, or set `bellwether.workers` to less than {workers}"
            );
        };
        let cache = compile::cache_folder(project);
        if let Some((of_seed, campaign)) = &mut self.campaign {
            let options = campaign.options();
            if let Some(archive) = &options.archive {
                archive.move_to(&cache, &project.root);
            }
            if options.workers != workers {
                // With those that it has, it goes on.
                campaign.set_workers(workers).unwrap_or_else(no_threads);
            }
            if *of_seed != seed {
                *of_seed = seed;
                campaign.set_seed(seed.unwrap_or_else(any_seed));
                self.last = None;
            }
            return Some(campaign.clone());
        }
        let events = self.events.clone();
        let notice = move |event| events.tell(ProjectEvent::Fuzzed(event));
        let options = Options {
            workers,
            seed: seed.unwrap_or_else(any_seed),
            until_quiet: true,
            archive: archive(&cache, &project.root),
            exchange: Some(self.exchange.clone()),
            ..Options::default()
        };
        match Campaign::start_in(&self.pool, options, Arc::new(notice)) {
            Ok(campaign) => {
                let campaign = Arc::new(campaign);
                campaign.set_paused(paused || run == Run::Manual);
                self.campaign = Some((seed, campaign.clone()));
                self.last = None;
                Some(campaign)
            }
            Err(error) => {
                no_threads(error);
                None
            }
        }
    }
}

/// The store in which corpus and findings outlive the server.
fn archive(cache: &Path, root: &Path) -> Option<Arc<CorpusStore>> {
    let archive = CorpusStore::in_cache(cache, root, Box::new(|words| tracing::warn!("{words}")));
    archive
        .inspect_err(|error| tracing::error!("cannot start the thread that writes the corpus: {error}"))
        .ok()
        .map(Arc::new)
}

/// Texts of files that are not in the build, but have findings of an earlier one or diagnostics with a place.
fn texts_outside(build: &Build) -> BTreeMap<PathBuf, String> {
    let placed = build.diagnostics.iter().filter(|diagnostic| diagnostic.span.is_some());
    let failed = build.failed.iter().map(|name| build.root.join(name));
    let files: BTreeSet<PathBuf> = placed.map(|diagnostic| diagnostic.file.clone()).chain(failed).collect();
    let outside = files.into_iter().filter(|file| build.source_at(file).is_none());
    outside.filter_map(|file| std::fs::read_to_string(&file).ok().map(|text| (file, text))).collect()
}

/// The comments of the project's own files that ignore nothing because of a mistake.
fn mistaken_ignores(project: &Project, build: &Build) -> Vec<ProjectWarning> {
    let warnings = ignore_mistakes(build).into_iter().map(|(source, mistake)| ProjectWarning {
        file: Some(build.source(source).path.clone()),
        line: Some(mistake.line as usize),
        message: mistake.message,
    });
    let is_own = |file: &Path| project.role(file) != FileRole::Dependency;
    warnings.filter(|warning| warning.file.as_deref().is_some_and(is_own)).collect()
}

/// Runs a function; returns the message of its panic, if it panics.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| panic_words(panic.as_ref()))
}

fn half_of_the_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2).max(1)
}
