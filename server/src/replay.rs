//! `bellwether replay` and `bellwether test`: what a saved finding is good for.

use crate::{committed::Committed, output, trust, user_file};
use anyhow::{Context, Result, anyhow, bail};
use bellwether::{
    code::Programs,
    compile::{Compiler, cache_folder},
    finding::{
        Finding, FindingError, LAST_COMMIT, Saved, TestChange, describe, last_violations, regression_path,
        regression_test, regression_test_at, trace, upgrade_findings,
    },
    harness::Harness,
    input::Sequence,
    oracle::{self, OracleSet},
    project::Project,
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

/// Options of `bellwether replay`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A finding, as `bellwether fuzz --findings` wrote it
    #[arg(value_name = "FINDING.json")]
    file: PathBuf,
    /// The project's folder [default: the one that the finding names, if it is below the current folder]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Show every call, with the calls inside it: arguments, results, events, and what was read and written
    #[arg(long)]
    trace: bool,
    /// Run and use what the project itself names: `solc` as a path, `cache`, and compilers inside the project
    #[arg(long)]
    trust: bool,
}

/// Options of `bellwether test`.
#[derive(Debug, clap::Args)]
pub(crate) struct TestArguments {
    /// A finding, or a folder of findings, as `bellwether fuzz --findings` wrote it
    #[arg(value_name = "FINDING.json|DIR")]
    file: PathBuf,
    /// The project's folder [default: the one that the finding names, if it is below the current folder]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// The file that the test goes to; for a folder of findings, the folder that the tests go to [default: the project's test folder]
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// Run and use what the project itself names: `solc` as a path, `cache`, and compilers inside the project
    #[arg(long)]
    trust: bool,
}

/// Runs a saved finding again.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let replayed = Replayed::of(&arguments.file, arguments.project.as_deref(), arguments.trust)?;
    match &replayed.finding {
        Some(finding) => {
            output::line(&format!("still fails: {}:{}: {}", finding.file, finding.lines.line, finding.message));
            if arguments.trace {
                output::line(finding.trace().trim_end());
            }
            Ok(ExitCode::SUCCESS)
        }
        None => {
            output::line(&format!(
                "no longer fails: {} at {}:{}",
                replayed.saved.oracle, replayed.saved.file, replayed.saved.line
            ));
            if arguments.trace {
                output::line(trace(&replayed.harness, &replayed.sequence).trim_end());
            }
            Ok(ExitCode::from(1))
        }
    }
}

/// A saved finding on the project as it is now.
struct Replayed {
    saved: Saved,
    finding: Option<Finding>,
    harness: Arc<Harness>,
    sequence: Sequence,
    project: Project,
}

impl Replayed {
    fn of(file: &Path, project: Option<&Path>, trusted: bool) -> Result<Self> {
        let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let json = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))?;
        let saved = Saved::read(&json).with_context(|| file.display().to_string())?;
        let project = project_of(&saved, file, project, trusted)?;
        trust::tell_warnings(&project);
        let cache = cache_folder(&project);
        let build = Arc::new(Compiler::new(&cache, &project.root, trusted).build(&project));
        if build.failed.contains(&saved.contract_file) {
            let why = build.diagnostics.first().map_or("", |diagnostic| diagnostic.message.as_str());
            bail!("{} does not compile: {why}; repair it and replay again", saved.contract_file);
        }
        let is_gone = |error: FindingError| {
            anyhow!(
                "{}: {error}; if the project is in another folder, name it with --project DIR",
                project.root.display()
            )
        };
        let contract = saved.contract(&build).map_err(is_gone)?;
        let suite = saved.suite(&build).map_err(is_gone)?;
        let programs = Arc::new(Programs::of(&build));
        let harness = Harness::with_config(build.clone(), programs, suite.unwrap_or(contract), &project.config)?;
        let harness = match suite {
            None => harness,
            Some(suite) => Harness::made_in(&harness, contract).ok_or_else(|| {
                let (suite, contract) = (&build.contract(suite).name, &saved.contract);
                anyhow!("setUp() of {suite} no longer creates a {contract}, so the finding cannot be replayed")
            })?,
        };
        let harness = Arc::new(harness);
        // What shows a layout may be gone with the variable.
        let sequence = match saved.is_of_layouts() {
            true => Sequence { setup: harness.setup.clone(), transactions: Vec::new() },
            false => saved.sequence(&harness.calls).with_context(|| file.display().to_string())?,
        };
        let mut oracles = OracleSet::of(&harness, oracle::enabled(&project.config));
        let violations = last_violations(&harness, &mut harness.executor(), &mut oracles, &sequence);
        let finding = if saved.is_of_layouts() {
            upgraded(&saved, &harness, &project, trusted)?
        } else {
            saved.recognise(&build, &violations).into_iter().find_map(|violation| {
                let level = project.config.level_at(violation.oracle, &violation.place.names(&build));
                describe(&harness, &mut oracles, sequence.clone(), violation, level, saved.discovery).ok()
            })
        };
        Ok(Self { saved, finding, harness, sequence, project })
    }
}

