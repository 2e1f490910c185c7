//! Compilers that die or have to be fetched, as somebody at an editor meets them.

#![cfg(unix)]

mod client;

use client::{
    Client,
    project::{Project, newest_compiler},
    vscode,
};
use serde_json::{Value, json};
use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

const COUNTER: &str = "pragma solidity ^0.8.20;
contract Counter {
    uint256 public count;
    function add(uint256 by) external { require(by <= 10); count += by; }
    function check() external view { assert(count != 20); }
}
";

/// Whether the counter's assertion on this line is all that is shown.
fn is_assertion(shown: &[Value], line: u64) -> bool {
    matches!(shown, [only] if only["code"] == "assertion" && only["range"]["start"]["line"] == line)
}

fn write_script(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_compiler_that_dies_takes_no_finding_away_and_the_next_save_is_compiled() {
    let project = Project::files(&[("bellwether.toml", "solc = \"tools/solc\"\n"), ("src/Counter.sol", COUNTER)]);
    let (version, package) = newest_compiler();
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Version: {version}'; exit; fi\n\
         if [ -e '{}' ]; then kill -9 $$; fi\nexec node '{}' '{}' --standard-json\n",
        project.path("sick").display(),
        package.ancestors().nth(3).unwrap().join("solc_worker.js").display(),
        package.display()
    );
    write_script(&project.path("tools/solc"), &script);
    let file = project.path("src/Counter.sol");
    let mut options = project.options();
    options["trusted"] = json!(true);
    let mut client = Client::open_folder(&project.root(), options);
    client.diagnostics_with(&file, "the assertion on line 4", |shown| is_assertion(shown, 4));

    project.write("sick", "");
    client.save(&file, &format!("// one line more\n{COUNTER}"));
    let told = client.notification("window/showMessage")["message"].take();
    let told = told.as_str().unwrap();
    assert!(
        told.contains(&format!("solc {version} was killed by signal 9 while it compiled src/Counter.sol"))
            && told.contains("the next save tries again"),
        "{told}"
    );
    std::fs::remove_file(project.path("sick")).unwrap();
    client.save(&file, &format!("// one line more\n// and another\n{COUNTER}"));
    client.diagnostics_with(&file, "the assertion on line 6", |shown| {
        assert_eq!(shown.len(), 1, "it is shown all the time: {shown:#?}");
        is_assertion(shown, 6)
    });
    client.complaints.clear();
    client.shut_down();
}

/// A folder with an `npm` that does this, where `$version` is what it is to install.
fn npm(does: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let script =
        format!("#!/bin/sh\nfor last; do :; done\nversion=${{last#solc@}}\ncd '{}'\n{does}\n", folder.path().display());
    write_script(&folder.path().join("bin/npm"), &script);
    folder
}

/// The environment of a process that finds this npm first, and nothing in the network.
fn surround(command: &mut Command, npm: &tempfile::TempDir) {
    let own = std::env::var_os("PATH").unwrap();
    let path = [npm.path().join("bin")].into_iter().chain(std::env::split_paths(&own));
    command.env("PATH", std::env::join_paths(path).unwrap()).env("HTTPS_PROXY", "http://127.0.0.1:1");
}

/// A project whose cache has no compiler but the newest.
fn with_newest_only(files: &[(&str, &str)]) -> (Project, PathBuf) {
    let project = Project::files(files);
    let (_, package) = newest_compiler();
    let packages = project.cache().join("solc");
    std::fs::remove_file(&packages).unwrap();
    std::fs::create_dir(&packages).unwrap();
    let newest = package.ancestors().nth(2).unwrap();
    std::os::unix::fs::symlink(newest, packages.join(newest.file_name().unwrap())).unwrap();
    (project, packages)
}

