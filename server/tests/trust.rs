//! Workspaces that bring programs of their own: nothing of them is run before somebody says yes, in the editor as on the command line.

#![cfg(unix)]

mod client;

use client::{
    Client, profile,
    project::{Project, newest_compiler},
};
use serde_json::{Value, json};
use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const COUNTER: &str = "pragma solidity ^0.8.20;
contract Counter {
    uint256 public count;
    function add(uint256 by) external { require(by <= 10); count += by; }
    function check() external view { assert(count != 20); }
}
";

/// A project, and a folder for what its user keeps.
struct Workspace {
    project: Project,
    user: tempfile::TempDir,
}

impl Workspace {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Project::files(&[("foundry.toml", "[profile.default]\n"), ("src/Counter.sol", COUNTER)]);
        files.iter().for_each(|(name, text)| project.write(name, text));
        let user = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(user.path().join("cache/bellwether")).unwrap();
        let compilers = bellwether::compile::default_cache().join("solc");
        std::os::unix::fs::symlink(compilers, user.path().join("cache/bellwether/solc")).unwrap();
        Self { project, user }
    }

    /// One whose configuration names a compiler, which leaves a trace and works.
    fn with_compiler() -> Self {
        let workspace = Self::new(&[("bellwether.toml", "solc = \"tools/solc\"\nworkers = 1\nseed = 1\n")]);
        workspace.script("tools/solc", &workspace.compiler("touch sprung"));
        workspace
    }

    /// A compiler that does something before it is the newest one.
    fn compiler(&self, does: &str) -> String {
        let (version, package) = newest_compiler();
        let worker = package.ancestors().nth(3).unwrap().join("solc_worker.js");
        format!(
            "#!/bin/sh\ncd '{}'\n{does}\nif [ \"$1\" = --version ]; then echo 'Version: {version}'; exit; fi\n\
             exec node '{}' '{}' --standard-json\n",
            self.project.root().display(),
            worker.display(),
            package.display()
        )
    }

    fn script(&self, name: &str, text: &str) {
        self.project.write(name, text);
        make_executable(&self.project.path(name));
    }

    fn sprung(&self) -> bool {
        self.project.path("sprung").exists()
    }

    /// A client that says this much of trust, and whose user answers in this way.
    fn open(&self, client_named: &str, options: Value, choice: Option<&'static str>) -> Client {
        let mut client = Client::start_with(|command| {
            command.env("XDG_CACHE_HOME", self.user.path().join("cache"));
        });
        client.choice = choice;
        client.initialize_as(profile(client_named), Some(&self.project.root()), options);
        client.notify("initialized", json!({}));
        client
    }

    fn counter(&self) -> PathBuf {
        self.project.path("src/Counter.sol")
    }

    /// The command line in the project, with a search path and a cache of its own, and without network but for npm.
    fn bellwether(&self, path: &[PathBuf], arguments: &[&str]) -> Output {
        let own = std::env::var_os("PATH").unwrap();
        let path = path.iter().cloned().chain(std::env::split_paths(&own));
        Command::new(env!("CARGO_BIN_EXE_bellwether"))
            .args(arguments)
            .current_dir(self.project.root())
            .env("PATH", std::env::join_paths(path).unwrap())
            .env("XDG_CACHE_HOME", self.user.path().join("cache"))
            .env("HTTPS_PROXY", "http://127.0.0.1:1")
            .output()
            .unwrap()
    }

    /// Has the user's cache hold no compiler.
    fn forget_compilers(&self) {
        std::fs::remove_file(self.user.path().join("cache/bellwether/solc")).unwrap();
    }
}

fn make_executable(path: &Path) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn who_said_nothing_is_asked_once_and_a_yes_is_remembered() {
    let workspace = Workspace::with_compiler();
    let mut client = workspace.open("neovim", Value::Null, Some("Trust"));
    let asked = client.question();
    assert!(asked.contains("do you trust the authors of") && asked.contains("tools/solc"), "{asked}");
    assert_eq!(client.diagnostics(&workspace.counter()).len(), 1, "found with another compiler, or with this one");
    let toml = workspace.project.path("bellwether.toml");
    // The warning comes, and goes with the answer.
    assert_eq!(client.diagnostics(&toml).len(), 1);
    assert_eq!(client.diagnostics(&toml).len(), 0);
    assert!(workspace.sprung());
    client.shut_down_while_fuzzing();

    std::fs::remove_file(workspace.project.path("sprung")).unwrap();
    std::fs::write(workspace.counter(), format!("{COUNTER}\n// changed\n")).unwrap();
    let mut client = workspace.open("neovim", Value::Null, None);
    assert_eq!(client.diagnostics(&workspace.counter()).len(), 1);
    assert!(workspace.sprung(), "not asked again, and run");
    client.shut_down();
}

#[test]
fn a_no_is_remembered_and_what_the_client_says_goes_before_it() {
    let workspace = Workspace::with_compiler();
    let toml = workspace.project.path("bellwether.toml");
    for is_asked in [true, false] {
        let mut client = workspace.open("vscode", Value::Null, Some("Don't Trust"));
        let warnings = client.diagnostics(&toml);
        assert!(warnings[0]["message"].as_str().unwrap().contains("is not run"), "{warnings:#?}");
        assert_eq!(client.diagnostics(&workspace.counter()).len(), 1);
        if is_asked {
            client.question();
        }
        client.shut_down();
    }
    assert!(!workspace.sprung());
    let mut client = workspace.open("vscode", json!({ "trusted": true }), None);
    assert_eq!(client.diagnostics(&workspace.counter()).len(), 1);
    client.shut_down();
    assert!(workspace.sprung());
}

