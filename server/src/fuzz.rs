//! `bellwether fuzz`: the engine without an editor.

mod arguments;
mod outcome;
mod progress;
mod support;
mod target;
mod text;

pub(crate) use arguments::Arguments;

use crate::{output, seed::any_seed, trust};
use anyhow::{Context, Result, bail};
use arguments::Format;
use bellwether::{
    compile::{self, Build, Compiler, ContractId, LeftOut, LineIndex, Timeouts, Toolchain, cache_folder},
    corpus::store::CorpusStore,
    fuzz::{Campaign, Event, Lines},
    project::{Level, Project, read_text},
};
use outcome::{Contract, Kind, Outcome, Problem};
use progress::Progress;
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
/// Why a contract had no turn, where nothing else is the reason.
const TOO_LITTLE: &str = "the run ended before its turn; allow more `--executions` or `--seconds`";

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    arguments.check()?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    let toolchain = Toolchain::waiting(Timeouts::default());
    let compilers = toolchain.clone();
    let interrupt = move || {
        flag.store(true, Ordering::SeqCst);
        // They do not hear of it themselves.
        compilers.stop();
    };
    ctrlc::set_handler(interrupt).context("cannot listen for Ctrl-C")?;

    if let Some(folder) = &arguments.corpus {
        CorpusStore::check_folder(folder).with_context(|| {
            format!("--corpus {}: cannot be written; give a folder that can, or that can be made", folder.display())
        })?;
    }
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let mut outcome = Outcome::new(seed, arguments.workers());
    outcome.targeted = !arguments.wanted()?.is_empty();
    let roots = arguments.roots()?;
    let alone = roots.len() == 1;
    let prepare = |root: &PathBuf| Prepared::new(arguments, &toolchain, root, alone, &mut outcome);
    let prepared = roots.iter().map(prepare).collect::<Result<Vec<_>>>()?;
    let prepared = target::choose(arguments, prepared)?;
    let mut left: u64 = prepared.iter().map(|prepared| prepared.contracts).sum();
    if left == 0 && outcome.errors.is_empty() && outcome.targeted {
        output::note("no line with code differs from git HEAD: nothing to fuzz");
    } else if left == 0 && outcome.errors.is_empty() {
        let places = roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ");
        bail!("{places}: no contract to fuzz; give a folder with .sol files, or check --contract and `exclude`");
    }
    let mut budget = Budget { executions: arguments.executions, time: arguments.seconds().map(Duration::from_secs) };
    let mut ended: Option<&str> = None;
    for prepared in prepared.iter().filter(|prepared| prepared.contracts > 0) {
        if let Some(why) = ended {
            prepared.skip(arguments, why, &mut outcome)?;
            continue;
        }
        // What the projects before did not use goes to those that come.
        let share = budget.share(prepared.contracts, left);
        left -= prepared.contracts;
        let (executions, time) = prepared.fuzz(arguments, seed, &share, &interrupted, &mut outcome)?;
        budget.spend(executions, time);
        ended = why_ended(arguments, &interrupted, &outcome);
    }
    outcome.interrupted = interrupted.load(Ordering::SeqCst);
    if outcome.contracts.is_empty() && outcome.errors.is_empty() && !outcome.targeted {
        bail!("nothing to fuzz: there is no contract with a function that can be called");
    }
    report(arguments, &outcome)?;
    Ok(outcome.exit_code())
}

/// Why a run has to end before all of its projects had their turn, if it has to.
fn why_ended(arguments: &Arguments, interrupted: &AtomicBool, outcome: &Outcome) -> Option<&'static str> {
    if interrupted.load(Ordering::SeqCst) {
        Some("the run was interrupted before its turn")
    } else if arguments.fail_fast && outcome.found_something() {
        Some("the run stopped at its first finding (`--fail-fast`), before this contract's turn")
    } else {
        None
    }
}