#[test]
fn a_compiler_that_is_being_fetched_holds_up_nobody_and_is_used_when_it_is_there() {
    let old = "pragma solidity =0.8.20;\ncontract Old { function check() external pure { assert(false); } }\n";
    let (project, _) = with_newest_only(&[("src/Counter.sol", COUNTER), ("src/Old.sol", old)]);
    // Each call leaves a line, and waits until it is let go.
    let npm = npm("echo called >> calls\nuntil [ -e go ]; do sleep 0.1; done\necho 'no network' >&2\nexit 1");
    let (counter, old) = (project.path("src/Counter.sol"), project.path("src/Old.sol"));
    let mut client = Client::start_with(|command| surround(command, &npm));
    client.initialize(vscode(), Some(&project.root()), project.options());
    client.notify("initialized", json!({}));
    client.diagnostics_with(&counter, "the assertion, found meanwhile", |shown| is_assertion(shown, 4));
    client.status_with(|status| status["message"] == "solc 0.8.20 is being fetched", "word of the fetch");
    std::fs::write(npm.path().join("go"), "").unwrap();
    let told = client.diagnostics_with(&old, "why there is no compiler", |shown| {
        shown.iter().any(|said| said["message"].as_str().unwrap().starts_with("no solc for =0.8.20"))
    });
    let told = told[0]["message"].as_str().unwrap();
    assert!(told.contains("npm package solc@0.8.20: no network"), "{told}");
    client.wait_for_complaints(1);
    // Saved again, it is not fetched again: that would be another call, and another complaint.
    client.save(&counter, &format!("// one line more\n{COUNTER}"));
    client.diagnostics_with(&counter, "the assertion on its new line", |shown| is_assertion(shown, 5));
    assert_eq!(std::fs::read_to_string(npm.path().join("calls")).unwrap(), "called\n");
    assert!(client.complaints[0].contains("solc 0.8.20 cannot be fetched"), "{:#?}", client.complaints);
    client.complaints.remove(0);
    // Fails if something else was complained of.
    client.shut_down_while_fuzzing();
}

#[test]
fn a_fetched_compiler_is_used_at_once() {
    let (version, package) = newest_compiler();
    let project = Project::files(&[("src/Counter.sol", COUNTER)]);
    std::fs::remove_file(project.cache().join("solc")).unwrap();
    let npm = npm("exit 1");
    let install = format!("#!/bin/sh\nmkdir -p node_modules\ncp -r '{}' node_modules/solc\n", package.display());
    write_script(&npm.path().join("bin/npm"), &install);
    let mut client = Client::start_with(|command| surround(command, &npm));
    client.initialize(vscode(), Some(&project.root()), project.options());
    client.notify("initialized", json!({}));
    let found = format!("the assertion, found with {version}");
    client.diagnostics_with(&project.path("src/Counter.sol"), &found, |shown| is_assertion(shown, 4));
    client.shut_down();
}

#[test]
fn on_the_command_line_all_compilers_are_fetched_at_the_same_time_and_one_that_is_not_stops_no_other_file() {
    let versions = ["0.4.24", "0.5.10", "0.6.6", "0.7.3", "0.8.20"];
    let sources: Vec<(String, String)> = versions
        .iter()
        .enumerate()
        .map(|(n, version)| (format!("src/F{n}.sol"), format!("pragma solidity ={version};\ncontract F{n} {{}}\n")))
        .collect();
    let mut files: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (cache, counter) = ("cache = \"../cache\"\n", ("src/Counter.sol", COUNTER));
    files.extend([("bellwether.toml", cache), counter]);
    let (project, _) = with_newest_only(&files);
    // Each waits until all five have begun.
    let npm = npm(
        "touch \"begun-$version\"\nuntil [ $(ls begun-* | wc -l) = 5 ]; do sleep 0.1; done\necho 'no network' >&2\nexit 1",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    surround(&mut command, &npm);
    let arguments = ["fuzz", "--trust", "--seed", "1", "--workers", "1", "--executions", "2000"];
    let output = command.args(arguments).current_dir(project.root()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("assertion can fail"), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for version in versions {
        assert!(said.contains(&format!("npm package solc@{version}: no network")), "{version}: {said}");
    }
}
