//! The forms of a report as programs and people meet them: SARIF, JUnit, lcov and HTML of real runs, each read by what reads it elsewhere.

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/forge.rs"]
mod forge;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/npm.rs"]
mod npm;
#[allow(unreachable_pub, reason = "other tests use it too")]
#[path = "../../tests/support/pypi.rs"]
mod pypi;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/redact.rs"]
mod redact;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use expect_test::expect;
use forge as cache;
use redact::redact;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

const BRIEFLY: [&str; 6] = ["--executions", "20000", "--workers", "1", "--seed", "1"];

/// A contract with a defect, a branch that is gone one way only and a function that is never called with success, one that cannot be
/// deployed, and a file that does not compile.
const FILES: [(&str, &str); 3] = [
    (
        "src/Counter.sol",
        "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter {
    uint256 n;
    function add(uint256 by) external {
        require(by < 9);
        n += by;
    }
    function check() external view {
        assert(n != 5);
    }
    function never(uint256 x) external {
        if (x > 3 && x < 3) {
            n = 0;
        }
    }
}
",
    ),
    (
        "src/Refuses.sol",
        "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Refuses {
    uint256 x;
    constructor() {
        revert(\"never\");
    }
    function f() external {
        x = 1;
    }
}
",
    ),
    ("src/Broken.sol", "pragma solidity ^0.8.20;\n\ncontract Broken { uint x = \"\"; }\n"),
];

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::write(folder.path().join("foundry.toml"), "[profile.default]\n").unwrap();
    folder
}

fn fuzz(folder: &Path, options: &[&str]) -> Output {
    let arguments = ["fuzz", "."].iter().chain(&BRIEFLY).chain(options);
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).current_dir(folder).output().unwrap()
}

/// Fuzzes, and returns what was written to a file.
fn written(folder: &Path, options: &[&str], file: &str) -> String {
    let output = fuzz(folder, options);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// Text with `…` for times.
fn timeless(text: &str, attribute: &str) -> String {
    let mut parts = text.split(attribute);
    let first = parts.next().unwrap_or_default().to_owned();
    let cut =
        |part: &str| format!("{attribute}…{}", part.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.'));
    parts.fold(first, |text, part| text + &cut(part))
}

#[test]
fn junit_has_a_suite_for_each_contract_and_skips_what_was_not_fuzzed() {
    let folder = project(&FILES);
    let text = written(folder.path(), &["--format", "junit", "--out", "junit.xml"], "junit.xml");
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="bellwether" tests="4" failures="1" errors="1" skipped="1" time="…">
          <testsuite name="src/Counter.sol:Counter" tests="2" failures="1" errors="0" skipped="0">
            <testcase name="fuzzed" classname="src/Counter.sol:Counter" file="src/Counter.sol" line="3">
              <system-out>87 % of branches, 20,000 transactions</system-out>
            </testcase>
            <testcase name="assertion: assertion can fail (895da6f2e1548cd9)" classname="src/Counter.sol:Counter" file="src/Counter.sol" line="10">
              <failure message="assertion can fail: add(5), check()" type="assertion">error[assertion]: assertion can fail: add(5), check()
        src/Counter.sol:10:9
        5 != 5: n is 5
          1. owner: new Counter() → ok
          2. owner: add(5) → ok
               n: 0 → 5
          3. owner: check() → panic 0x01: assertion failed
        An assertion states what always holds.
        </failure>
            </testcase>
          </testsuite>
          <testsuite name="src/Refuses.sol:Refuses" tests="1" failures="0" errors="0" skipped="1">
            <testcase name="fuzzed" classname="src/Refuses.sol:Refuses" file="src/Refuses.sol" line="3">
              <skipped message="not fuzzed: its constructor always fails: revert &quot;never&quot;. To have it fuzzed, add a test contract whose `setUp()` deploys it, or say in `[world]` of bellwether.toml what it is given; `--exclude` leaves its file out."/>
            </testcase>
          </testsuite>
          <testsuite name="src/Broken.sol" tests="1" failures="0" errors="1" skipped="0">
            <testcase name="compiles" classname="src/Broken.sol" file="src/Broken.sol" line="3">
              <error message="Type literal_string &quot;&quot; is not implicitly convertible to expected type uint256." type="compiling"/>
            </testcase>
          </testsuite>
        </testsuites>
    "#]].assert_eq(&timeless(&redact(&text, folder.path()), "time=\""));
}

