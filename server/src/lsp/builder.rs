//! A [`Builder`] is the thread on which one project is read, compiled and its campaign turned to the new build: one order at a
//! time. It decides nothing about when; and what came out it only tells.

use super::{
    config::Settings,
    event::{Event, ProjectId},
    trust::REMEDY,
};
use crate::seed::any_seed;
use bellwether::{
    archive::Archive,
    compile::{self, Build, Compiler, Toolchain, programs_in},
    fuzz::{Campaign, Options, Pool},
    project::{Config, Project, ProjectError, Run},
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
    time::{Duration, Instant},
};

/// Where a project is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// All of a folder.
    Root(PathBuf),
    /// One file that belongs to no project.
    File(PathBuf),
}

impl Place {
    /// The folder or the file.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Root(path) | Self::File(path) => path,
        }
    }
}

/// What is around a project.
#[derive(Debug, Clone)]
pub(super) struct Workspace {
    /// The client's folder around it, if there is one.
    pub(super) folder: Option<PathBuf>,
    /// What is trusted as a whole, or not: that folder, or the project's own, whichever is around the other.
    pub(super) trusted_as: PathBuf,
}

/// What is to be done.
#[derive(Debug)]
pub(super) struct Order {
    /// The number of the build: greater than any before.
    pub(super) generation: u64,
    /// The editor's settings, over which the project's own do not go.
    pub(super) settings: Settings,
    /// Whether what the workspace names may be executed.
    pub(super) trusted: bool,
    /// Whether a campaign starts paused.
    pub(super) paused: bool,
    /// Whether findings and corpus are to be forgotten, in memory and on disk.
    pub(super) forget: bool,
}

/// What became of an order.
#[derive(Debug)]
pub(super) struct Built {
    /// Of which one.
    pub(super) generation: u64,
    /// The build, or why the project cannot be read.
    pub(super) outcome: Result<Compiled, Failure>,
    /// How long it took.
    pub(super) took: Duration,
}

/// A build and all that belongs to it.
#[derive(Debug)]
pub(super) struct Compiled {
    /// The project, as it was read for this build.
    pub(super) project: Arc<Project>,
    /// What the compiler made of it.
    pub(super) build: Arc<Build>,
    /// Texts of files that did not make it into the build, because they have errors.
    pub(super) texts: BTreeMap<PathBuf, String>,
    /// What was not executed or followed because the workspace is not trusted, and how to allow it.
    pub(super) held_back: Vec<String>,
    /// What fuzzes it, unless nothing is to.
    pub(super) campaign: Option<Arc<Campaign>>,
    /// Whether the campaign turns to this build now. Not if nothing changed that it could notice.
    pub(super) rebases: bool,
}

/// Why there is no build.
#[derive(Debug)]
pub(super) enum Failure {
    /// The project cannot be read.
    Project(ProjectError),
    /// A defect of ours.
    Panic(String),
    /// The files changed while it was made, and it may have seen half of one. Another one follows.
    Superseded,
}

