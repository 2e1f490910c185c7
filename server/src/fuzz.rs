//! `bellwether fuzz`: the engine without an editor.

mod arguments;
mod outcome;
mod progress;
mod target;
mod text;

pub(crate) use arguments::Arguments;

use crate::{output, seed::any_seed};
use anyhow::{Context, Result, bail};
use arguments::Format;
use bellwether::{
    compile::{Build, Compiler, Severity, cache_folder},
    fuzz::{Campaign, Event, Lines},
    project::{Level, Project},
    subject::Subject,
};
use outcome::{Outcome, Problem};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

/// How often a run looks at the clock and shows how far it is.
const TICK: Duration = Duration::from_millis(100);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    arguments.refuse_unknown()?;
    arguments.config()?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst)).context("cannot listen for Ctrl-C")?;

    let seed = arguments.seed.unwrap_or_else(any_seed);
    let mut outcome = Outcome::new(seed, arguments.workers());
    outcome.targeted = !arguments.wanted()?.is_empty();
    let roots = arguments.roots()?;
    let prepared = roots.iter().map(|root| Prepared::new(arguments, root, &mut outcome)).collect::<Result<Vec<_>>>()?;
    let prepared = target::choose(arguments, prepared)?;
    let mut left: u64 = prepared.iter().map(|prepared| prepared.contracts).sum();
    if left == 0 && outcome.errors.is_empty() && outcome.targeted {
        output::note("no line with code differs from git HEAD: nothing to fuzz");
    } else if left == 0 && outcome.errors.is_empty() {
        let places = roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ");
        bail!("{places}: no contract to fuzz; give a folder with .sol files, or check --contract and `exclude`");
    }
    let mut budget = Budget { executions: arguments.executions, time: arguments.seconds().map(Duration::from_secs) };
    for prepared in prepared.iter().filter(|prepared| prepared.contracts > 0) {
        // What the projects before did not use goes to those that come.
        let share = budget.share(prepared.contracts, left);
        left -= prepared.contracts;
        let (executions, time) = prepared.fuzz(arguments, seed, &share, &interrupted, &mut outcome)?;
        budget.spend(executions, time);
        if interrupted.load(Ordering::SeqCst) || (arguments.fail_fast && outcome.found_something()) {
            break;
        }
    }
    outcome.interrupted = interrupted.load(Ordering::SeqCst);

    if let Some(folder) = &arguments.findings {
        outcome.save_findings(folder)?;
    }
    let report = match arguments.format {
        Format::Json => serde_json::to_string_pretty(&outcome.to_json())?,
        Format::Text => text::render(&outcome, arguments.color()),
    };
    match &arguments.out {
        Some(file) => {
            std::fs::write(file, report + "\n").with_context(|| format!("{} cannot be written", file.display()))?;
        }
        None => output::line(report.trim_end()),
    }
    Ok(outcome.exit_code())
}

/// What a run may still use.
#[derive(Debug, Clone, Copy)]
struct Budget {
    executions: Option<u64>,
    time: Option<Duration>,
}

impl Budget {
    /// The share of `contracts` contracts, if it is for `all` in all.
    fn share(&self, contracts: u64, all: u64) -> Self {
        let of = |whole: u64| (u128::from(whole) * u128::from(contracts) / u128::from(all.max(1))) as u64;
        Self {
            executions: self.executions.map(of),
            time: self.time.map(|time| Duration::from_micros(of(time.as_micros() as u64))),
        }
    }

    fn spend(&mut self, executions: u64, time: Duration) {
        self.executions = self.executions.map(|left| left.saturating_sub(executions));
        self.time = self.time.map(|left| left.saturating_sub(time));
    }
}

/// A project that was compiled.
struct Prepared {
    /// Its root as it was given.
    name: String,
    project: Project,
    build: Arc<Build>,
    /// How many contracts are to be fuzzed.
    contracts: u64,
    /// Which, where not all: as `--contract` names them.
    chosen: Option<Vec<String>>,
    /// What is to be reached.
    targets: Vec<Lines>,
}

impl Prepared {
    fn new(arguments: &Arguments, given: &Path, outcome: &mut Outcome) -> Result<Self> {
        let mut project = Project::open(given, None)?;
        project.configure(arguments.config()?);
        if let Some(version) = arguments.evm_version()? {
            project.compiler.evm_version = Some(version);
        }
        let name = project_name(given, &project);
        for warning in &project.warnings {
            output::note(&format!("warning: {warning}"));
        }
        let cache = cache_folder(&project);
        progress::Progress::new(arguments).phase(&format!("{name}: compiling"));
        let build = Arc::new(Compiler::new(&cache, &project.root, true).build(&project));
        outcome.errors.extend(compile_errors(&name, &project, &build));
        let contracts = arguments.options(0, None)?.contracts_of(&build).len() as u64;
        Ok(Self { name, project, build, contracts, chosen: None, targets: Vec::new() })
    }