/// Another reader counts the same.
#[test]
fn junit_is_read_by_another_reader() {
    if !slow::is_asked() {
        return;
    }
    let python = pypi::executables("junitparser==5.0.3").join("python");
    let folder = project(&FILES);
    written(folder.path(), &["--format", "junit", "--out", "junit.xml"], "junit.xml");
    let script = "\
from junitparser import JUnitXml
report = JUnitXml.fromfile('junit.xml')
print(report.tests, report.failures, report.errors, report.skipped)
for suite in report:
    print(suite.name)
    for case in suite:
        print(' ', case.name, *(f'{type(it).__name__}: {it.message}'.split('.')[0] for it in case.result))
";
    let output = Command::new(python).args(["-c", script]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    expect![[r#"
        4 1 1 1
        src/Counter.sol:Counter
          fuzzed
          assertion: assertion can fail (895da6f2e1548cd9) Failure: assertion can fail: add(5), check()
        src/Refuses.sol:Refuses
          fuzzed Skipped: not fuzzed: its constructor always fails: revert "never"
        src/Broken.sol
          compiles Error: Type literal_string "" is not implicitly convertible to expected type uint256
    "#]]
    .assert_eq(&String::from_utf8(output.stdout).unwrap());
}

#[test]
fn lcov_says_what_was_reached_and_what_should_have_been() {
    let folder = project(&FILES);
    let text = written(folder.path(), &["--lcov", "lcov.info"], "lcov.info");
    expect![[r##"
        # not fuzzed: src/Refuses.sol:Refuses: its constructor always fails: revert "never". To have it fuzzed, add a test contract whose `setUp()` deploys it, or say in `[world]` of bellwether.toml what it is given; `--exclude` leaves its file out.
        # not compiled: src/Broken.sol:3: Type literal_string "" is not implicitly convertible to expected type uint256.
        TN:
        SF:src/Counter.sol
        FN:5,Counter.add
        FN:9,Counter.check
        FN:12,Counter.never
        FNDA:1,Counter.add
        FNDA:1,Counter.check
        FNDA:1,Counter.never
        FNF:3
        FNH:3
        BRDA:6,0,0,1
        BRDA:6,0,1,1
        BRDA:10,1,0,1
        BRDA:10,1,1,1
        BRDA:13,2,0,0
        BRDA:13,2,1,1
        BRDA:13,3,0,1
        BRDA:13,3,1,1
        BRF:8
        BRH:7
        DA:5,1
        DA:6,1
        DA:7,1
        DA:9,1
        DA:10,1
        DA:12,1
        DA:13,1
        DA:14,0
        LF:8
        LH:7
        end_of_record
        TN:
        SF:src/Refuses.sol
        FN:5,Refuses.constructor
        FN:8,Refuses.f
        FNDA:1,Refuses.constructor
        FNDA:0,Refuses.f
        FNF:2
        FNH:1
        BRDA:5,0,0,0
        BRDA:5,0,1,1
        BRF:2
        BRH:1
        DA:5,1
        DA:6,1
        DA:8,0
        DA:9,0
        LF:4
        LH:2
        end_of_record
        TN:
        SF:src/Broken.sol
        DA:3,0
        LF:1
        LH:0
        end_of_record
    "##]].assert_eq(&text);
}

#[test]
fn sarif_has_the_calls_as_a_code_flow_and_what_was_not_fuzzed_as_notifications() {
    let folder = project(&FILES);
    let text = written(folder.path(), &["--format", "sarif", "--out", "run.sarif"], "run.sarif");
    let log: Value = serde_json::from_str(&text).unwrap();
    let run = &log["runs"][0];
    let mut result = run["results"][0].clone();
    result["properties"]["executions"] = "…".into();
    expect![[r#"
        {
          "ruleId": "assertion",
          "ruleIndex": 0,
          "level": "error",
          "message": {
            "text": "assertion can fail: add(5), check(). 5 != 5: n is 5. An assertion states what always holds.",
            "markdown": "assertion can fail\n\n`5 != 5`: `n` is 5.\n\n1. **owner** deploys `new Counter()` → ok\n2. **owner** calls `add(5)` → ok\n   - `n`: 0 → 5\n3. **owner** calls `check()` → panic 0x01: assertion failed\n\nAn assertion states what always holds."
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "src/Counter.sol",
                  "uriBaseId": "%SRCROOT%"
                },
                "region": {
                  "startLine": 10,
                  "startColumn": 9,
                  "endLine": 10,
                  "endColumn": 23,
                  "snippet": {
                    "text": "assert(n != 5)"
                  }
                }
              },
              "logicalLocations": [
                {
                  "name": "check",
                  "fullyQualifiedName": "Counter.check",
                  "kind": "function"
                }
              ]
            }
          ],
          "partialFingerprints": {
            "bellwetherFinding/v1": "895da6f2e1548cd9"
          },
          "codeFlows": [
            {
              "message": {
                "text": "The calls that show it, from a clean world."
              },
              "threadFlows": [
                {
                  "locations": [
                    {
                      "location": {
                        "physicalLocation": {
                          "artifactLocation": {
                            "uri": "src/Counter.sol",
                            "uriBaseId": "%SRCROOT%"
                          },
                          "region": {
                            "startLine": 3,
                            "startColumn": 1,
                            "endLine": 3,
                            "endColumn": 19
                          }
                        },
                        "message": {
                          "text": "1. owner: new Counter() → ok"
                        }
                      },
                      "executionOrder": 1,
                      "importance": "unimportant"
                    },
                    {
                      "location": {
                        "physicalLocation": {
                          "artifactLocation": {
                            "uri": "src/Counter.sol",
                            "uriBaseId": "%SRCROOT%"
                          },
                          "region": {
                            "startLine": 5,
                            "startColumn": 5,
                            "endLine": 5,
                            "endColumn": 40
                          }
                        },
                        "message": {
                          "text": "2. owner: add(5) → ok"
                        }
                      },
                      "executionOrder": 2,
                      "importance": "important",
                      "state": {
                        "n": {
                          "text": "5"
                        }
                      }
                    },
                    {
                      "location": {
                        "physicalLocation": {
                          "artifactLocation": {
                            "uri": "src/Counter.sol",
                            "uriBaseId": "%SRCROOT%"
                          },
                          "region": {
                            "startLine": 9,
                            "startColumn": 5,
                            "endLine": 9,
                            "endColumn": 37
                          }
                        },
                        "message": {
                          "text": "3. owner: check() → panic 0x01: assertion failed"
                        }
                      },
                      "executionOrder": 3,
                      "importance": "important"
                    },
                    {
                      "location": {
                        "physicalLocation": {
                          "artifactLocation": {
                            "uri": "src/Counter.sol",
                            "uriBaseId": "%SRCROOT%"
                          },
                          "region": {
                            "startLine": 10,
                            "startColumn": 9,
                            "endLine": 10,
                            "endColumn": 23,
                            "snippet": {
                              "text": "assert(n != 5)"
                            }
                          }
                        },
                        "logicalLocations": [
                          {
                            "name": "check",
                            "fullyQualifiedName": "Counter.check",
                            "kind": "function"
                          }
                        ],
                        "message": {
                          "text": "assertion can fail"
                        }
                      },
                      "executionOrder": 4,
                      "importance": "essential"
                    }
                  ]
                }
              ]
            }
          ],
          "properties": {
            "contract": "Counter",
            "executions": "…"
          }
        }"#]].assert_eq(&serde_json::to_string_pretty(&result).unwrap());
    expect![[r#"
        [
          {
            "executionSuccessful": true,
            "toolExecutionNotifications": [
              {
                "descriptor": {
                  "id": "not-fuzzed",
                  "index": 1
                },
                "level": "error",
                "message": {
                  "text": "Refuses was not fuzzed: its constructor always fails: revert \"never\". To have it fuzzed, add a test contract whose `setUp()` deploys it, or say in `[world]` of bellwether.toml what it is given; `--exclude` leaves its file out."
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "src/Refuses.sol",
                        "uriBaseId": "%SRCROOT%"
                      },
                      "region": {
                        "startLine": 3
                      }
                    }
                  }
                ]
              },
              {
                "descriptor": {
                  "id": "not-compiled",
                  "index": 0
                },
                "level": "error",
                "message": {
                  "text": "Type literal_string \"\" is not implicitly convertible to expected type uint256."
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "src/Broken.sol",
                        "uriBaseId": "%SRCROOT%"
                      },
                      "region": {
                        "startLine": 3
                      }
                    }
                  }
                ]
              }
            ]
          }
        ]"#]].assert_eq(&serde_json::to_string_pretty(&run["invocations"]).unwrap());
    assert_eq!(run["results"].as_array().unwrap().len(), 1);
    let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], "assertion");
}

