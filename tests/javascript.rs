//! Tests that are written in JavaScript: those of the solc worker, of the links in the documents, and of the VS Code client, which
//! is bundled as well; its script `test` checks types and lints first.

use std::{path::Path, process::Command};

fn run(folder: &str, program: &str, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
        .output()
        .unwrap_or_else(|error| panic!("{program} cannot be started ({error}): install Node 20 or newer"));
    assert!(
        output.status.success(),
        "{program} {arguments:?} in {folder}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_solc_worker() {
    run(".", "node", &["--test", "tests/solc_worker.test.js"]);
}

#[test]
fn the_links_of_all_pages() {
    run(".", "node", &["--test", "tests/links.test.js"]);
}

#[test]
fn the_vs_code_client() {
    run("vscode-extension", "npm", &["ci", "--no-audit", "--no-fund"]);
    for script in ["build", "test"] {
        run("vscode-extension", "npm", &["run", script]);
    }
}