/// A finding on storage layouts, if the contract still does not fit what it stored in the last commit.
fn upgraded(saved: &Saved, harness: &Arc<Harness>, project: &Project, trusted: bool) -> Result<Option<Finding>> {
    let cache = cache_folder(project);
    let compiler = || Compiler::new(&cache, &project.root, trusted);
    let committed = Committed::default().of(project, &harness.build, trusted, compiler).with_context(|| {
        format!(
            "{}: {} compares with the last commit, and there is none; run it in a git repository",
            project.root.display(),
            saved.oracle
        )
    })?;
    let contract = saved.contract(&committed)?;
    let programs = Arc::new(Programs::of(&committed));
    let before = Harness::with_config(committed, programs, contract, &project.config)?;
    let level = project.config.level(saved.oracle);
    let findings = upgrade_findings(&before, harness, LAST_COMMIT, level, saved.discovery);
    Ok(findings.into_iter().find(|finding| finding.id == saved.id))
}

/// The project of a finding: in the folder that the command line names, or in the one that the finding's file names. A file that
/// somebody sent must not decide which folder is read and compiled, so that one has to be below the current folder.
fn project_of(saved: &Saved, file: &Path, given: Option<&Path>, trusted: bool) -> Result<Project> {
    if let Some(folder) = given {
        return trust::open(folder, trusted);
    }
    let here =
        std::env::current_dir().and_then(|here| here.canonicalize()).context("the current folder cannot be found")?;
    let is_below = |folder: &Path| folder.canonicalize().is_ok_and(|folder| folder.starts_with(&here));
    let refused = || {
        anyhow!(
            "{}: its project {:?} is not below the current folder; say where the project is with --project DIR",
            file.display(),
            saved.project
        )
    };
    let named = Path::new(&saved.project);
    if !is_below(named) {
        return Err(refused());
    }
    let project = trust::open(named, trusted)?;
    // A folder without a configuration may belong to a project further up.
    if is_below(&project.root) { Ok(project) } else { Err(refused()) }
}

/// Writes the regression test of a saved finding, or of each one in a folder.
pub(crate) fn write_test(arguments: &TestArguments) -> Result<ExitCode> {
    let named = &arguments.file;
    if !named.is_dir() {
        let replayed = Replayed::of(named, arguments.project.as_deref(), arguments.trust)?;
        let Some(finding) = &replayed.finding else {
            bail!("{}: the finding no longer fails, so there is nothing to write a test for", named.display());
        };
        write_test_of(finding, &replayed.project, arguments.out.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    let files = findings_in(named).with_context(|| format!("{} cannot be read", named.display()))?;
    if files.is_empty() {
        bail!(
            "{}: no FINDING.json in this folder; name a folder that `bellwether fuzz --findings` wrote",
            named.display()
        );
    }
    let mut failed = false;
    for file in files {
        let written = Replayed::of(&file, arguments.project.as_deref(), arguments.trust).and_then(|replayed| {
            let Some(finding) = &replayed.finding else {
                output::line(&format!("{}: the finding no longer fails, so no test is written", file.display()));
                return Ok(());
            };
            let name = regression_path(finding, &replayed.project);
            let out = arguments.out.as_ref().map(|folder| folder.join(name.file_name().unwrap_or_default()));
            write_test_of(finding, &replayed.project, out.as_deref())
        });
        if let Err(error) = written {
            output::error(&error);
            failed = true;
        }
    }
    Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// The files of a folder that may be findings, in order.
fn findings_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Adds the test of a finding to a file: to this one, or else to that of the project's tests.
fn write_test_of(finding: &Finding, project: &Project, out: Option<&Path>) -> Result<()> {
    let path = match out {
        Some(path) => std::path::absolute(path)?,
        None => regression_path(finding, project),
    };
    let existing = user_file::read(&path).map_err(|why| {
        anyhow!(
            "{} {why}, so no test can be added to it; repair it, move it away, or name another file with --out",
            path.display()
        )
    })?;
    let test = match out {
        Some(_) => regression_test_at(&path, finding, project, existing.as_deref())?,
        None => regression_test(finding, project, existing.as_deref())?,
    };
    if test.change == TestChange::Present {
        output::line(&format!("{} is already in {}", test.name, path.display()));
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    user_file::write(&path, &test.change.apply(existing.as_deref().unwrap_or_default()))
        .with_context(|| format!("{} cannot be written", path.display()))?;
    output::line(&format!("{} written to {}", test.name, path.display()));
    Ok(())
}
