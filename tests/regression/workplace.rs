//! A [`Workplace`] is a project in a folder of its own, with findings whose tests are written there and run by forge; a [`Step`] is a
//! call of the sequence that shows a finding.

use crate::support::{
    fixture,
    forge::{forge_fmt, forge_test},
};
use bellwether::{
    code::Programs,
    compile::{Build, Compiler, Severity, default_cache},
    finding::{Discovery, Finding, TestChange, describe, last_violations, regression_path, regression_test, tell},
    harness::Harness,
    input::Sequence,
    oracle::{self, OracleSet, Violation},
    project::{Level, Project},
    world::World,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path, sync::Arc};
use tempfile::TempDir;

/// What fixtures are compiled with.
pub const SOLC: &str = "0.8.37";

/// A call, or the deployment.
pub struct Step {
    sender: &'static str,
    function: &'static str,
    arguments: Vec<String>,
    value: &'static str,
    seconds: u64,
    /// Who is a contract that accepts what it is called with.
    accepted_by: Option<&'static str>,
}

impl Step {
    pub fn value(self, value: &'static str) -> Self {
        Self { value, ..self }
    }

    pub fn after(self, seconds: u64) -> Self {
        Self { seconds, ..self }
    }

    pub fn accepted_by(self, account: &'static str) -> Self {
        Self { accepted_by: Some(account), ..self }
    }

    pub fn json(&self) -> Value {
        let mut json = json!({
            "function": self.function, "args": self.arguments, "sender": address(self.sender), "value": self.value,
            "delay_seconds": self.seconds, "delay_blocks": self.seconds / 12,
        });
        if let Some(account) = self.accepted_by {
            json["reaction"] = json!({ "account": address(account), "deed": "answer" });
        }
        json
    }
}

pub fn step<const N: usize>(sender: &'static str, function: &'static str, arguments: [&str; N]) -> Step {
    Step {
        sender,
        function,
        arguments: arguments.map(str::to_owned).to_vec(),
        value: "0",
        seconds: 0,
        accepted_by: None,
    }
}

pub fn deployed<const N: usize>(arguments: [&str; N]) -> Step {
    step("owner", "", arguments)
}

/// The address of a named account.
pub fn address(name: &str) -> String {
    let index = ["owner", "alice", "bob", "carol"].iter().position(|account| *account == name).unwrap();
    World::senders()[index].to_string()
}

/// A project in a folder of its own, compiled.
pub struct Workplace {
    _folder: TempDir,
    pub project: Project,
    pub build: Arc<Build>,
    programs: Arc<Programs>,
}

impl Workplace {
    pub fn of_fixture(name: &str) -> Self {
        Self::with(|root| copy(&fixture(name), root))
    }

    pub fn of_files<const N: usize>(files: [(&str, &str); N]) -> Self {
        Self::with(|root| {
            for (name, text) in files {
                write(&root.join(name), text);
            }
        })
    }

    pub fn with(fill: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fill(&root);
        let project = Project::load(&root).unwrap();
        let build = Arc::new(Compiler::new(&default_cache(), &root, true).build(&project));
        let errors: Vec<_> = build.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let programs = Arc::new(Programs::of(&build));
        Self { _folder: folder, project, build, programs }
    }

    /// A contract, ready.
    pub fn harness(&self, file: &str, contract: &str) -> Arc<Harness> {
        let id = self.build.find_contract(file, contract).unwrap();
        Arc::new(Harness::new(self.build.clone(), self.programs.clone(), id).unwrap())
    }

    /// The finding that the last of these calls shows.
    pub fn finding<const N: usize>(&self, contract: &str, deployment: Step, calls: [Step; N]) -> Finding {
        self.finding_of(&self.harness("", contract), deployment, calls)
    }

    pub fn finding_of<const N: usize>(&self, harness: &Arc<Harness>, deployment: Step, calls: [Step; N]) -> Finding {
        let mut sequence: Value = std::iter::once(&deployment).chain(&calls).map(Step::json).collect();
        sequence[0]["function"] = json!(harness.interface().constructor.signature);
        self.finding_by(harness, &sequence)
    }