#[test]
fn who_is_not_answered_or_cannot_ask_runs_nothing_and_says_so() {
    let workspace = Workspace::with_compiler();
    // Dismissed, which is not remembered, twice; and Eglot, which offers no questions.
    for (client_named, asks) in [("neovim", true), ("neovim", true), ("emacs-eglot", false)] {
        let mut client = workspace.open(client_named, Value::Null, None);
        if asks {
            client.question();
        }
        let told = client.notification("window/showMessage")["message"].take();
        let told = told.as_str().unwrap();
        assert!(told.contains("tools/solc, which is not run") && told.contains("set `trusted` to `true`"), "{told}");
        assert_eq!(client.diagnostics(&workspace.counter()).len(), 1);
        assert_eq!(client.diagnostics(&workspace.project.path("bellwether.toml")).len(), 1);
        client.shut_down();
    }
    assert!(!workspace.sprung());
}

#[test]
fn what_a_workspace_puts_on_path_is_asked_about_too() {
    let workspace = Workspace::new(&[("bellwether.toml", "workers = 1\nseed = 1\n")]);
    workspace.script("bin/solc", &workspace.compiler("touch sprung"));
    let own = std::env::var_os("PATH").unwrap();
    let path = [workspace.project.path("bin")].into_iter().chain(std::env::split_paths(&own));
    let path = std::env::join_paths(path).unwrap();
    let mut client = Client::start_with(|command| {
        command.env("XDG_CACHE_HOME", workspace.user.path().join("cache")).env("PATH", path);
    });
    client.choice = Some("Don't Trust");
    client.initialize_as(profile("vscode"), Some(&workspace.project.root()), Value::Null);
    client.notify("initialized", json!({}));
    let asked = client.question();
    assert!(asked.contains("bin/solc is on PATH"), "{asked}");
    assert_eq!(client.diagnostics(&workspace.counter()).len(), 1);
    client.shut_down();
    assert!(!workspace.sprung());
}

#[test]
fn an_untrusted_workspace_has_no_script_run_by_a_node_of_its_own() {
    let workspace = Workspace::new(&[]);
    workspace.forget_compilers();
    workspace.script("bin/node", "#!/bin/sh\ntouch \"$(dirname \"$0\")/../sprung\"\n");
    // An npm that is found outside, and is a script for node as the real one is.
    let outside = workspace.user.path().join("bin");
    std::fs::create_dir(&outside).unwrap();
    let npm = format!(
        "#!/usr/bin/env node\nrequire('fs').writeFileSync({:?}, process.env.PATH);\nconsole.error('no network');\nprocess.exit(1);\n",
        workspace.user.path().join("npm-ran").display().to_string()
    );
    std::fs::write(outside.join("npm"), npm).unwrap();
    make_executable(&outside.join("npm"));
    let bin = workspace.project.path("bin");
    let output = workspace.bellwether(&[bin.clone(), outside], &["fuzz", "--seconds", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!workspace.sprung());
    let path = std::fs::read_to_string(workspace.user.path().join("npm-ran")).expect("npm was run");
    assert!(!std::env::split_paths(&path).any(|folder| folder == bin), "{path}");
    assert!(stderr(&output).contains("bin/node is on PATH and in the project, which is not trusted, so it is not run"));
}

#[test]
fn the_command_line_runs_a_projects_own_compiler_with_trust_or_by_its_users_word() {
    let workspace = Workspace::with_compiler();
    let fuzz = ["fuzz", "--seed", "1", "--workers", "1", "--executions", "2000"];
    let remedy = "is not run because the workspace is not trusted; each file's pragma chooses the compiler. Give --trust to allow it.";
    for (arguments, runs) in [(&[][..], false), (&["--trust"][..], true), (&["--solc", "tools/solc"][..], true)] {
        // Another text each time: what was compiled before needs no compiler.
        std::fs::write(workspace.counter(), format!("{COUNTER}\n// {arguments:?}\n")).unwrap();
        let output = workspace.bellwether(&[], &[&fuzz[..], arguments].concat());
        assert_eq!(workspace.sprung(), runs, "{arguments:?}: {}", stderr(&output));
        let trusts = arguments.contains(&"--trust");
        assert_eq!(stderr(&output).contains(remedy), !trusts, "{arguments:?}: {}", stderr(&output));
        assert!(String::from_utf8_lossy(&output.stdout).contains("assertion can fail"), "{arguments:?}");
        let _ = std::fs::remove_file(workspace.project.path("sprung"));
    }
}

#[test]
fn replay_and_test_run_a_projects_own_compiler_with_trust_alone() {
    let workspace = Workspace::with_compiler();
    let saved = ["fuzz", "--seed", "1", "--workers", "1", "--executions", "2000", "--findings", "found"];
    workspace.bellwether(&[], &saved);
    let found = std::fs::read_dir(workspace.project.path("found")).unwrap().next().unwrap().unwrap().path();
    let found = found.to_str().unwrap();
    for command in ["replay", "test"] {
        for trusts in [false, true] {
            std::fs::write(workspace.counter(), format!("{COUNTER}\n// {command} {trusts}\n")).unwrap();
            let trust = ["--trust"];
            let output = workspace.bellwether(&[], &[&[command, found], &trust[..usize::from(trusts)]].concat());
            assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
            assert_eq!(workspace.sprung(), trusts, "{command}: {}", stderr(&output));
            assert_eq!(stderr(&output).contains("Give --trust to allow it."), !trusts, "{}", stderr(&output));
            let _ = std::fs::remove_file(workspace.project.path("sprung"));
        }
    }
}
