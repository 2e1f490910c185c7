//! `bellwether fuzz`: the engine without an editor.

mod arguments;
mod budget;
mod changed;
mod cost;
mod known;
mod news;
mod prepared;
mod progress;
mod target;
mod wanted;

pub(crate) use arguments::Arguments;

use crate::{
    exchange::{Account, Joined, Machine, News},
    output,
    seed::any_seed,
    user_file,
};
use anyhow::{Context, Result, bail};
use arguments::Format;
use bellwether::{
    compile::{Timeouts, Toolchain},
    corpus::store::CorpusStore,
    finding::Finding,
    report::{Report, ReportedFinding},
};
use budget::Budget;
use known::{Baseline, ChangedLines, known};
use prepared::{Prepared, Run};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// How long a contract waits for what other machines know of it before it is fuzzed; chosen by hand.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    arguments.check()?;
    let start = Instant::now();
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
            format!("--corpus {}: cannot be written; give a folder that can be written or created", folder.display())
        })?;
    }
    let baseline = Baseline::read(arguments)?;
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let mut joined = join(arguments, seed, start)?;
    // With one seed, machines would all do the same.
    let seed = seed.wrapping_add(joined.as_ref().map_or(0, |joined| u64::from(joined.number())));
    let mut report = Report::new(seed, arguments.workers());
    report.targeted = !arguments.wanted()?.is_empty();
    report.only_new = baseline.is_some() || arguments.new_since.is_some();
    let roots = arguments.roots()?;
    let alone = roots.len() == 1;
    let prepare = |root: &PathBuf| Prepared::new(arguments, &toolchain, root, alone, &mut report);
    let prepared = roots.iter().map(prepare).collect::<Result<Vec<_>>>()?;
    let prepared = target::choose(arguments, prepared)?;
    let changes = prepared.iter().map(|project| ChangedLines::read(arguments, &project.project.root));
    let changes = changes.collect::<Result<Vec<_>>>()?;
    let mut left: u64 = prepared.iter().map(|prepared| prepared.contracts).sum();
    if left == 0 && report.errors.is_empty() && report.targeted {
        output::note("no line with code differs from git HEAD: nothing to fuzz");
    } else if left == 0 && report.errors.is_empty() {
        let places = roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ");
        let why = if prepared.iter().any(Prepared::has_only_parts) {
            "there are only interfaces, libraries and abstract contracts; write a contract that inherits or calls them"
        } else {
            "give a folder with .sol files, or check --contract and `exclude`"
        };
        bail!("{places}: no contract to fuzz: {why}");
    }
    let mut news = news::News::new(seed);
    let mut budget = Budget { executions: arguments.executions, time: arguments.time(start.elapsed()) };
    for (prepared, changes) in prepared.iter().zip(&changes).filter(|(prepared, _)| prepared.contracts > 0) {
        let known = |finding: &Finding| known(baseline.as_ref(), changes.as_ref(), finding);
        let run = Run { arguments, seed, interrupted: &interrupted, known: &known, joined: joined.as_ref() };
        if let Some(why) = run.why_ended(&report) {
            prepared.skip(arguments, why, &mut report)?;
            continue;
        }
        // What the projects before did not use goes to those that come.
        if let Some(time) = run.affordable().filter(|_| left > prepared.contracts) {
            budget.allow(time);
        }
        let share = budget.share(prepared.contracts, left);
        left -= prepared.contracts;
        let (executions, time) = prepared.fuzz(&run, &share, &mut news, &mut report)?;
        budget.spend(executions, time);
    }
    report.interrupted = interrupted.load(Ordering::SeqCst);
    if report.contracts.is_empty() && report.errors.is_empty() && !report.targeted {
        bail!("nothing to fuzz: there is no contract with a function that can be called");
    }
    if let Some(joined) = &mut joined {
        joined.leave();
        report.exchange = Some(joined.counts());
    }
    write(arguments, &report)?;
    Ok(exit_code(&report))
}

/// Joins the machines that share what they find, if that was asked for.
fn join(arguments: &Arguments, seed: u64, start: Instant) -> Result<Option<Joined>> {
    let Some(address) = &arguments.join else { return Ok(None) };
    let machine = Machine {
        id: format!("{:012x}", any_seed()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        workers: arguments.workers(),
        ..Machine::default()
    };
    let tell = Box::new(|news: &News| match news {
        News::Trouble(words) | News::Reached(words) => output::note(&format!("warning: --join {words}")),
        News::Arrived => {}
    });
    let account = arguments.max_cost.map(|limit| Account::new(machine.id.clone(), limit.price, start));
    Joined::join(address, PATIENCE, machine, account, tell).map(Some).map_err(|error| error.context("--join"))
}

/// Writes the report, and its findings, to where the command line says.
fn write(arguments: &Arguments, report: &Report) -> Result<()> {
    if let Some(folder) = &arguments.findings {
        write_findings(&report.findings, folder)?;
    }
    if let Some(file) = &arguments.lcov {
        write_file(file, &report.to_lcov())?;
    }
    if let Some(file) = &arguments.html {
        write_file(file, &report.to_html())?;
    }
    let text = match arguments.format {
        Format::Json => serde_json::to_string_pretty(&report.to_json())?,
        Format::Sarif => serde_json::to_string_pretty(&report.to_sarif())?,
        Format::Junit => report.to_junit().trim_end().to_owned(),
        Format::Text => report.to_text(arguments.color()),
    };
    match &arguments.out {
        Some(file) => write_file(file, &(text + "\n")),
        None => {
            output::line(text.trim_matches('\n'));
            Ok(())
        }
    }
}

fn write_file(file: &Path, text: &str) -> Result<()> {
    user_file::write(file, text).with_context(|| format!("{} cannot be written", file.display()))
}

/// Writes one FINDING.json for each finding, named by its id.
fn write_findings(findings: &[ReportedFinding], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    for reported in findings {
        let file = folder.join(format!("{}.json", reported.finding.id));
        let text = serde_json::to_string_pretty(&reported.to_json())? + "\n";
        write_file(&file, &text)?;
    }
    Ok(())
}

/// 0 nothing found, 1 something found, 2 nothing that was asked for could be fuzzed, 130 interrupted.
fn exit_code(report: &Report) -> ExitCode {
    if report.interrupted {
        ExitCode::from(130)
    } else if report.found_something() {
        ExitCode::from(1)
    } else if report.nothing_ran() {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}