/// The thread, from outside. Ends when this is dropped, as soon as what it does is done.
#[derive(Debug)]
pub(super) struct Builder {
    orders: Sender<Order>,
    stale: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Builder {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// If the system gives none.
    pub(super) fn start(
        id: ProjectId,
        place: Place,
        workspace: Workspace,
        toolchain: Toolchain,
        pool: Pool,
        events: Sender<Event>,
    ) -> std::io::Result<Self> {
        let (orders, receiver) = channel();
        let stale = Arc::new(AtomicBool::new(false));
        let bench = Bench {
            id,
            place,
            workspace,
            toolchain,
            pool,
            events,
            stale: stale.clone(),
            superseded: false,
            forgets: false,
            compiler: None,
            campaign: None,
            last: None,
        };
        let thread =
            std::thread::Builder::new().name(format!("build-{}", id.0)).spawn(move || bench.work(&receiver))?;
        Ok(Self { orders, stale, thread })
    }

    /// Has this done next.
    pub(super) fn order(&self, order: Order) {
        self.stale.store(false, Ordering::SeqCst);
        // The thread ends only with the last sender.
        let _ = self.orders.send(order);
    }

    /// The files changed: what is being made is not worth much.
    pub(super) fn mark_stale(&self) {
        self.stale.store(true, Ordering::SeqCst);
    }

    /// Lets the thread end, and gives its handle to wait for that.
    pub(super) fn dismiss(self) -> JoinHandle<()> {
        self.thread
    }
}

/// What a compiler is made for; another one is needed where this changes.
#[derive(PartialEq, Eq)]
struct Surroundings {
    cache: PathBuf,
    root: PathBuf,
    trusted: bool,
}

/// The thread, from inside.
struct Bench {
    id: ProjectId,
    place: Place,
    workspace: Workspace,
    toolchain: Toolchain,
    /// What all projects fuzz with.
    pool: Pool,
    events: Sender<Event>,
    stale: Arc<AtomicBool>,
    /// Whether the last build was given up: never two in a row, so that who saves all the time sees something all the same.
    superseded: bool,
    /// Whether findings and corpus are to be forgotten, and were not yet.
    forgets: bool,
    compiler: Option<(Surroundings, Compiler)>,
    /// The campaign, and the seed that the settings named for it.
    campaign: Option<(Option<u64>, Arc<Campaign>)>,
    /// Id and settings of the build that the campaign runs.
    last: Option<(String, Config)>,
}

impl Bench {
    fn work(mut self, orders: &Receiver<Order>) {
        while let Ok(order) = orders.recv() {
            let generation = order.generation;
            let started = Instant::now();
            let outcome = guarded(|| self.compile(&order)).unwrap_or_else(|panic| {
                // Half of what it was doing may be done.
                self.compiler = None;
                Err(Failure::Panic(panic))
            });
            let rebase = outcome.as_ref().ok().filter(|compiled| compiled.rebases).and_then(|compiled| {
                Some((compiled.campaign.clone()?, compiled.build.clone(), compiled.project.clone()))
            });
            self.tell(Event::Built {
                project: self.id,
                built: Box::new(Built { generation, outcome, took: started.elapsed() }),
            });
            if let Some((campaign, build, project)) = rebase {
                // Told first, so that everything that the campaign says of this generation comes later.
                let started = Instant::now();
                match guarded(|| campaign.rebase(&build, &project.config, generation)) {
                    Ok(()) => {
                        tracing::debug!(generation, took = ?started.elapsed(), "turned");
                        self.tell(Event::Replayed { project: self.id, generation, findings: campaign.findings() });
                    }
                    Err(panic) => {
                        tracing::error!("a defect of bellwether: turning to a new build panicked: {panic}");
                        self.last = None;
                    }
                }
            }
            self.tell(Event::BuilderIdle { project: self.id });
        }
    }

    fn tell(&self, event: Event) {
        // Nobody listens any more when the server ends.
        let _ = self.events.send(event);
    }

    fn compile(&mut self, order: &Order) -> Result<Compiled, Failure> {
        self.forgets |= order.forget;
        let mut project = match &self.place {
            Place::Root(root) => Project::load_in(root, self.workspace.folder.as_deref()),
            Place::File(file) => Project::open(file, self.workspace.folder.as_deref()),
        }
        .map_err(Failure::Project)?;
        let held_back = if order.trusted { Vec::new() } else { self.distrust(&mut project) };
        project.configure(order.settings.config.clone());

        let cache = compile::cache_folder(&project);
        let surroundings = Surroundings { cache, root: project.root.clone(), trusted: order.trusted };
        if self.compiler.as_ref().is_none_or(|(of, _)| *of != surroundings) {
            let Surroundings { cache, root, trusted } = &surroundings;
            // The old one goes first: what it is not trusted with is no rule for the new one.
            self.compiler = None;
            let compiler = Compiler::sharing(&self.toolchain, cache, root, &self.workspace.trusted_as, *trusted);
            self.compiler = Some((surroundings, compiler));
        }
        let build = match &mut self.compiler {
            Some((_, compiler)) => Arc::new(compiler.build(&project)),
            None => Arc::default(),
        };
        self.superseded = !self.superseded && self.stale.load(Ordering::SeqCst);
        if self.superseded {
            return Err(Failure::Superseded);
        }
        let texts = texts_outside(&build);
        if std::mem::take(&mut self.forgets) {
            self.forget(&project, order.generation);
        }
        let campaign = self.campaign(&project, order.paused);
        let rebases = campaign.as_ref().is_some_and(|campaign| self.turns(campaign, &build, &project.config));
        Ok(Compiled { project: Arc::new(project), build, texts, held_back, campaign, rebases })
    }