#[test]
fn what_is_known_and_what_is_ignored_is_told_so_in_each_form() {
    let ignored = FILES[0]
        .1
        .replace("        assert(n != 5);", "        assert(n != 5); // bellwether-ignore assertion: a puzzle");
    let folder = project(&[FILES[0], ("src/Puzzle.sol", &ignored.replace("Counter", "Puzzle"))]);
    fuzz(folder.path(), &["--format", "json", "--out", "before.json"]);
    let options = ["--baseline", "before.json", "--format"];
    let run = |form: &str| {
        let output = fuzz(folder.path(), &[&options[..], &[form]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let log: Value = serde_json::from_str(&run("sarif")).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let told: Vec<_> =
        results.iter().map(|result| (&result["baselineState"], &result["suppressions"][0]["justification"])).collect();
    assert_eq!(told, [(&"unchanged".into(), &Value::Null), (&"new".into(), &"a puzzle".into())]);
    let junit = run("junit");
    assert!(junit.contains("failures=\"0\" errors=\"0\" skipped=\"2\""), "{junit}");
    assert!(junit.contains("<skipped message=\"known, in the baseline: assertion can fail"), "{junit}");
    assert!(junit.contains("<skipped message=\"ignored: a puzzle\"/>"), "{junit}");
    let page = folder.path().join("page.html");
    fuzz(folder.path(), &["--baseline", "before.json", "--html", page.to_str().unwrap()]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.contains("No new finding")
            && page.contains("Not new: in the baseline.")
            && page.contains("Ignored: a puzzle")
    );
}

#[test]
fn where_nothing_was_fuzzed_no_form_looks_as_if_something_was() {
    let folder = project(&FILES[1..]);
    let run = |options: &[&str]| {
        let output = fuzz(folder.path(), options);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let junit = run(&["--format", "junit"]);
    assert!(junit.contains("<error message=\"nothing was fuzzed"), "{junit}");
    let log: Value = serde_json::from_str(&run(&["--format", "sarif"])).unwrap();
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    run(&["--lcov", "lcov.info", "--html", "page.html"]);
    let lcov = std::fs::read_to_string(folder.path().join("lcov.info")).unwrap();
    // Deploying was tried: the constructor did run up to where it reverts, and nothing else.
    let ran: Vec<&str> = lcov.lines().filter(|line| line.starts_with("FNDA:1")).collect();
    assert_eq!(ran, ["FNDA:1,Refuses.constructor"], "{lcov}");
    assert!(
        lcov.contains("SF:src/Refuses.sol\n") && lcov.contains("SF:src/Broken.sol\nDA:3,0\nLF:1\nLH:0\n"),
        "{lcov}"
    );
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<h1 class=\"bad\">Nothing was fuzzed</h1>"), "{page}");
}

/// A source that tries to be a program on a page, by its text, its names and its messages. What turns the direction of its text ends on the
/// line, or the compiler refuses it.
const HOSTILE: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
// </code><script>window.hostile = 1</script><img src=x onerror=\"window.hostile = 1\">
contract Hostile {
    uint256 n;
    function f(string calldata said) external {
        n = bytes(said).length;
    }
    function check() external view {
        require(n < 40, \"</pre><script>window.hostile = 1</script>\");
        assert(n < 20); // \u{2067}\u{202e}turned\u{202c}\u{2069}
    }
}
";

/// A second project beside it, whose folder has a name that is no name.
fn hostile() -> tempfile::TempDir {
    project(&[
        ("src/Hostile.sol", HOSTILE),
        ("src/Refuses.sol", &FILES[1].1.replace("\"never\"", "\"<script>window.hostile = 1</script>\"")),
        ("src/<b onclick=hostile>.sol", &FILES[0].1.replace("Counter", "Named")),
    ])
}

#[test]
fn a_hostile_source_is_text_on_the_page() {
    let folder = hostile();
    let page = written(folder.path(), &["--html", "page.html"], "page.html");
    for part in ["<script", "<img", "<b onclick", "onerror=\"", "\u{202e}", "\u{2067}"] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("&lt;script&gt;window.hostile = 1&lt;/script&gt;"));
    assert!(page.contains("\u{27e8}U+202E\u{27e9}turned"));
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
}

#[test]
fn files_that_cannot_be_written_are_told_before_anything_is_run() {
    let folder = project(&FILES[..1]);
    for (options, said) in [
        (&["--lcov", "none/lcov.info"][..], "error: --lcov none/lcov.info: there is no folder none; make it first\n"),
        (&["--html", "src"], "error: --html src: is a folder; give a file\n"),
        (&["--out", "a", "--lcov", "a"], "error: --lcov a: --out writes to the same file; give another file\n"),
    ] {
        let output = fuzz(folder.path(), options);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
        assert!(output.stdout.is_empty());
    }
}

/// Unpacks packages of the distribution in the cache of tests; nothing is installed.
fn debian(name: &str, packages: &[&str]) -> PathBuf {
    let folder = forge::cache().join(name);
    let _lock = forge::lock(name);
    if !folder.is_dir() {
        let staging = tempfile::tempdir_in(forge::cache()).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).current_dir(staging.path()).output();
            let output = output.unwrap_or_else(|error| panic!("{program}: {error}; put lcov on PATH"));
            assert!(
                output.status.success(),
                "{program}: {}; put lcov on PATH",
                String::from_utf8_lossy(&output.stderr)
            );
        };
        run("apt-get", &[&["download"], packages].concat());
        for file in std::fs::read_dir(staging.path()).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|extension| extension == "deb") {
                run("dpkg", &["-x", file.to_str().unwrap(), "."]);
                std::fs::remove_file(file).unwrap();
            }
        }
        std::fs::rename(staging.keep(), &folder).unwrap();
    }
    folder
}

