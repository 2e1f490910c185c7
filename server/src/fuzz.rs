//! `bellwether fuzz`: the engine without an editor.

mod arguments;
mod outcome;
mod progress;
mod text;

pub(crate) use arguments::Arguments;

use crate::output;
use anyhow::{Context, Result};
use arguments::Format;
use bellwether::{
    compile::{Build, Compiler, Severity, default_cache},
    fuzz::{Campaign, Event, Options},
    project::{Level, Project},
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

    let seed = arguments.seed.unwrap_or_else(random_seed);
    let mut outcome = Outcome::new(seed, arguments.workers());
    let roots = arguments.roots()?;
    for root in &roots {
        fuzz_project(arguments, root, seed, roots.len(), &interrupted, &mut outcome)?;
        if interrupted.load(Ordering::SeqCst) || (arguments.fail_fast && outcome.found_something()) {
            break;
        }
    }
    outcome.interrupted = interrupted.load(Ordering::SeqCst);
    if outcome.contracts.is_empty() && outcome.errors.is_empty() && !outcome.interrupted {
        let places = roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ");
        anyhow::bail!(
            "{places}: no contract to fuzz; give a folder with .sol files, or check --contract and `exclude`"
        );
    }

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

/// Fuzzes one project with its share of the budget.
fn fuzz_project(
    arguments: &Arguments,
    given: &Path,
    seed: u64,
    projects: usize,
    interrupted: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<()> {
    let mut project = Project::open(given, None)?;
    project.configure(arguments.config()?);
    if let Some(version) = arguments.evm_version()? {
        project.compiler.evm_version = Some(version);
    }
    let name = project_name(given, &project);
    for warning in &project.warnings {
        output::note(&format!("warning: {warning}"));
    }
    let cache = project.config.cache.as_ref().map_or_else(default_cache, |cache| project.root.join(cache));
    let mut progress = progress::Progress::new(arguments);
    progress.phase(&format!("{name}: compiling"));
    let build = Arc::new(Compiler::new(&cache, &project.root, true).build(&project));
    outcome.errors.extend(compile_errors(&project, &build));

    let (send, events) = mpsc::channel();
    let options = Options {
        workers: arguments.workers(),
        seed,
        executions: arguments.executions.map(|all| all / projects as u64),
        until_quiet: arguments.until_quiet,
        contracts: arguments.contract.clone(),
    };
    let listener = Arc::new(move |event| {
        // Nobody listens any more once the run is over.
        let _ = send.send(event);
    });
    let campaign = Campaign::start(options, listener).context("no thread to fuzz on")?;
    let started = Instant::now();
    campaign.rebase(&build, &project.config, 1);
    let limit = arguments.seconds().map(|seconds| Duration::from_secs(seconds) / projects as u32);
    loop {
        match events.recv_timeout(TICK) {
            Ok(Event::Quiet { .. }) => break,
            Ok(Event::Found { finding, .. }) => {
                progress.found(&finding);
                if arguments.fail_fast && finding.level <= Level::Warning {
                    break;
                }
            }
            Ok(Event::Undeployable { subject, why, .. }) => {
                let contract = subject.compiled();
                let source = subject.build.source(contract.source);
                outcome.errors.push(Problem {
                    file: source.name.clone(),
                    line: source.lines.line(contract.span.start),
                    message: format!("{} cannot be fuzzed: {why}", contract.name),
                });
            }
            Ok(Event::Panicked { contract, report, .. }) => {
                outcome.errors.push(Problem {
                    file: String::new(),
                    line: 0,
                    message: format!("internal error while fuzzing {contract}: {report}"),
                });
            }
            Ok(Event::Fixed { .. }) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        progress.tick(&name, &campaign, started);
        if limit.is_some_and(|limit| started.elapsed() >= limit) || interrupted.load(Ordering::SeqCst) {
            break;
        }
    }
    progress.end();
    campaign.set_paused(true);
    outcome.add(&name, &campaign, started.elapsed());
    campaign.stop();
    Ok(())
}

fn compile_errors(project: &Project, build: &Build) -> Vec<Problem> {
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors
        .map(|diagnostic| {
            // A file that does not compile is not part of the build: read it for its lines.
            let text = std::fs::read_to_string(&diagnostic.file).unwrap_or_default();
            let line = diagnostic.span.map_or(1, |span| bellwether::compile::LineIndex::new(&text).line(span.start));
            Problem { file: project.relative(&diagnostic.file), line, message: diagnostic.message.clone() }
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

fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's randomly seeded hasher is chance enough for a seed that is printed.
    std::collections::hash_map::RandomState::new().build_hasher().finish() >> 16
}
