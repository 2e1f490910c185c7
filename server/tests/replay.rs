//! What a saved finding may do: it is replayed on the project that the command line names, and its test replaces nobody's file.

use expect_test::expect;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn bellwether(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).current_dir(folder).output().unwrap()
}

/// A folder with `p/Counter.sol`, which has a defect, and the finding of it, saved as `name` says the project.
struct Saved {
    folder: tempfile::TempDir,
    finding: PathBuf,
}

impl Saved {
    fn new() -> Self {
        let source = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Counter {\n    uint256 n;\n    \
                      function add(uint256 by) external { require(by < 9); n += by; }\n    \
                      function check() external view { assert(n != 5); }\n}\n";
        Self::of(&[("Counter.sol", source), ("bellwether.toml", "")])
    }

    /// A folder with these files in `p`, and the finding that has a defect.
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join("p").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        std::fs::create_dir_all(folder.path().join("elsewhere")).unwrap();
        let limits = ["--executions", "20000", "--workers", "1", "--seed", "1", "--quiet", "--findings", "found"];
        bellwether(folder.path(), &[&["fuzz", "p"][..], &limits].concat());
        let finding = std::fs::read_dir(folder.path().join("found")).unwrap().next().unwrap().unwrap().path();
        Self { folder, finding }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Has the file name another project.
    fn name(&self, project: &str) {
        let mut json: serde_json::Value = serde_json::from_slice(&std::fs::read(&self.finding).unwrap()).unwrap();
        json["project"] = project.into();
        std::fs::write(&self.finding, json.to_string()).unwrap();
    }

    fn run(&self, from: &str, command: &str, more: &[&str]) -> (Option<i32>, String) {
        let finding = self.finding.to_str().unwrap();
        let output = bellwether(&self.path(from), &[&[command, finding], more].concat());
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    }
}

const STILL: &str = "still fails: Counter.sol:6: assertion can fail: add(5), check()\n";

#[test]
fn the_project_is_the_one_that_the_command_line_names_or_else_one_below_the_current_folder() {
    let saved = Saved::new();
    let still = (Some(0), STILL.to_owned());
    assert_eq!(saved.run("", "replay", &[]), still);
    for (from, project) in [("p", "."), ("elsewhere", "../p"), ("found", "../p/Counter.sol")] {
        assert_eq!(saved.run(from, "replay", &["--project", project]), still, "{from} {project}");
    }
    let (code, says) = saved.run("elsewhere", "test", &["--project", "../p"]);
    assert_eq!((code, saved.path("p/test/Counter.bellwether.t.sol").is_file()), (Some(0), true), "{says}");

    let (code, says) = saved.run("", "replay", &["--project", "elsewhere"]);
    assert_eq!(code, Some(2));
    assert!(
        says.contains("contract Counter of Counter.sol is not in the project any more; if the project is in another"),
        "{says}"
    );
}

#[test]
fn a_finding_does_not_choose_a_folder_elsewhere() {
    let saved = Saved::new();
    let whole = saved.path("p").to_str().unwrap().to_owned();
    let mut cases =
        vec![("elsewhere", whole.clone()), ("elsewhere", "../p".to_owned()), ("elsewhere", "absent".to_owned())];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../p", saved.path("elsewhere/link")).unwrap();
        cases.push(("elsewhere", "link".to_owned()));
    }
    // Below the current folder, but part of a project that is not.
    std::fs::create_dir(saved.path("p/sub")).unwrap();
    cases.push(("p/sub", ".".to_owned()));
    for (from, project) in cases {
        saved.name(&project);
        let error = format!(
            "error: {}: its project {project:?} is not below the current folder; say where the project is with --project DIR\n",
            saved.finding.display()
        );
        for command in ["replay", "test"] {
            assert_eq!(saved.run(from, command, &[]), (Some(2), error.clone()), "{from} {project}");
        }
    }
    // The same folder, when the current one is around it.
    saved.name(&whole);
    assert_eq!(saved.run("", "replay", &[]), (Some(0), STILL.to_owned()));
}

#[test]
fn a_test_replaces_no_file_that_cannot_be_read() {
    let saved = Saved::new();
    let bytes = b"// caf\xe9: somebody wrote this\ncontract A {}\n";
    for (file, more) in [("mine.t.sol", &["--out", "mine.t.sol"][..]), ("p/test/Counter.bellwether.t.sol", &[])] {
        std::fs::create_dir_all(saved.path(file).parent().unwrap()).unwrap();
        std::fs::write(saved.path(file), bytes).unwrap();
        let (code, says) = saved.run("", "test", more);
        assert_eq!(code, Some(2), "{says}");
        assert!(
            says.starts_with("error: ")
                && says.ends_with(&format!(
                    "{file} is not UTF-8 (line 1), so no test can be added to it; repair it, move it away, or name another file \
                     with --out\n"
                )),
            "{says}"
        );
        assert_eq!(std::fs::read(saved.path(file)).unwrap(), bytes);
    }
    let (code, says) = saved.run("", "test", &["--out", "found"]);
    assert!(code == Some(2) && says.contains("found cannot be read ("), "{says}");
}

