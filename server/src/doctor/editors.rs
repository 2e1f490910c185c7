//! Which editors are there, whether they are new enough, and whether they find Bellwether.

use super::{
    check::Check,
    program::{Programs, number},
};
use std::path::{Path, PathBuf};

/// The oldest Neovim that the plugin works with.
const OLDEST_NEOVIM: [u32; 2] = [0, 11];
/// The oldest VS Code that the extension works with.
const OLDEST_VSCODE: [u32; 2] = [1, 91];

/// Folders below the home folder in which VS Code and its kin keep extensions.
const EXTENSIONS: [&str; 5] = [
    ".vscode/extensions",
    ".vscode-server/extensions",
    ".vscode-insiders/extensions",
    ".vscode-oss/extensions",
    ".local/share/code-server/extensions",
];

/// Checks the editors.
pub(super) fn checks(programs: &Programs, checks: &mut Vec<Check>) {
    let is_on_path = programs.version("bellwether");
    checks.push(match &is_on_path {
        Some(Ok(version)) => Check::ok("on PATH", version.clone()),
        Some(Err(error)) => Check::warning(
            "on PATH",
            format!("the `bellwether` that editors would start does not work: {error}"),
            "install it again with `cargo install --path server`",
        ),
        None => Check::warning(
            "on PATH",
            "there is no `bellwether`, which editors start",
            "put this executable on PATH, or name it in the editor's settings (VS Code: `bellwether.server.path`)",
        ),
    });
    let code = programs.version("code");
    let extension = extension();
    match code {
        Some(version) => {
            checks.push(old_or_ok("VS Code", version, OLDEST_VSCODE));
            checks.push(match &extension {
                Some(name) => Check::ok("VS Code", format!("extension {name}")),
                None => Check::note(
                    "VS Code",
                    "the extension is not installed",
                    "to use it, install the .vsix: Extensions: Install from VSIX…",
                ),
            });
        }
        None => match &extension {
            Some(name) => checks.push(Check::ok("VS Code", format!("not on PATH; extension {name}"))),
            None => checks.push(Check::note("VS Code", "not on PATH", "")),
        },
    }
    checks.push(match programs.version("nvim") {
        Some(version) => old_or_ok("Neovim", version, OLDEST_NEOVIM),
        None => Check::note("Neovim", "not on PATH", ""),
    });
}

fn old_or_ok(about: &'static str, version: Result<String, String>, oldest: [u32; 2]) -> Check {
    let needed = format!("{}.{}", oldest[0], oldest[1]);
    match version {
        Ok(version) if number(&version).is_some_and(|number| number < oldest.to_vec()) => {
            Check::warning(about, format!("{version} is too old"), format!("install {needed} or newer"))
        }
        Ok(version) => Check::ok(about, version),
        Err(error) => Check::warning(about, format!("does not start: {error}"), format!("install {needed} or newer")),
    }
}

/// The folder name of our extension, if VS Code or one of its kin has it: `bellwether.bellwether-0.1.0`.
fn extension() -> Option<String> {
    let home = PathBuf::from(std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" })?);
    EXTENSIONS.iter().find_map(|folder| newest_in(&home.join(folder)))
}

fn newest_in(folder: &Path) -> Option<String> {
    let names = std::fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.starts_with("bellwether.bellwether-")).max()
}