    /// The finding that the last call of a sequence as JSON shows.
    pub fn finding_by(&self, harness: &Arc<Harness>, sequence: &Value) -> Finding {
        let sequence = Sequence::from_json(sequence, &harness.calls).unwrap();
        let mut oracles = OracleSet::of(harness, oracle::enabled(&self.project.config));
        let violations = last_violations(harness, &mut harness.executor(), &mut oracles, &sequence);
        let mut describe = |violation: &Violation| {
            describe(harness, &mut oracles, sequence.clone(), *violation, Level::Error, Discovery::default()).ok()
        };
        // What is only suspicious is not claimed.
        let mut findings: Vec<Finding> = violations.iter().filter_map(&mut describe).collect();
        let told: Vec<&str> = findings.iter().map(|finding| &*finding.what).collect();
        assert_eq!(told.len(), 1, "{told:?}\n{}", tell(harness, &sequence).to_text());
        findings.remove(0)
    }

    /// Writes the finding's test, and gives its full name and what it is to say.
    fn add(&self, finding: &Finding) -> (String, String) {
        let path = regression_path(finding, &self.project);
        let existing = std::fs::read_to_string(&path).ok();
        let test = regression_test(finding, &self.project, existing.as_deref()).unwrap();
        assert_eq!(test.path, path);
        assert_ne!(test.change, TestChange::Present);
        let text = test.change.apply(existing.as_deref().unwrap_or_default());
        write(&path, &text);
        let again = regression_test(finding, &self.project, Some(&text)).unwrap();
        assert_eq!((again.change, &again.name), (TestChange::Present, &test.name));
        assert_eq!(forge_fmt(&path), "", "{text}");
        let said = format!("{}: {}:{}", finding.what, finding.file, finding.lines.line);
        (format!("{}BellwetherTest::{}", finding.contract, test.name), said)
    }

    /// Writes all tests and sees them fail; then makes the changes to the sources and sees them pass.
    pub fn check(&self, findings: &[Finding], solc: &[&str], options: &[&str], fix: impl Fn(&Path)) {
        let expected: BTreeMap<_, _> = findings.iter().map(|finding| self.add(finding)).collect();
        let red = forge_test(&self.project.root, solc, options);
        assert_eq!(red.failed.iter().cloned().collect::<BTreeMap<_, _>>(), expected, "{}", red.output);
        assert_eq!(red.passed, Vec::<String>::new());
        let complaint = red.output.lines().find(|line| line.contains("--> ") && line.contains(".bellwether.t.sol"));
        assert_eq!(complaint, None, "{}", red.output);
        fix(&self.project.root);
        let green = forge_test(&self.project.root, solc, options);
        assert_eq!(green.failed, [], "{}", green.output);
        assert_eq!(green.passed, expected.into_keys().collect::<Vec<_>>(), "{}", green.output);
    }
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, target) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() { copy(&path, &target) } else { write(&target, &std::fs::read_to_string(path).unwrap()) }
    }
}

pub fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Puts the repaired twin in the place of `folder/name.sol`.
pub fn take_twin(folder: &Path, name: &str) {
    let twin = std::fs::read_to_string(folder.join(format!("{name}Fixed.sol"))).unwrap();
    std::fs::remove_file(folder.join(format!("{name}Fixed.sol"))).unwrap();
    // Every contract of the file has `Fixed` at the end of its name.
    write(&folder.join(format!("{name}.sol")), &twin.replace("Fixed", ""));
}

/// Refuses what failed: each `assert` becomes a `require`.
pub fn require_instead(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    write(file, &text.replace("assert(", "require("));
}

pub const FOUNDRY: (&str, &str) =
    ("foundry.toml", "[profile.default]\nsrc = \"src\"\nout = \"out\"\nlibs = [\"lib\"]\n");

/// As little of forge-std as a test needs.
pub const FORGE_STD: (&str, &str) = ("lib/forge-std/src/Test.sol", include_str!("Test.sol"));