/// A program of lcov: the one on PATH, or else Debian's.
fn lcov(program: &str) -> Command {
    if Command::new(program).arg("--version").output().is_ok() {
        return Command::new(program);
    }
    let folder = debian("lcov", &["lcov", "libjson-perl"]);
    let mut command = Command::new("perl");
    command.arg("-I").arg(folder.join("usr/share/perl5")).arg(folder.join("usr/bin").join(program));
    command
}

#[test]
fn the_real_lcov_reads_it() {
    if !slow::is_asked() {
        return;
    }
    let folder = project(&FILES[..2]);
    written(folder.path(), &["--lcov", "lcov.info"], "lcov.info");
    let run = |program: &str, arguments: &[&str]| {
        let output = lcov(program).args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let rates = |text: &str| {
        let rates = text.lines().filter(|line| line.contains("%")).map(str::trim);
        rates.map(str::to_owned).collect::<Vec<_>>()
    };
    let branches = ["--rc", "lcov_branch_coverage=1"];
    let summary = rates(&run("lcov", &[&["--summary", "lcov.info"], &branches[..]].concat()));
    expect![[r#"
        lines......: 75.0% (9 of 12 lines)
        functions..: 80.0% (4 of 5 functions)
        branches...: 80.0% (8 of 10 branches)"#]]
    .assert_eq(&summary.join("\n"));
    run("genhtml", &["lcov.info", "--branch-coverage", "--output-directory", "html"]);
    assert!(
        folder.path().join("html/src/Counter.sol.gcov.html").is_file()
            || folder.path().join("html/index.html").is_file()
    );
}

#[test]
fn the_committee_s_schema_accepts_the_log() {
    if !slow::is_asked() {
        return;
    }
    let folder = project(&FILES);
    written(folder.path(), &["--format", "sarif", "--out", "run.sarif"], "run.sarif");
    let package = npm::package("@microsoft/sarif-multitool@5.7.0");
    let system = if cfg!(windows) { "win32" } else { std::env::consts::OS.trim_end_matches("os") };
    let system = if system == "mac" { "darwin" } else { system };
    let program = package.with_file_name(format!("sarif-multitool-{system}")).join("Sarif.Multitool");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let output = Command::new(program)
        .args([
            "validate",
            "run.sarif",
            "--output",
            "validated.sarif",
            "--level",
            "Error;Warning",
            "--log",
            "ForceOverwrite",
            "--rule-kind",
            "Sarif;Ghas",
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let log = std::fs::read_to_string(folder.path().join("validated.sarif")).unwrap_or_else(|_| panic!("{said}"));
    let log: Value = serde_json::from_str(log.trim_start_matches('\u{feff}')).unwrap();
    let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    // The repository has no address yet that a log could name.
    let is_address = |result: &Value| result["message"]["id"] == "Warning_ProvideToolnformationUri";
    let told: Vec<String> = results
        .iter()
        .filter(|result| !is_address(result))
        .map(|result| format!("{} {} {}", result["ruleId"], result["message"], result["locations"]))
        .collect();
    assert_eq!(told, [""; 0], "{said}");
    assert!(output.status.success(), "{said}");
}

#[test]
fn the_page_in_a_real_browser() {
    if !slow::is_asked() {
        return;
    }
    let folder = hostile();
    written(folder.path(), &["--html", "page.html"], "page.html");
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("html");
    let status = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/html/page.test.js"))
        .env("BELLWETHER_PAGE", folder.path().join("page.html"))
        .env("BELLWETHER_TEST_CACHE", forge::cache())
        .env("BELLWETHER_TEST_OUTPUT", &pictures)
        .status()
        .unwrap_or_else(|error| panic!("node cannot be started ({error}): install Node 20 or newer"));
    assert!(status.success(), "pictures are in {}", pictures.display());
}
