//! `bellwether doctor` and `bellwether completions` as people meet them, in a home folder and with programs of the test's own.

#![cfg(unix)]

use expect_test::expect;
use serde_json::Value;
use std::{
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

/// A machine: a home folder, a folder of programs, and a project.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new(files: &[(&str, &str)]) -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        for folder in ["home", "bin", "project"] {
            std::fs::create_dir(machine.0.path().join(folder)).unwrap();
        }
        files.iter().for_each(|(file, text)| machine.write(&format!("project/{file}"), text));
        machine
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A program in a folder that says this and leaves a trace.
    fn program(&self, file: &str, says: &str) {
        self.write(
            file,
            &format!("#!/bin/sh\n: > '{}/ran-{}'\necho '{says}'\n", self.0.path().display(), file.replace('/', "-")),
        );
        let path = self.0.path().join(file);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn doctor(&self, options: &[&str]) -> Output {
        let root = self.0.path();
        let path = format!("{}:{}", root.join("bin").display(), root.join("project/tools").display());
        Command::new(env!("CARGO_BIN_EXE_bellwether"))
            .arg("doctor")
            .args(options)
            .current_dir(root.join("project"))
            .env_clear()
            .envs([("PATH", path.as_str()), ("NO_COLOR", "1")])
            .envs([("HOME", root.join("home")), ("XDG_CACHE_HOME", root.join("home/.cache"))])
            .output()
            .unwrap()
    }

    fn said(&self, output: &Output) -> String {
        let text = String::from_utf8_lossy(&output.stdout).replace(&*self.0.path().to_string_lossy(), "$ROOT");
        let canonical = self.0.path().canonicalize().unwrap();
        text.replace(&*canonical.to_string_lossy(), "$ROOT")
    }

    fn has(&self, file: &str) -> bool {
        self.0.path().join(file).exists()
    }
}

const SOURCE: &str = "pragma solidity 0.8.30;\ncontract A { function f() external {} }\n";