    /// Leaves out what only a trusted workspace may name, or put on PATH; and tells what that was.
    fn distrust(&self, project: &mut Project) -> Vec<String> {
        let before = project.warnings.len();
        project.distrust(REMEDY);
        let mut held_back: Vec<String> =
            project.warnings[before..].iter().map(|warning| warning.message.clone()).collect();
        held_back.extend(programs_in(&[&project.root, &self.workspace.trusted_as]).into_iter().map(|program| {
            format!(
                "{} is on PATH, and is not run because it is in the workspace, which is not trusted. {REMEDY}",
                program.display()
            )
        }));
        held_back
    }

    /// Forgets findings and corpus: the build that follows begins with nothing.
    fn forget(&mut self, project: &Project, generation: u64) {
        tracing::info!(project = %project.root.display(), "findings and corpus are forgotten");
        self.last = None;
        match &self.campaign {
            Some((_, campaign)) => campaign.forget(generation),
            // What an earlier server kept, where nothing is fuzzed.
            None => drop(archive(&compile::cache_folder(project), &project.root).map(|archive| archive.clear())),
        }
    }

    /// Has the campaign take the settings; whether it has to turn to this build for that, or because it is another one.
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

    /// The campaign that the settings ask for: the one that runs, if it will do.
    fn campaign(&mut self, project: &Project, paused: bool) -> Option<Arc<Campaign>> {
        let run = project.config.run.unwrap_or(Run::OnSave);
        if run == Run::Off {
            // It rests until somebody wants it again, with all that it knows; then it turns to what is there by that time.
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
                "no threads to fuzz with: {error}; close other programs, or set `bellwether.workers` to less than {workers}"
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
        let (id, events) = (self.id, self.events.clone());
        let notice = move |event| drop(events.send(Event::Fuzzed { project: id, event }));
        let options = Options {
            workers,
            seed: seed.unwrap_or_else(any_seed),
            until_quiet: true,
            archive: archive(&cache, &project.root),
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

/// Where corpus and findings outlive the server.
fn archive(cache: &Path, root: &Path) -> Option<Arc<Archive>> {
    let archive = Archive::in_cache(cache, root, Box::new(|words| tracing::warn!("{words}")));
    archive.inspect_err(|error| tracing::error!("no thread to keep the corpus on: {error}")).ok().map(Arc::new)
}

/// Texts of files that are not in the build, but have findings of an earlier one or diagnostics with a place.
fn texts_outside(build: &Build) -> BTreeMap<PathBuf, String> {
    let placed = build.diagnostics.iter().filter(|diagnostic| diagnostic.span.is_some());
    let failed = build.failed.iter().map(|name| build.root.join(name));
    let files: BTreeSet<PathBuf> = placed.map(|diagnostic| diagnostic.file.clone()).chain(failed).collect();
    let outside = files.into_iter().filter(|file| build.source_at(file).is_none());
    outside.filter_map(|file| std::fs::read_to_string(&file).ok().map(|text| (file, text))).collect()
}

/// Runs it; the words of its panic, if it has one.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| super::panic_words(panic.as_ref()))
}

fn half_of_the_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2).max(1)
}