/// Writes what the run came to.
fn report(arguments: &Arguments, outcome: &Outcome) -> Result<()> {
    if let Some(folder) = &arguments.findings {
        outcome.save_findings(folder)?;
    }
    let report = match arguments.format {
        Format::Json => serde_json::to_string_pretty(&outcome.to_json())?,
        Format::Text => text::render(outcome, arguments.color()),
    };
    match &arguments.out {
        Some(file) => crate::user_file::write(file, &(report + "\n"))
            .with_context(|| format!("{} cannot be written", file.display())),
        None => {
            output::line(report.trim_matches('\n'));
            Ok(())
        }
    }
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
    /// Whether there is no other project in this run.
    alone: bool,
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
    fn new(
        arguments: &Arguments,
        toolchain: &Toolchain,
        given: &Path,
        alone: bool,
        outcome: &mut Outcome,
    ) -> Result<Self> {
        let mut project = trust::open(given, arguments.trust)?;
        arguments.configure(&mut project)?;
        let name = project_name(given, &project);
        trust::tell_warnings(&project);
        let cache = cache_folder(&project);
        let progress = Progress::new(arguments, &name, alone);
        let compiler = Compiler::sharing(toolchain, &cache, &project.root, &project.root, arguments.trust);
        let build = Arc::new(compiler.with_listener(progress.compiling()).build(&project));
        progress.end();
        outcome.errors.extend(compile_errors(&name, &project, &build));
        build.notes.iter().for_each(|note| output::note(&format!("note: {name}/{note}")));
        let contracts = arguments.options(0, None)?.contracts_of(&build).len() as u64;
        Ok(Self { name, alone, project, build, contracts, chosen: None, targets: Vec::new() })
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
        options.archive = self.archive(arguments)?;
        let campaign = Campaign::start(options, listener).context("no thread to fuzz on")?;
        let mut progress = Progress::new(arguments, &self.name, self.alone);
        let started = Instant::now();
        campaign.rebase(&self.build, &self.project.config, 1);
        // Who ends waits for the workers to rest, since what was found is still shrunk; who interrupts does not.
        while !interrupted.load(Ordering::SeqCst) {
            match events.recv_timeout(TICK) {
                Ok(Event::Quiet { .. }) | Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Ok(Event::Found { finding, .. }) => {
                    progress.found(&self.name, &finding);
                    if arguments.fail_fast && finding.level <= Level::Warning {
                        campaign.end();
                    }
                }
                Ok(event) => self.note(event, outcome),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            progress.tick(&campaign, outcome, started);
            if share.time.is_some_and(|time| started.elapsed() >= time) {
                campaign.end();
            }
        }
        let elapsed = started.elapsed();
        // A finding that is just being confirmed is still waited for.
        campaign.pause_and_wait();
        for event in events.try_iter() {
            match event {
                Event::Found { finding, .. } => progress.found(&self.name, &finding),
                event => self.note(event, outcome),
            }
        }
        progress.end();
        outcome.notes.extend(support::note(&self.name, &self.project.config.products(), &campaign.progress()));
        let waited = why_ended(arguments, interrupted, outcome).unwrap_or(TOO_LITTLE);
        let executions = outcome.add(&self.name, &campaign, elapsed, waited);
        campaign.stop();
        Ok((executions, elapsed))
    }

    /// None of its contracts has its turn.
    fn skip(&self, arguments: &Arguments, why: &str, outcome: &mut Outcome) -> Result<()> {
        let mut options = arguments.options(0, None)?;
        if let Some(chosen) = &self.chosen {
            options.contracts.clone_from(chosen);
        }
        for id in options.contracts_of(&self.build) {
            let abi = &self.build.contract(id).abi;
            if !abi.functions.is_empty() || abi.receive.is_some() || abi.fallback.is_some() {
                outcome.contracts.push(Contract::not_fuzzed(&self.name, &self.build, id, why.to_owned()));
            }
        }
        Ok(())
    }

    /// Where its corpus and findings are kept, if that was asked for.
    fn archive(&self, arguments: &Arguments) -> Result<Option<Arc<CorpusStore>>> {
        let Some(folder) = &arguments.corpus else { return Ok(None) };
        let folder = folder.join(self.place());
        let warn = Box::new(|words: &str| output::note(&format!("warning: {words}")));
        let archive = CorpusStore::in_folder(&folder, &self.name, warn).context("no thread to keep the corpus on")?;
        Ok(Some(Arc::new(archive)))
    }

    /// Its folder in a corpus folder: where it is below the current one, so that it is the same on every machine.
    fn place(&self) -> PathBuf {
        let whole = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (here, root) = (std::env::current_dir().unwrap_or_default(), whole(&self.project.root));
        match root.strip_prefix(whole(&here)) {
            Ok(inside) => inside.to_owned(),
            // Elsewhere, two may have one name.
            Err(_) => compile::project_folder(Path::new(""), Path::new(&self.name)),
        }
    }

    /// What went wrong becomes an error of the result.
    fn note(&self, event: Event, outcome: &mut Outcome) {
        let about = |build: &Build, contract: ContractId, kind: Kind, said: String| {
            let contract = build.contract(contract);
            let source = build.source(contract.source);
            Problem {
                kind,
                project: self.name.clone(),
                file: source.name.clone(),
                line: source.lines.line(contract.span.start),
                message: format!("{} {said}", contract.name),
            }
        };
        let problem = match event {
            Event::Undeployable { subject, why, .. } => {
                about(&subject.build, subject.contract, Kind::NotFuzzed, format!("cannot be fuzzed: {why}"))
            }
            Event::Unlinkable { build, contract, why, .. } => {
                outcome.contracts.push(Contract::not_fuzzed(&self.name, &build, contract, why.clone()));
                about(&build, contract, Kind::NotFuzzed, format!("cannot be fuzzed: {why}"))
            }
            Event::Oversized { subject, what, .. } => {
                let said = format!("is fuzzed, but cannot be deployed on a chain: {what}");
                about(&subject.build, subject.contract, Kind::Note, said)
            }
            Event::Panicked { contract, report, .. } => Problem {
                kind: Kind::Internal,
                project: self.name.clone(),
                file: String::new(),
                line: 0,
                message: format!("internal error while fuzzing {contract}: {report}"),
            },
            Event::Found { .. } | Event::Shrunk { .. } | Event::Fixed { .. } | Event::Quiet { .. } => return,
        };
        outcome.errors.push(problem);
    }
}

/// Why files are not part of the build, one problem for each reason.
fn compile_errors(name: &str, project: &Project, build: &Build) -> Vec<Problem> {
    let problem = |reason: &LeftOut| {
        // A file that does not compile is not part of the build: it is read for its lines.
        let text = reason.span.and_then(|_| read_text(&reason.file).ok()).unwrap_or_default();
        let line = reason.span.map_or(1, |span| LineIndex::new(&text).line(span.start));
        let is_root = reason.file == project.root;
        Problem {
            kind: Kind::Compiling,
            project: name.to_owned(),
            file: if is_root { String::new() } else { project.relative(&reason.file) },
            line: if is_root { 0 } else { line },
            message: reason.message.clone(),
        }
    };
    build.left_out.iter().map(problem).collect()
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