#[test]
fn each_finding_of_a_folder_gets_a_test() {
    let counter = |name: &str, check: &str| {
        format!(
            "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract {name} {{\n    uint256 n;\n    \
             function add(uint256 by) external {{ require(by < 9); n += by; }}\n    \
             function check() external view {{ {check} }}\n}}\n"
        )
    };
    let (first, second) =
        (counter("First", "assert(n != 5);"), counter("Second", "uint256 twice = 2 * n; assert(twice < 7);"));
    let saved = Saved::of(&[("First.sol", &first), ("Second.sol", &second), ("bellwether.toml", "")]);
    std::fs::write(saved.path("found/README.md"), "nobody reads this").unwrap();
    let test = |more: &[&str]| {
        let output = bellwether(&saved.path(""), &[&["test", "found"], more].concat());
        let says = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.code(), says.replace(saved.folder.path().to_str().unwrap(), "FOLDER"))
    };
    let (code, says) = test(&[]);
    assert_eq!(code, Some(0), "{says}");
    expect![[r#"
        test_regression_assertion_check written to FOLDER/p/test/Second.bellwether.t.sol
        test_regression_assertion_check written to FOLDER/p/test/First.bellwether.t.sol
    "#]]
    .assert_eq(&says);

    // One is mended, and one cannot be read.
    std::fs::write(saved.path("p/First.sol"), first.replace("n != 5", "n >= 0")).unwrap();
    std::fs::write(saved.path("found/zeta.json"), "{").unwrap();
    let (code, says) = test(&["--out", "tests"]);
    assert_eq!(code, Some(2), "{says}");
    expect![[r#"
        test_regression_assertion_check written to FOLDER/tests/Second.bellwether.t.sol
        found/bc6d4dce97883195.json: the finding no longer fails, so no test is written
        error: found/zeta.json is not JSON: EOF while parsing an object at line 1 column 1
    "#]]
    .assert_eq(&says);
    assert_eq!(std::fs::read_dir(saved.path("tests")).unwrap().count(), 1);

    let (code, says) = {
        let output = bellwether(&saved.path(""), &["test", "elsewhere"]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(code, Some(2));
    expect![[r#"
        error: elsewhere: no FINDING.json in this folder; name a folder that `bellwether fuzz --findings` wrote
    "#]]
    .assert_eq(&says);
}

#[cfg(unix)]
#[test]
fn a_test_is_written_through_no_link_that_leads_out_of_the_workspace() {
    let saved = Saved::new();
    std::fs::create_dir(saved.path("p/test")).unwrap();
    std::os::unix::fs::symlink("../../elsewhere/new.sol", saved.path("p/test/Counter.bellwether.t.sol")).unwrap();
    let (code, says) = saved.run("", "test", &[]);
    assert_eq!(code, Some(2));
    assert!(says.contains("Counter.bellwether.t.sol leads out of the workspace through a symbolic link"), "{says}");
    assert!(!saved.path("elsewhere/new.sol").exists());

    std::fs::write(saved.path("p/bellwether.toml"), "test.directory = '../elsewhere'").unwrap();
    std::fs::remove_file(saved.path("p/test/Counter.bellwether.t.sol")).unwrap();
    let (code, says) = saved.run("", "test", &[]);
    assert!(
        code == Some(0) && says.contains("bellwether.toml:1: `test.directory` leads out of the workspace"),
        "{says}"
    );
    assert!(
        saved.path("p/test/Counter.bellwether.t.sol").is_file()
            && !saved.path("elsewhere/Counter.bellwether.t.sol").exists()
    );
}

#[test]
fn a_property_that_does_not_hold_is_replayed() {
    let source = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Counter {\n    uint256 n;\n    \
                  function add(uint256 by) external { require(by < 9); n += by; }\n    \
                  function echidna_small() external view returns (bool) { return n < 5; }\n}\n";
    let saved = Saved::of(&[("Counter.sol", source), ("bellwether.toml", "")]);
    let still = "still fails: Counter.sol:6: property can be broken: add(5), echidna_small()\n";
    assert_eq!(saved.run("", "replay", &[]), (Some(0), still.to_owned()));
}

#[test]
fn a_finding_in_the_world_of_a_setup_is_replayed_there() {
    // People deploy nothing that asks for code.
    let source = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Counter {\n    uint256 n;\n    \
                  constructor(uint256 first) { require(msg.sender.code.length > 0); n = first; }\n    \
                  function add(uint256 by) external { require(by < 9); n += by; }\n    \
                  function check() external view { assert(n != 12); }\n}\n";
    let test = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\nimport {Counter} from \"../src/Counter.sol\";\n\
                contract CounterTest {\n    Counter counter;\n    \
                function setUp() public { counter = new Counter(7); }\n    \
                function test_counts() public { counter.add(1); }\n}\n";
    let saved = Saved::of(&[("src/Counter.sol", source), ("test/Counter.t.sol", test), ("foundry.toml", "")]);
    let still = "still fails: src/Counter.sol:7: assertion can fail: CounterTest.setUp(), add(5), check()\n";
    assert_eq!(saved.run("", "replay", &[]), (Some(0), still.to_owned()));

    std::fs::write(saved.path("p/test/Counter.t.sol"), test.replace("new Counter(7)", "Counter(address(0))")).unwrap();
    let gone = "error: setUp() of CounterTest no longer creates a Counter, so the finding cannot be replayed\n";
    assert_eq!(saved.run("", "replay", &[]), (Some(2), gone.to_owned()));
}
