//! What a session that never starts over is worth after a save: `cargo bench --bench edits`.
//!
//! A contract without a defect is fuzzed for a while; then one of twelve [edits](list) brings a defect in. What is measured
//! is what it takes from the build to the finding, in transactions and in time, and from the build that takes the edit back
//! until the finding is gone; and beside it what it takes a session that starts from nothing. Compiling is told apart: it
//! is the same for both. `--seeds N` takes other than 24 seeds; names of contracts narrow it.

mod list;
#[path = "../support/mod.rs"]
mod support;

use bellwether::{
    compile::{Build, Compiler, default_cache},
    finding::Finding,
    fuzz::{Campaign, Event, Options},
    project::{Config, Project},
};
use list::{EDITS, Edit};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};
use support::{report::line, statistics::median};
use tempfile::TempDir;

const SEEDS: u64 = 24;
/// What a session has learned before the edit.
const LEARNED: u64 = 50_000;
/// A defect that was not found in so many transactions is given up.
const CAP: u64 = 1_000_000;
/// How often is looked how far a campaign is.
const TICK: Duration = Duration::from_millis(1);

/// A copy of a fixture that can be edited, and its compiler, which stays as it does in the server.
struct Desk {
    folder: TempDir,
    compiler: Compiler,
    file: PathBuf,
    sound: String,
    edit: Edit,
}

impl Desk {
    fn new(edit: Edit) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        copy(&support::fixture(edit.project), folder.path());
        let file = folder.path().join(edit.file);
        let sound = std::fs::read_to_string(&file).expect("the fixture is readable");
        assert!(sound.contains(edit.sound), "{}: {} is not there", edit.file, edit.sound);
        let compiler = Compiler::new(&default_cache(), folder.path(), true);
        Self { folder, compiler, file, sound, edit }
    }

    /// Saves the file with the defect or without, and compiles it. What is compiled was not compiled before, as `mark` says.
    fn save(&mut self, defective: bool, mark: &str) -> (Arc<Build>, Duration) {
        let text =
            if defective { self.sound.replace(self.edit.sound, self.edit.defective) } else { self.sound.clone() };
        std::fs::write(&self.file, format!("{text}// {mark}\n")).expect("the copy is writable");
        let project = Project::load(self.folder.path()).expect("a project loads");
        let started = Instant::now();
        let build = Arc::new(self.compiler.build(&project));
        assert!(!build.has_errors(), "{:#?}", build.diagnostics);
        (build, started.elapsed())
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the fixture is there").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&target).expect("the copy is writable");
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("the copy is writable");
        }
    }
}

/// A campaign on one contract, and what it tells, with the time.
struct Fuzzing {
    campaign: Campaign,
    events: mpsc::Receiver<(Instant, Event)>,
    generation: u64,
}

/// What a defect took.
#[derive(Clone, Copy)]
struct Found {
    /// Transactions since the build; none if it was not found.
    executions: Option<u64>,
    /// From when the build was there.
    took: Duration,
    /// Of the transactions, those that were only run again.
    rerun: u64,
}

impl Fuzzing {
    fn start(seed: u64, contract: &str) -> Self {
        let (send, events) = mpsc::channel();
        let options =
            Options { workers: 1, seed, until_quiet: true, contracts: vec![contract.to_owned()], ..Options::default() };
        let listener = Arc::new(move |event| drop(send.send((Instant::now(), event))));
        Self { campaign: Campaign::start(options, listener).expect("a thread to fuzz on"), events, generation: 0 }
    }

    fn executions(&self) -> u64 {
        self.campaign.progress().iter().map(|progress| progress.executions).sum()
    }

    /// Turns to a build and rests; how many transactions were counted already, and how long turning took.
    fn turn(&mut self, build: &Arc<Build>) -> (u64, Duration) {
        self.campaign.pause_and_wait();
        self.events.try_iter().for_each(drop);
        self.generation += 1;
        let started = Instant::now();
        self.campaign.rebase(build, &Config::default(), self.generation);
        (self.executions(), started.elapsed())
    }

    /// Fuzzes for so many transactions, or until nothing new is found.
    fn learn(&self, executions: u64) {
        self.campaign.set_paused(false);
        while self.executions() < executions {
            if let Ok((_, Event::Quiet { .. })) = self.events.recv_timeout(TICK) {
                break;
            }
        }
    }

    /// Turns to a build and fuzzes until its defect is found.
    fn find(&mut self, build: &Arc<Build>, edit: Edit) -> Found {
        let (before, turned) = self.turn(build);
        let started = Instant::now();
        self.campaign.set_paused(false);
        loop {
            match self.events.recv_timeout(TICK) {
                Ok((at, Event::Found { finding, .. })) if is_wanted(&finding, build, edit) => {
                    let executions = Some(finding.discovery.executions.saturating_sub(before));
                    return self.found(executions, turned + at.saturating_duration_since(started));
                }
                Ok((_, Event::Quiet { .. })) => return self.found(None, turned + started.elapsed()),
                _ if self.executions() > before + CAP => {
                    return self.found(None, turned + started.elapsed());
                }
                _ => {}
            }
        }
    }