    /// Fuzzes until the share is spent; how much was, in transactions and time.
    fn fuzz(
        &self,
        arguments: &Arguments,
        seed: u64,
        share: &Budget,
        interrupted: &AtomicBool,
        outcome: &mut Outcome,
    ) -> Result<(u64, Duration)> {
        let (send, events) = mpsc::channel();
        let listener = Arc::new(move |event| {
            // Nobody listens any more once the run is over.
            let _ = send.send(event);
        });
        let mut options = arguments.options(seed, share.executions)?;
        options.targets.clone_from(&self.targets);
        if let Some(chosen) = &self.chosen {
            options.contracts.clone_from(chosen);
        }
        let campaign = Campaign::start(options, listener).context("no thread to fuzz on")?;
        let mut progress = progress::Progress::new(arguments);
        let started = Instant::now();
        campaign.rebase(&self.build, &self.project.config, 1);
        loop {
            match events.recv_timeout(TICK) {
                Ok(Event::Quiet { .. }) | Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Ok(Event::Found { finding, .. }) => {
                    progress.found(&finding);
                    if arguments.fail_fast && finding.level <= Level::Warning {
                        break;
                    }
                }
                Ok(event) => self.note(event, outcome),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            progress.tick(&self.name, &campaign, started);
            if share.time.is_some_and(|time| started.elapsed() >= time) || interrupted.load(Ordering::SeqCst) {
                break;
            }
        }
        progress.end();
        let elapsed = started.elapsed();
        // A finding that is just being shrunk is still waited for.
        campaign.settle();
        events.try_iter().for_each(|event| self.note(event, outcome));
        let executions = outcome.add(&self.name, &campaign, elapsed);
        campaign.stop();
        Ok((executions, elapsed))
    }

    /// What went wrong becomes an error of the result.
    fn note(&self, event: Event, outcome: &mut Outcome) {
        let mut about = |subject: &Subject, said: String| {
            let contract = subject.compiled();
            let source = subject.build.source(contract.source);
            outcome.errors.push(Problem {
                project: self.name.clone(),
                file: source.name.clone(),
                line: source.lines.line(contract.span.start),
                message: format!("{} {said}", contract.name),
            });
        };
        match event {
            Event::Undeployable { subject, why, .. } => about(&subject, format!("cannot be fuzzed: {why}")),
            Event::Oversized { subject, what, .. } => {
                about(&subject, format!("is fuzzed, but cannot be deployed on a chain: {what}"));
            }
            Event::Panicked { contract, report, .. } => outcome.errors.push(Problem {
                project: self.name.clone(),
                file: String::new(),
                line: 0,
                message: format!("internal error while fuzzing {contract}: {report}"),
            }),
            Event::Found { .. } | Event::Fixed { .. } | Event::Quiet { .. } => {}
        }
    }
}

fn compile_errors(name: &str, project: &Project, build: &Build) -> Vec<Problem> {
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors
        .map(|diagnostic| {
            // A file that does not compile is not part of the build: read it for its lines.
            let text = std::fs::read_to_string(&diagnostic.file).unwrap_or_default();
            let line = diagnostic.span.map_or(1, |span| bellwether::compile::LineIndex::new(&text).line(span.start));
            Problem {
                project: name.to_owned(),
                file: project.relative(&diagnostic.file),
                line,
                message: diagnostic.message.clone(),
            }
        })
        .collect()
}

/// The root as it was given: `fixtures/vault`.
fn project_name(given: &Path, project: &Project) -> String {
    let folder = if given.is_file() { given.parent().unwrap_or(Path::new(".")) } else { given };
    let same = std::fs::canonicalize(folder).ok() == std::fs::canonicalize(&project.root).ok();
    let shown =
        if same && !folder.as_os_str().is_empty() { folder.to_owned() } else { relative_to_here(&project.root) };
    shown.to_string_lossy().replace('\\', "/")
}

fn relative_to_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(inside) if inside.as_os_str().is_empty() => PathBuf::from("."),
        Ok(inside) => inside.to_owned(),
        Err(_) => path.to_owned(),
    }
}
