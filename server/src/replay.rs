//! `bellwether replay` and `bellwether test`: what a saved finding is good for.

use crate::output;
use anyhow::{Context, Result, bail};
use bellwether::{
    code::Programs,
    compile::{Compiler, cache_folder},
    finding::{Finding, Saved, TestChange, describe, last_violations, regression_path, regression_test_at},
    oracle::Bench,
    project::Project,
    subject::Subject,
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
    /// Show every call, what it changed and how it ended
    #[arg(long)]
    trace: bool,
}

/// Options of `bellwether test`.
#[derive(Debug, clap::Args)]
pub(crate) struct TestArguments {
    /// A finding, as `bellwether fuzz --findings` wrote it
    #[arg(value_name = "FINDING.json")]
    file: PathBuf,
    /// Where the test goes [default: the project's test folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs a saved finding again.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let replayed = Replayed::of(&arguments.file)?;
    match &replayed.finding {
        Some(finding) => {
            output::line(&format!("still fails: {}:{}: {}", finding.file, finding.lines.line, finding.message));
            if arguments.trace {
                output::line(finding.story.to_text().trim_end());
            }
            Ok(ExitCode::SUCCESS)
        }
        None => {
            output::line(&format!(
                "no longer fails: {} at {}:{}",
                replayed.saved.oracle, replayed.saved.file, replayed.saved.line
            ));
            if arguments.trace {
                output::line(replayed.story.to_text().trim_end());
            }
            Ok(ExitCode::from(1))
        }
    }
}

/// A saved finding on the project as it is now.
struct Replayed {
    saved: Saved,
    finding: Option<Finding>,
    story: bellwether::finding::Story,
    project: Project,
}

impl Replayed {
    fn of(file: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let json = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))?;
        let saved = Saved::read(&json).with_context(|| file.display().to_string())?;
        let project = Project::open(Path::new(&saved.project), None)?;
        let cache = cache_folder(&project);
        let build = Arc::new(Compiler::new(&cache, &project.root, true).build(&project));
        if build.failed.contains(&saved.contract_file) {
            let why = build.diagnostics.first().map_or("", |diagnostic| diagnostic.message.as_str());
            bail!("{} does not compile: {why}; fix it and replay again", saved.contract_file);
        }
        let contract = saved.contract(&build)?;
        let programs = Arc::new(Programs::of(&build));
        let subject = Arc::new(Subject::new(build.clone(), programs.clone(), contract)?);
        let sequence = saved.sequence(&subject.interface).with_context(|| file.display().to_string())?;
        let mut bench = Bench::new(build.clone(), programs, &project.config);
        let violations = last_violations(&subject, &mut subject.executor(), &mut bench, &sequence);
        let story = bellwether::finding::tell(&subject, &sequence);
        let finding = saved.recognise(&build, &violations).and_then(|violation| {
            let level = project.config.level(violation.oracle);
            describe(&subject, &mut bench, sequence, violation, level, saved.discovery)
        });
        Ok(Self { saved, finding, story, project })
    }
}

/// Writes the regression test of a saved finding.
pub(crate) fn write_test(arguments: &TestArguments) -> Result<ExitCode> {
    let replayed = Replayed::of(&arguments.file)?;
    let Some(finding) = &replayed.finding else {
        bail!("{}: the finding no longer fails, so there is nothing to write a test for", arguments.file.display());
    };
    let path = match &arguments.out {
        Some(path) => std::path::absolute(path)?,
        None => regression_path(finding, &replayed.project),
    };
    let existing = std::fs::read_to_string(&path).unwrap_or_default();
    let test = regression_test_at(&path, finding, &replayed.project, Some(&existing))?;
    if test.change == TestChange::Present {
        output::line(&format!("{} is already in {}", test.name, path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    std::fs::write(&path, test.change.apply(&existing))
        .with_context(|| format!("{} cannot be written", path.display()))?;
    output::line(&format!("{} written to {}", test.name, path.display()));
    Ok(ExitCode::SUCCESS)
}