    fn found(&self, executions: Option<u64>, took: Duration) -> Found {
        Found { executions, took, rerun: self.campaign.progress().iter().map(|progress| progress.rerun).sum() }
    }

    /// Turns to a build in which nothing is wrong; how long it took until that was told.
    fn clear(&mut self, build: &Arc<Build>) -> Duration {
        let (_, took) = self.turn(build);
        assert!(self.campaign.findings().is_empty(), "nothing is wrong any more");
        took
    }
}

fn is_wanted(finding: &Finding, build: &Build, edit: Edit) -> bool {
    let text = build.source(finding.violation.place.source).text.lines().nth(finding.lines.line as usize - 1);
    finding.violation.oracle == edit.oracle && text.is_some_and(|text| text.trim_start().starts_with(edit.line))
}

/// What one edit came to, by seed.
#[derive(Default)]
struct Row {
    session: Vec<Found>,
    nothing: Vec<Found>,
    cleared: Vec<Duration>,
    compiled: Vec<Duration>,
}

fn measure(edit: Edit, seeds: u64) -> Row {
    let mut desk = Desk::new(edit);
    let mut row = Row::default();
    // The first build loads the compiler.
    let _ = desk.save(false, "first");
    for seed in 1..=seeds {
        let mut fuzzing = Fuzzing::start(seed, edit.contract);
        let (sound, _) = desk.save(false, &format!("{seed}, sound"));
        fuzzing.turn(&sound);
        fuzzing.learn(LEARNED);
        let (defective, compiled) = desk.save(true, &format!("{seed}, defective"));
        row.compiled.push(compiled);
        row.session.push(fuzzing.find(&defective, edit));
        let (sound, compiled) = desk.save(false, &format!("{seed}, sound again"));
        row.compiled.push(compiled);
        row.cleared.push(fuzzing.clear(&sound));
        fuzzing.campaign.stop();
        let mut fresh = Fuzzing::start(seed, edit.contract);
        row.nothing.push(fresh.find(&defective, edit));
        fresh.campaign.stop();
    }
    row
}

impl Row {
    fn line(&self, edit: Edit) -> String {
        let executions = |found: &[Found]| {
            let count = found.iter().filter(|found| found.executions.is_some()).count();
            let median = median(found.iter().map(|found| found.executions.unwrap_or(CAP) as f64).collect());
            (median, if count == found.len() { String::new() } else { format!(" ({count}/{})", found.len()) })
        };
        let ((session, of), (nothing, from)) = (executions(&self.session), executions(&self.nothing));
        let rerun = median(self.session.iter().map(|found| found.rerun as f64).collect());
        format!(
            "| {}: {} | {session:.0}{of} | {rerun:.0} | {nothing:.0}{from} | {:.1} | {} | {} | {} |",
            edit.contract,
            edit.title,
            nothing / session.max(1.0),
            times(&self.session),
            times(&self.nothing),
            milliseconds(&self.cleared),
        )
    }
}

/// What they took, in words.
fn times(found: &[Found]) -> String {
    milliseconds(&found.iter().map(|found| found.took).collect::<Vec<_>>())
}

/// Half of them are at most this, and 95 of a hundred that.
fn milliseconds(times: &[Duration]) -> String {
    let mut times = times.to_vec();
    times.sort_unstable();
    let percentile = |percent: usize| times[(times.len() * percent).div_ceil(100).max(1) - 1].as_secs_f64() * 1e3;
    format!("{:.1}–{:.1}", percentile(50), percentile(95))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seeds = arguments.iter().skip_while(|word| *word != "--seeds").nth(1).and_then(|number| number.parse().ok());
    let wanted = |edit: &&Edit| {
        let named = |word: &String| EDITS.iter().any(|edit| edit.contract == word);
        !arguments.iter().any(named) || arguments.iter().any(|word| word == edit.contract)
    };
    line(
        "| edit | executions to the finding, session | of them run again | from nothing | ratio | found, ms, p50–p95 | from nothing | cleared |",
    );
    line("|---|---|---|---|---|---|---|---|");
    let mut all = Row::default();
    for edit in EDITS.iter().filter(wanted) {
        let row = measure(*edit, seeds.unwrap_or(SEEDS));
        line(&row.line(*edit));
        all.session.extend(&row.session);
        all.nothing.extend(&row.nothing);
        all.cleared.extend(&row.cleared);
        all.compiled.extend(&row.compiled);
    }
    line(&format!(
        "\nAll: found {} ms, from nothing {} ms, cleared {} ms; compiling {} ms (p50–p95).",
        times(&all.session),
        times(&all.nothing),
        milliseconds(&all.cleared),
        milliseconds(&all.compiled),
    ));
}
