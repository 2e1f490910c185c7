//! Machines of a fleet, for tests: processes that fuzz the same contracts and meet at a place.

#![allow(dead_code, reason = "each test uses a part")]

use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
};
use tempfile::TempDir;

/// A defect that takes three calls in a row.
pub(crate) const STAGES: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Stages {
    uint256 public stage;
    function first(uint256 key) external { require(key ^ 0x5eed == 0xbeef1234); stage = 1; }
    function second(uint64 key) external { require(stage == 1 && key > 1 ether); stage = 2; }
    function third(bytes4 key, uint8 more) external { if (stage == 2 && key == 0xdecafbad && more > 7) { stage = 3; } }
    function check() external view { assert(stage != 3); }
}
";
/// Transactions in which a process alone finds nothing, and one that has been told finds it.
pub(crate) const FEW: &str = "60";

/// A contract with none of these functions, nor one with the same parameters, which would count as renamed.
pub(crate) const OTHER: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Other {
    uint256 sum;
    function add(string calldata, uint64 more) external { require(more > 7); sum += more; }
}
";

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    folder
}

pub(crate) fn stages() -> TempDir {
    folder(&[("Stages.sol", STAGES)])
}

pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(arguments).current_dir(folder);
    command
}

pub(crate) fn bellwether(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Fuzzes here with one worker, and returns the report.
pub(crate) fn fuzz(folder: &Path, arguments: &[&str]) -> Value {
    let briefly = ["fuzz", ".", "--workers", "1", "--format", "json", "--quiet"];
    read(&bellwether(folder, &[&briefly, arguments].concat()))
}

pub(crate) fn read(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The status of a fleet; nothing as long as none has begun.
pub(crate) fn status(folder: &Path, place: &str) -> Value {
    let output = bellwether(folder, &["fleet", "status", place, "--format", "json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// The findings of a report, those that are copies of another one included.
pub(crate) fn ids(report: &Value) -> BTreeSet<&str> {
    let findings = report["findings"].as_array().unwrap().iter();
    let all = findings.flat_map(|finding| match finding["places"].as_array() {
        Some(places) => places.iter().map(|place| &place["id"]).collect(),
        None => vec![&finding["id"]],
    });
    all.map(|id| id.as_str().unwrap()).collect()
}

pub(crate) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Where machines meet, and what their environment says of it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) address: &'a str,
    pub(crate) environment: &'a [(&'a str, &'a str)],
}

impl Place<'_> {
    pub(crate) fn command(self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = command(folder, arguments);
        command.envs(self.environment.iter().copied());
        command
    }

    /// Runs a command that has to succeed, and returns what it says.
    pub(crate) fn told(self, folder: &Path, arguments: &[&str]) -> String {
        let output = self.command(folder, arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Fuzzes as one of the machines that meet here, and returns the report.
    pub(crate) fn fuzz(self, folder: &Path, arguments: &[&str]) -> Value {
        let briefly = ["fuzz", ".", "--workers", "1", "--format", "json", "--quiet", "--join", self.address];
        read(&self.command(folder, &[&briefly[..], arguments].concat()).output().unwrap())
    }

    /// Starts a machine that tells what it does.
    pub(crate) fn start(self, folder: &Path, arguments: &[&str]) -> Running {
        let plainly =
            ["fuzz", ".", "--workers", "1", "--format", "json", "--progress", "plain", "--join", self.address];
        Running::of(&mut self.command(folder, &[&plainly[..], arguments].concat()))
    }

    /// The status of the fleet; nothing as long as none has begun.
    pub(crate) fn status(self, folder: &Path) -> Value {
        let output = self.command(folder, &["fleet", "status", self.address, "--format", "json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }
}

/// The numbers of the machines that live.
pub(crate) fn numbers(status: &Value) -> BTreeSet<u64> {
    status["machines"].as_array().into_iter().flatten().map(|machine| number(&machine["number"])).collect()
}

/// Records that are kept at a place.
pub(crate) fn stored(status: &Value) -> u64 {
    number(&status["shared"]["sequences"]) + number(&status["shared"]["findings"])
}

/// Records that a machine was the first to share.
pub(crate) fn shared(report: &Value) -> u64 {
    number(&report["exchange"]["sent"]) - number(&report["exchange"]["sent_twice"])
}

/// One finds it, the next one has it at once, and a third sends nothing that is known.
#[track_caller]
pub(crate) fn share(place: &str, environment: &[(&str, &str)]) {
    let place = Place { address: place, environment };
    let first = place.fuzz(stages().path(), &["--seed", "1", "--executions", "20000"]);
    assert_eq!(ids(&first).len(), 1, "{first:#}");
    assert_eq!((&first["exchange"]["received"], &first["exchange"]["sent_twice"]), (&json!(0), &json!(0)));
    let sent = number(&first["exchange"]["sent"]);
    assert!(sent > 3, "{sent}");

    let alone = fuzz(stages().path(), &["--seed", "7", "--executions", FEW]);
    assert_eq!(ids(&alone).len(), 0, "alone it takes longer");
    let second = place.fuzz(stages().path(), &["--seed", "7", "--executions", FEW]);
    assert_eq!(ids(&second), ids(&first));
    assert_eq!((&second["exchange"]["received"], &second["exchange"]["refused"]), (&json!(sent), &json!(0)));

    let third = place.fuzz(stages().path(), &["--seed", "1", "--executions", "20000"]);
    assert_eq!(ids(&third), ids(&first));
    assert_eq!(third["exchange"]["sent_twice"], 0, "what is known is not sent: {third:#}");
}

/// Contracts each of which has a defect that takes several calls.
pub(crate) fn several(count: usize) -> TempDir {
    let sources: Vec<(String, String)> = (0..count)
        .map(|nth| {
            let source =
                STAGES.replace("Stages", &format!("Stages{nth}")).replace("0xbeef1234", &format!("0xbeef{nth:04}"));
            (format!("Stages{nth}.sol"), source)
        })
        .collect();
    folder(&sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>())
}

/// What machines cost together ends the run of one that itself has cost next to nothing, whether it runs already or joins later.
#[track_caller]
pub(crate) fn end_together(place: &str) {
    let project = stages();
    let limited = ["fuzz", ".", "--join", place, "--seed", "1", "--workers", "1", "--format", "json", "--max-cost"];
    let cheap = [&limited[..], &["1000@0.001"]].concat();
    let running = Running::start(project.path(), &cheap);
    let dear = Running::start(project.path(), &[&limited[..], &["1e12@1e9"]].concat());
    assert!(running.report()["executions"].is_u64());

    let late = bellwether(project.path(), &cheap);
    let report = read(&late);
    assert_eq!((late.status.code(), &report["executions"]), (Some(2), &json!(0)), "{report:#}");
    let why = "the machines that share had cost what they may (`--max-cost`) before its turn";
    assert_eq!(
        (&report["contracts"][0]["state"], &report["contracts"][0]["reason"]),
        (&json!("not-fuzzed"), &json!(why))
    );
    let status = read(&bellwether(project.path(), &["fleet", "status", place, "--format", "json"]));
    assert!(status["cost"].as_f64().unwrap() > 1000.0, "{status:#}");
    // Who comes when nobody is left begins anew.
    dear.signal("-INT");
    dear.report();
    let status = read(&bellwether(project.path(), &["fleet", "status", place, "--format", "json"]));
    assert_eq!(status["cost"], Value::Null);
}

/// A process that runs, and what it tells on standard error.
pub(crate) struct Running {
    child: Child,
    told: mpsc::Receiver<String>,
}

impl Running {
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::of(&mut command(folder, arguments))
    }

    pub(crate) fn of(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (send, told) = mpsc::channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, told }
    }

    /// The lines that it writes on standard output.
    pub(crate) fn lines(&mut self) -> impl Iterator<Item = String> + use<> {
        BufReader::new(self.child.stdout.take().unwrap()).lines().map_while(Result::ok)
    }

    /// Waits for a line with these words.
    pub(crate) fn hears(&self, words: &str) -> String {
        self.told.iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("ended without {words}"))
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// What it writes at its end.
    pub(crate) fn report(mut self) -> Value {
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        self.child.wait().unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| {
            let told: Vec<String> = self.told.iter().collect();
            panic!("{error}: {text}\n{}", told.join("\n"))
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