#[test]
fn a_machine_on_which_all_is_well() {
    let machine = Machine::new(&[("foundry.toml", "[profile.default]\n"), ("src/A.sol", SOURCE)]);
    machine.program("bin/solc", "Version: 0.8.30+commit.73712a01.Linux.g++");
    for (name, says) in [
        ("node", "v20.11.0"),
        ("npm", "10.2.4"),
        ("nvim", "NVIM v0.11.2"),
        ("code", "1.97.0"),
        ("bellwether", "bellwether 0.1.0"),
    ] {
        machine.program(&format!("bin/{name}"), says);
    }
    machine.write("home/.vscode/extensions/bellwether.bellwether-0.1.0-linux-x64/package.json", "{}");
    let output = machine.doctor(&[]);
    expect![[r#"
        ✓ bellwether: version 0.1.0
        ✓ project: $ROOT/project (Foundry), 1 file
        ✓ trust: not needed: the project brings no program that would be run
        ✓ solc: 0.8.30 for src/A.sol: on PATH
        ✓ node: v20.11.0
        ✓ npm: 10.2.4
        ✓ cache: $ROOT/home/.cache/bellwether, 0 KiB
        ✓ on PATH: bellwether 0.1.0
        ✓ VS Code: 1.97.0
        ✓ VS Code: extension bellwether.bellwether-0.1.0-linux-x64
        ✓ Neovim: NVIM v0.11.2

        All is well.
    "#]]
    .assert_eq(&machine.said(&output));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn each_thing_that_is_wrong_is_told_with_what_to_do() {
    let machine = Machine::new(&[
        ("foundry.toml", "[profile.default]\n"),
        ("bellwether.toml", "solc = \"tools/solc\"\nworker = 3\n"),
        ("src/A.sol", SOURCE),
        ("src/B.sol", "pragma solidity 0.8.29;\nimport \"./C.sol\";\n"),
        ("src/C.sol", "pragma solidity 0.8.28;\n"),
    ]);
    machine.program("project/tools/solc", "Version: 0.8.30");
    machine.program("bin/nvim", "NVIM v0.9.5");
    let output = machine.doctor(&[]);
    expect![[r#"
        ✓ bellwether: version 0.1.0
        ✓ project: $ROOT/project (Foundry), 3 files
        ✗ settings: $ROOT/project/bellwether.toml:2: unknown setting `worker`; did you mean `workers`?
          → correct it; until then the default is used
        ! trust: $ROOT/project/bellwether.toml: `solc` names the executable $ROOT/project/tools/solc, which is not run because the workspace is not trusted; each file's pragma chooses the compiler.
          → Give --trust to allow it.
        ! trust: $ROOT/project/tools/solc is on PATH and in the project, so it is not run
          → Give --trust to allow it.
        ! solc: 0.8.28 for src/C.sol: not installed
          → with a network, do nothing: it is fetched when it is needed; without a network, install it with `svm install`, put it on PATH, or name an executable with `solc` in bellwether.toml
        ! solc: 0.8.30 for src/A.sol: not installed
          → with a network, do nothing: it is fetched when it is needed; without a network, install it with `svm install`, put it on PATH, or name an executable with `solc` in bellwether.toml
        ✗ solc: for src/B.sol: no release from 0.4.11 on meets =0.8.28 and =0.8.29
          → widen one of the pragmas, or `solc` in the settings
        ! node: is not on PATH
          → install Node 20 or newer, with npm: compilers that svm does not have are fetched and run with them
        ! npm: is not on PATH
          → install Node 20 or newer, with npm: compilers that svm does not have are fetched and run with them
        ✓ cache: $ROOT/home/.cache/bellwether, 0 KiB
        ! on PATH: there is no `bellwether`, which editors start
          → put this executable on PATH, or name it in the editor's settings (VS Code: `bellwether.server.path`)
        – VS Code: not on PATH
        ! Neovim: NVIM v0.9.5 is too old
          → install 0.11 or newer

        2 problems, 8 warnings
    "#]].assert_eq(&machine.said(&output));
    assert_eq!(output.status.code(), Some(1));
    assert!(!machine.has("ran-project-tools-solc"), "nothing of the project is run");
    assert!(machine.has("ran-bin-nvim"));
}

#[test]
fn programs_read_the_same_as_json_and_a_project_that_cannot_be_read_is_a_problem() {
    let machine = Machine::new(&[("foundry.toml", "[profile.default\n"), ("src/A.sol", SOURCE)]);
    let output = machine.doctor(&["--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["ok"], false);
    let project = json["checks"].as_array().unwrap().iter().find(|check| check["about"] == "project").unwrap();
    assert_eq!(project["state"], "problem");
    let message = project["message"].as_str().unwrap();
    assert!(message.contains("foundry.toml:1: is not valid TOML"), "{message}");
    assert!(project["remedy"].is_string());
}

#[test]
fn completions_are_scripts_that_shells_read() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = Command::new(env!("CARGO_BIN_EXE_bellwether")).args(["completions", shell]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let script = String::from_utf8(output.stdout).unwrap();
        for word in ["fuzz", "doctor", "lcov"] {
            assert!(script.contains(word), "{shell} knows {word}");
        }
        // The others do not complete values.
        assert_eq!(script.contains("junit"), !["elvish", "powershell"].contains(&shell), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    let complete = "eval \"$(\"$0\" completions bash)\"
        COMP_WORDS=(bellwether fuzz --format s); COMP_CWORD=3
        _bellwether bellwether s --format; echo \"${COMPREPLY[@]}\"
        COMP_WORDS=(bellwether do); COMP_CWORD=1
        _bellwether bellwether do bellwether; echo \"${COMPREPLY[@]}\"";
    let output = bash(folder.path(), complete);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "sarif\ndoctor\n", "{output:?}");
}

fn bash(folder: &Path, script: &str) -> Output {
    let arguments = ["--norc", "-c", script, env!("CARGO_BIN_EXE_bellwether")];
    Command::new("bash").args(arguments).current_dir(folder).output().unwrap()
}
