//! Compilers that die or have to be fetched, as somebody at an editor meets them.

#![cfg(unix)]

mod client;

use client::{
    Client,
    project::{Project, newest_compiler},
    vscode,
};
use serde_json::json;
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
    assert_eq!(client.diagnostics(&file)[0]["range"]["start"]["line"], 4);

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
    // It was shown all the time, and moves to its new line.
    loop {
        let shown = client.diagnostics(&file);
        assert_eq!(shown.len(), 1, "{shown:#?}");
        if shown[0]["range"]["start"]["line"] == 6 {
            break;
        }
    }
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
    // It waits until it is let go.
    let npm = npm("until [ -e go ]; do sleep 0.1; done\necho 'no network' >&2\nexit 1");
    let mut client = Client::start_with(|command| surround(command, &npm));
    client.initialize(vscode(), Some(&project.root()), project.options());
    client.notify("initialized", json!({}));
    assert_eq!(client.diagnostics(&project.path("src/Counter.sol")).len(), 1, "found meanwhile");
    let status = client.status_with(|status| status["message"].is_string(), "a message");
    assert_eq!(status["message"], "solc 0.8.20 is being fetched");
    std::fs::write(npm.path().join("go"), "").unwrap();
    let told = client.diagnostics(&project.path("src/Old.sol"));
    let told = told[0]["message"].as_str().unwrap();
    assert!(told.starts_with("no solc for =0.8.20") && told.contains("npm package solc@0.8.20: no network"), "{told}");
    // Saved again, it is not fetched again.
    std::fs::remove_file(npm.path().join("go")).unwrap();
    client.save(&project.path("src/Counter.sol"), &COUNTER.replace("count != 20", "count != 30"));
    client.diagnostics(&project.path("src/Counter.sol"));
    assert_eq!(client.complaints.len(), 1, "told once: {:#?}", client.complaints);
    assert!(client.complaints[0].contains("solc 0.8.20 cannot be fetched"), "{:#?}", client.complaints);
    client.complaints.clear();
    client.discard_unread();
    client.shut_down();
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
    assert_eq!(client.diagnostics(&project.path("src/Counter.sol")).len(), 1, "with {version}");
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
