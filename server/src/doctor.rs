//! `bellwether doctor`: whether all is there that Bellwether needs, here and in a project. It looks, and asks programs on PATH for their
//! versions; it compiles, fetches and fuzzes nothing, and executes nothing of the project.

mod cache;
mod check;
mod compilers;
mod editors;
mod program;
mod project;

use crate::output::{self, Format};
use anyhow::Result;
use bellwether::report::counted;
use check::{Check, State};
use program::Programs;
use serde_json::json;
use std::{io::IsTerminal, path::PathBuf, process::ExitCode};

/// Options of `bellwether doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit code: 0 nothing keeps Bellwether from working, 1 something does.")]
pub(crate) struct Arguments {
    /// The project: a folder, or a .sol file
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Look at the project as `bellwether fuzz --trust` does
    #[arg(long)]
    trust: bool,
    /// Print the checks in this format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let project = project::open(&arguments.path);
    let root = project.as_ref().ok().map(|project| project.root.clone());
    let programs = Programs::outside_of(root.filter(|_| !arguments.trust));
    let mut checks = vec![Check::ok("bellwether", format!("version {}", env!("CARGO_PKG_VERSION")))];
    match project {
        Ok(project) => {
            let project = project::checks(project, arguments.trust, &mut checks);
            compilers::checks(&project, arguments.trust, &programs, &mut checks);
            cache::checks(&project, &mut checks);
        }
        Err(error) => checks.push(Check::problem("project", error.to_string(), "correct it, or name another folder")),
    }
    editors::checks(&programs, &mut checks);
    let is_well = checks.iter().all(|check| check.state != State::Problem);
    match arguments.format {
        Format::Text => output::line(&text(&checks)),
        Format::Json => {
            let checks: Vec<_> = checks.iter().map(Check::to_json).collect();
            output::line(&serde_json::to_string_pretty(&json!({ "ok": is_well, "checks": checks }))?);
        }
    }
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The checks for people, and how many of them went wrong.
fn text(checks: &[Check]) -> String {
    let colored = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut text: String = checks.iter().map(|check| check.to_text(colored)).collect();
    let count = |state| checks.iter().filter(|check| check.state == state).count() as u64;
    let (problems, warnings) = (count(State::Problem), count(State::Warning));
    text += &match (problems, warnings) {
        (0, 0) => "\nAll is well.".to_owned(),
        _ => format!("\n{}, {}", counted(problems, "problem"), counted(warnings, "warning")),
    };
    text
}
