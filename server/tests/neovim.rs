//! A day with Bellwether in a real Neovim: `tests/nvim/story.lua` with the plugin in `editors/nvim`. On Linux only, where Neovim can
//! be fetched, and where the processes that are left can be seen.

#![cfg(target_os = "linux")]

#[allow(unreachable_pub, reason = "each test uses a part")]
mod client;
#[allow(unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/neovim.rs"]
mod neovim;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use client::project::Project;
use std::path::Path;

/// The processes that inherited a variable of the environment.
fn heirs(variable: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let inherited = |entry: &std::fs::DirEntry| {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|pair| pair == variable.as_bytes())
    };
    let words = |entry: std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ")
    };
    processes.filter(inherited).map(words).collect()
}

#[test]
fn a_day_in_neovim() {
    if !slow::is_asked() {
        return;
    }
    let project = Project::fixture("vault");
    let root = project.root();
    let home = root.with_file_name("home");
    let folder = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    let mark = format!("STORY_PROJECT={}", root.display());
    let output = neovim::neovim()
        .args(["--headless", "--clean", "-l"])
        .arg(folder("tests/nvim/story.lua"))
        .env("STORY_PLUGIN", folder("editors/nvim"))
        .env("STORY_SERVER", env!("CARGO_BIN_EXE_bellwether"))
        .env("STORY_PROJECT", &root)
        .env("STORY_SETTINGS", project.options().to_string())
        // Neovim's own log and state.
        .env("XDG_STATE_HOME", home.join("state"))
        .env("XDG_DATA_HOME", home.join("data"))
        .current_dir(&root)
        .output()
        .unwrap();
    let log = std::fs::read_to_string(home.join("state/nvim/lsp.log")).unwrap_or_default();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("- left"), "{told}\n--- lsp.log\n{log}");

    // Nobody is left behind: the server ends with its editor.
    client::poll::poll_until(format_args!("the end of {:#?}", heirs(&mark)), || heirs(&mark).is_empty());
}
