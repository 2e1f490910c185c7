//! Which compilers a project needs, whether they are there, and what fetches and runs those that are not.

use super::{
    check::Check,
    program::{Programs, number},
};
use bellwether::{
    compile::{NeededCompiler, WantedCompiler, cache_folder, needed_compilers},
    project::Project,
};

/// The oldest Node that runs compilers from npm.
const OLDEST_NODE: u32 = 20;

/// Checks the compilers.
pub(super) fn checks(project: &Project, trusted: bool, programs: &Programs, checks: &mut Vec<Check>) {
    let on_path = programs.version("solc");
    let on_path = on_path.as_ref().and_then(|version| number(version.as_ref().ok()?));
    let needed = needed_compilers(project, trusted, &cache_folder(project));
    let missing = needed.iter().filter(|needed| of_compiler(needed, on_path.as_deref(), programs, checks)).count();
    of_node(missing > 0, programs, checks);
}

/// Checks one, and returns whether it has to be fetched.
fn of_compiler(needed: &NeededCompiler, on_path: Option<&[u32]>, programs: &Programs, checks: &mut Vec<Check>) -> bool {
    let files = match &needed.files[..] {
        [] => String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    let check = match &needed.wanted {
        WantedCompiler::Release(version) => {
            let numbers = [version.major, version.minor, version.patch].map(|number| number as u32);
            match &needed.kept {
                Some(path) => Check::ok("solc", format!("{version} for {files}: {}", path.display())),
                None if on_path == Some(&numbers) => Check::ok("solc", format!("{version} for {files}: on PATH")),
                None => {
                    checks.push(Check::warning(
                        "solc",
                        format!("{version} for {files}: not installed"),
                        "with a network, do nothing: it is fetched when it is needed; without a network, install it with `svm install`, put it on PATH, or name an \
                         executable with `solc` in bellwether.toml",
                    ));
                    return true;
                }
            }
        }
        WantedCompiler::Executable(path) => {
            let is_on_path = || path.to_str().and_then(|name| programs.version(name)).is_some();
            match needed.kept.is_some() || (path.components().count() == 1 && is_on_path()) {
                true => Check::ok("solc", format!("{} for {files}, as the settings say", path.display())),
                false => Check::problem(
                    "solc",
                    format!("{} for {files}, as the settings say: no such executable", path.display()),
                    "correct `solc` in bellwether.toml or foundry.toml, or remove it",
                ),
            }
        }
        WantedCompiler::Impossible(asked) => Check::problem(
            "solc",
            format!("for {files}: no release from 0.4.11 on meets {asked}"),
            "widen one of the pragmas, or `solc` in the settings",
        ),
    };
    checks.push(check);
    false
}

/// Node runs compilers that come from npm.
fn of_node(is_needed: bool, programs: &Programs, checks: &mut Vec<Check>) {
    let remedy = "install Node 20 or newer, with npm: compilers that svm does not have are fetched and run with them";
    for name in ["node", "npm"] {
        let check = match programs.version(name) {
            Some(Ok(version)) => {
                let is_old = name == "node" && number(&version).is_some_and(|number| number[0] < OLDEST_NODE);
                if is_old {
                    Check::warning(name, format!("{version} is too old"), remedy)
                } else {
                    Check::ok(name, version)
                }
            }
            Some(Err(error)) => Check::warning(name, format!("does not start: {error}"), remedy),
            None if is_needed => Check::warning(name, "is not on PATH", remedy),
            None => Check::note(name, "is not on PATH; all compilers that this project needs are installed", ""),
        };
        checks.push(check);
    }
}
