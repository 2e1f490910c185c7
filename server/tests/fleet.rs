//! Several processes that share what they find by a folder, and what they make of a place that lies, or that is none. For servers see
//! `fleet_servers.rs`.

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/files.rs"]
mod files;
mod machines;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/poll.rs"]
mod poll;

use files::files;
use machines::{
    FEW, OTHER, Place, Running, STAGES, bellwether, end_together, folder, fuzz, ids, number, numbers, read, share,
    stages, status,
};
use poll::{poll, poll_until};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

#[test]
fn what_one_process_found_another_has_at_once() {
    let place = tempfile::tempdir().unwrap();
    share(place.path().to_str().unwrap(), &[]);
    for file in files(place.path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains("require") && !text.contains("assert(") && !text.contains("stage !="), "{text}");
    }
}

/// An assertion that fails, also in the world that the `setUp()` of a test makes.
const VAULT: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Token {
    mapping(address => uint256) public balance;
    function mint(address to, uint256 amount) external { balance[to] += amount; }
}
contract Vault {
    Token token;
    uint256 public taken;
    constructor(Token token_) { token = token_; }
    function take(uint256 amount) external { require(token.balance(address(this)) > 0 && amount > 99); taken = amount; }
    function check() external view { assert(taken == 0); }
}
";
const TEST: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Token, Vault} from \"./Vault.sol\";
contract VaultTest {
    Vault vault;
    function setUp() public {
        Token token = new Token();
        vault = new Vault(token);
        token.mint(address(vault), 1000);
    }
    function testTake(uint256 amount) public { if (amount > 99) vault.take(amount); }
}
";

/// The names of all fields of a value.
fn fields(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Object(all) => {
            all.iter().flat_map(|(name, value)| fields(value).into_iter().chain([name.clone()])).collect()
        }
        Value::Array(values) => values.iter().flat_map(fields).collect(),
        _ => BTreeSet::new(),
    }
}

#[test]
fn the_page_lists_all_that_a_record_says() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/fleet.md")).unwrap();
    let (_, rest) = page.split_once("## What is sent").unwrap();
    let (tables, _) = rest.split_once("The receiving machine makes the rest").unwrap();
    let rows = tables.lines().filter(|line| line.starts_with("| `"));
    let listed: BTreeSet<String> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).map(str::to_owned).collect();

    let config = "[profile.default]\nsrc = \".\"\n";
    let project = folder(&[("foundry.toml", config), ("Vault.sol", VAULT), ("Vault.t.sol", TEST)]);
    let place = tempfile::tempdir().unwrap();
    let join = ["--join", place.path().to_str().unwrap(), "--seed", "1", "--executions", "30000"];
    assert!(!ids(&fuzz(project.path(), &join)).is_empty());
    let records = files(&place.path().join("1")).into_iter();
    let records = records.map(|file| serde_json::from_str::<Value>(&std::fs::read_to_string(file).unwrap()).unwrap());
    let said: BTreeSet<String> = records.flat_map(|record| fields(&record)).collect();
    for field in ["suite", "suite_file", "shrunk", "swc", "project", "setup", "target_contract"] {
        assert!(said.contains(field), "no record has `{field}`: {said:?}");
    }
    let unlisted: Vec<_> = said.difference(&listed).collect();
    assert!(unlisted.is_empty(), "not on the page: {unlisted:?}");
}

#[test]
fn one_joins_while_others_run_and_a_status_tells_who_fuzzes() {
    let (project, place) = (stages(), tempfile::tempdir().unwrap());
    let place = place.path().to_str().unwrap();
    let arguments = ["fuzz", ".", "--join", place, "--seed", "1", "--workers", "1", "--seconds", "0"];
    let _running = Running::start(project.path(), &arguments);
    let status = || status(project.path(), place);
    let told = poll("the news of a machine with its finding", || {
        let told = status();
        let has_found = told["machines"][0]["findings"].as_array().is_some_and(|found| !found.is_empty());
        has_found.then_some(told)
    });
    assert_eq!((&told["machines"][0]["number"], &told["contracts"][0]["name"]), (&json!(0), &json!("Stages")));
    assert!(number(&told["shared"]["sequences"]) > 3 && number(&told["shared"]["findings"]) >= 1, "{told:#}");
    let joined = fuzz(project.path(), &["--join", place, "--seed", "5", "--executions", FEW]);
    assert_eq!((ids(&joined).len(), &joined["seed"]), (1, &json!(6)), "the second of two draws other numbers");
    let text = bellwether(project.path(), &["fleet", "status", place]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("1 machine ·") && text.contains("Stages.sol:Stages · "), "{text}");
}

#[test]
fn machines_that_lie_of_themselves_disturb_neither_a_run_nor_a_status() {
    let (project, place) = (stages(), tempfile::tempdir().unwrap());
    let machines = place.path().join("machines");
    std::fs::create_dir(&machines).unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(machines.join(name), content).unwrap();
    let most = u64::MAX;
    let lies = json!({
        "id": "\u{1b}[2J\r\n", "version": "x".repeat(1000), "seconds": most, "executions": most, "replayed": most,
        "contracts": [
            { "name": "Stages\u{7}", "file": "../../\u{1b}]0;title", "executions": most, "covered": u32::MAX, "known": 0 },
            {
                "name": "Stages", "file": "Stages.sol", "executions": most, "covered": u32::MAX, "known": 1,
                "code": "\u{1b}[2J", "blocks": u32::MAX, "reached": "fz\u{7}".repeat(1000),
            },
        ],
        "findings": ["\u{1b}[2J", "29a30643673cf355"],
        "growth": [{ "seconds": most, "covered": u32::MAX, "findings": u32::MAX }, { "seconds": 0, "covered": 0, "findings": 0 }],
    });
    write("0-0.json", lies.to_string().as_bytes());
    write("1-18446744073709551615.json", lies.to_string().as_bytes());
    write("2-0.json", b"[[[[");
    write("3-0.json", &vec![b' '; 1 << 20]);
    write("4-0.json", b"{\"seconds\": -1}");
    write("4294967295-0.json", lies.to_string().as_bytes());
    for note in ["0.00000000000000aa", "0.00000000000000bb", "1.x", "9.00000000000000aa"] {
        write(note, b"");
    }
    let joined = place.path().to_str().unwrap();
    let report = fuzz(project.path(), &["--join", joined, "--seed", "1", "--executions", "20000"]);
    assert_eq!((ids(&report).len(), &report["seed"]), (1, &json!(6)), "the lowest number that is free");

    let output = bellwether(project.path(), &["fleet", "status", joined]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("2 machines"), "{text}");
    assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
    let status = read(&bellwether(project.path(), &["fleet", "status", joined, "--format", "json"]));
    assert_eq!(status["machines"].as_array().unwrap().len(), 2);
}

#[test]
fn machines_that_share_end_when_they_have_cost_what_they_may() {
    let place = tempfile::tempdir().unwrap();
    end_together(place.path().to_str().unwrap());
}

#[test]
fn records_that_lie_are_refused_and_the_run_goes_on() {
    let (project, place) = (stages(), tempfile::tempdir().unwrap());
    let join = ["--join", place.path().to_str().unwrap()];
    let first = fuzz(project.path(), &[&join[..], &["--seed", "1", "--executions", "20000"]].concat());
    let corpus = files(place.path()).into_iter().find(|file| file.parent().unwrap().ends_with("corpus")).unwrap();
    let corpus = corpus.parent().unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(corpus.join(name), content).unwrap();
    // A name that is not the hash of the content; no text; too much; and what is no record at all.
    write("00000000000000000000000000000001.json", b"{\"sequence\": []}");
    write("00000000000000000000000000000002.json", &[0xff; 64]);
    write("00000000000000000000000000000003.json", &vec![b' '; 1 << 20]);
    write("README.md", b"not ours");
    let output = bellwether(
        project.path(),
        &["fuzz", ".", "--workers", "1", "--format", "json", "--seed", "7", "--executions", FEW, join[0], join[1]],
    );
    let report = read(&output);
    assert_eq!((ids(&report), &report["exchange"]["refused"]), (ids(&first), &json!(3)));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told.matches("it is left out, like all others with this fault").count(), 1, "{told}");
}

/// Records of another contract, and of another version of the form, are told and left out.
#[test]
fn records_of_others_are_left_out() {
    let (project, other, place) = (stages(), folder(&[("Other.sol", OTHER)]), tempfile::tempdir().unwrap());
    let join = place.path().to_str().unwrap();
    let first = fuzz(project.path(), &["--join", join, "--seed", "1", "--executions", "20000"]);
    let own = files(&place.path().join("1")).into_iter().find(|file| file.parent().unwrap().ends_with("corpus"));
    let own = own.unwrap().parent().unwrap().to_owned();
    // As if it was about this contract.
    fuzz(other.path(), &["--seed", "1", "--executions", "2000", "--corpus", "kept"]);
    let foreign = files(&other.path().join("kept")).into_iter().find(|file| file.parent().unwrap().ends_with("corpus"));
    let foreign = foreign.unwrap();
    std::fs::copy(&foreign, own.join(foreign.file_name().unwrap())).unwrap();
    std::fs::create_dir_all(place.path().join("2/Stages-0/corpus")).unwrap();
    std::fs::write(place.path().join("2/Stages-0/corpus/00000000000000000000000000000001.json"), "?").unwrap();

    let arguments = ["fuzz", ".", "--workers", "1", "--format", "json", "--seed", "7", "--executions", "20000"];
    let output = bellwether(project.path(), &[&arguments[..], &["--join", join]].concat());
    let report = read(&output);
    assert_eq!((ids(&report), &report["exchange"]["refused"]), (ids(&first), &json!(1)), "{report:#}");
    let told = String::from_utf8(output.stderr).unwrap().replace(join, "PLACE");
    let told: Vec<&str> = told.lines().filter(|line| line.contains("PLACE")).collect();
    let refused = format!(
        "{}/{} calls no function of the contract",
        own.parent().unwrap().file_name().unwrap().to_str().unwrap(),
        foreign.file_stem().unwrap().to_str().unwrap()
    );
    let of_other_version = "has records in form 2, which another version of Bellwether wrote; they are left out; run the same version on all machines";
    let mut expected = [
        format!("warning: --join PLACE: {of_other_version}"),
        format!("warning: --join PLACE: {refused}; it is left out, like all others with this fault"),
    ];
    expected.sort_unstable();
    let mut told: Vec<&str> = told.clone();
    told.sort_unstable();
    assert_eq!(told, expected);

    let status = bellwether(project.path(), &["fleet", "status", join]);
    let status = String::from_utf8(status.stdout).unwrap();
    assert_eq!(status.lines().last().unwrap(), format!("  warning: {of_other_version}"));
    let merged = bellwether(project.path(), &["corpus", "merge", join, "all"]);
    let told = String::from_utf8(merged.stderr).unwrap();
    assert_eq!(told, format!("warning: {join}: {of_other_version}\n"));
    std::fs::remove_dir_all(place.path().join("1")).unwrap();
    std::fs::remove_dir_all(place.path().join("machines")).unwrap();
    let status = bellwether(project.path(), &["fleet", "status", join]);
    assert_eq!(String::from_utf8(status.stderr).unwrap(), format!("error: {join}: {of_other_version}\n"));
}

/// A folder that is taken away is not made anew, where those who lost it would not see it.
#[cfg(unix)]
#[test]
fn a_folder_may_go_away_and_come_back() {
    let (project, around) = (stages(), tempfile::tempdir().unwrap());
    let [folder, moved] = ["shared", "moved"].map(|name| around.path().join(name));
    let place = Place { address: folder.to_str().unwrap(), environment: &[] };
    let running = place.start(project.path(), &["--seed", "1", "--seconds", "0"]);
    poll_until("a finding", || place.status(project.path())["shared"]["findings"].as_u64().is_some_and(|it| it > 0));
    std::fs::rename(&folder, &moved).unwrap();
    let told = running.hears("joins again when it can");
    let why = "the folder is not there any more; fuzzing continues alone, and joins again when it can";
    assert_eq!(told, format!("warning: --join {}: {why}", place.address));
    assert!(!folder.exists());
    std::fs::rename(&moved, &folder).unwrap();
    running.hears("joined again");
    running.signal("-INT");
    assert_eq!(ids(&running.report()).len(), 1);
    assert_eq!(numbers(&place.status(project.path())), BTreeSet::new());
}

/// A status on a terminal is written over the last one, again and again, until Ctrl-C.
#[cfg(target_os = "linux")]
#[test]
fn a_live_status_is_rewritten_on_a_terminal() {
    let (project, place) = (stages(), tempfile::tempdir().unwrap());
    let place = Place { address: place.path().to_str().unwrap(), environment: &[] };
    place.fuzz(project.path(), &["--seed", "1", "--executions", "20000"]);
    let live = format!("stty rows 24 columns 60; exec {} fleet status . --live", env!("CARGO_BIN_EXE_bellwether"));
    // It gives the program a terminal, and writes what is written there.
    let mut script = Command::new("script");
    script.args(["--quiet", "--flush", "--return", "--command", &live, "/dev/null"]).stdin(Stdio::null());
    let mut terminal = Running::of(script.current_dir(place.address));
    let mut lines = terminal.lines().map(|line| line.trim_end_matches('\r').to_owned());
    let first = lines.next().unwrap();
    assert!(first.starts_with(".: 0 machines · ") && first.ends_with(" shared"), "{first}");
    let finding = lines.next().unwrap();
    assert!(finding.starts_with("  assertion Stages.sol:8 (Stages) · "), "{finding}");
    assert!(finding.ends_with('…') && console::measure_text_width(&finding) == 60, "{finding}");
    let _running = place.start(project.path(), &["--seed", "1", "--seconds", "0"]);
    // Both lines are cleared, and the next status begins where they began.
    let next = lines.find(|line| line.contains("1 machine · ")).unwrap();
    let (cleared, _) = next.split_once(".: 1 machine · ").unwrap();
    assert!(cleared.matches("\u{1b}[2K").count() == 2 && cleared.ends_with("\u{1b}[2A"), "{next:?}");

    let nowhere = bellwether(project.path(), &["fleet", "status", place.address, "--live"]);
    let why = "error: --live: standard output is not a terminal; leave --live out, or use --format json\n";
    assert_eq!((nowhere.status.code(), String::from_utf8(nowhere.stderr).unwrap().as_str()), (Some(2), why));
}

#[test]
fn a_place_that_cannot_be_used_is_an_error_with_a_remedy() {
    let project = folder(&[("Stages.sol", STAGES), ("file", "")]);
    for (place, words) in [
        ("nats://127.0.0.1:1", "start it with `nats-server -js`, or check the address"),
        ("file", "give a folder that can be written or created"),
        (
            "ftp://host/a",
            "cannot share by `ftp`; give a folder, s3://BUCKET/PREFIX (gs://, az://), or nats://HOST:PORT/CAMPAIGN",
        ),
        ("s3://", "give s3://BUCKET/PREFIX"),
        ("nats://host/a.b", "not a name for a campaign"),
    ] {
        for arguments in [&["fuzz", ".", "--join", place][..], &["fleet", "status", place]] {
            let reads_a_folder = arguments[0] == "fleet" && place == "file";
            let words = if reads_a_folder { "no such folder; give one in which machines share" } else { words };
            let output = bellwether(project.path(), arguments);
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{place}: {told}");
            assert!(told.starts_with("error: ") && told.contains(words), "{place}: {told}");
        }
    }
}

#[test]
fn a_corpus_is_merged_synchronised_and_minimised() {
    let (project, places) = (stages(), tempfile::tempdir().unwrap());
    let place = |name: &str| places.path().join(name).to_str().unwrap().to_owned();
    let [one, other, all] = ["one", "other", "all"].map(place);
    for (place, seed) in [(&one, "1"), (&other, "2")] {
        fuzz(project.path(), &["--join", place, "--seed", seed, "--executions", "20000"]);
    }
    let names = |place: &str| -> BTreeSet<PathBuf> {
        let records = Path::new(place).join("1");
        files(&records).into_iter().map(|file| file.strip_prefix(&records).unwrap().to_owned()).collect()
    };
    let run = |arguments: &[&str]| {
        let output = bellwether(project.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let both: BTreeSet<PathBuf> = names(&one).union(&names(&other)).cloned().collect();
    assert!(both.len() > names(&one).len() && both.len() > names(&other).len());
    run(&["corpus", "merge", &one, &other, &all]);
    assert_eq!(names(&all), both);
    let told = run(&["corpus", "sync", &one, &other]);
    assert_eq!((names(&one), names(&other)), (both.clone(), both), "{told}");
    assert!(run(&["corpus", "sync", &one, &other]).contains(", 0 of them new in"));

    let entries = |place: &str| names(place).iter().filter(|name| name.parent().unwrap().ends_with("corpus")).count();
    let (before, told) = (entries(&all), run(&["corpus", "minimise", &all]));
    let after = entries(&all);
    assert!(after < before && told.contains(&format!("{after} of {before} sequences kept")), "{told}");
    // What is left reaches as much.
    let budget = ["--seed", "1", "--executions", "200", "--corpus"];
    let covered = |place: &str| {
        let report = fuzz(project.path(), &[&budget[..], &[place]].concat());
        report["contracts"][0]["branches"]["covered"].clone()
    };
    assert_eq!(covered(&all), covered(&one));
    for (arguments, words) in [
        (
            &["corpus", "minimise", "nothere"][..],
            "nothere: no such folder; give one that `bellwether fuzz --corpus` or `--join` wrote",
        ),
        (&["corpus", "merge", "nothere", "all"], "no such folder"),
        (&["corpus", "merge", "one"], "required"),
    ] {
        let output = bellwether(project.path(), arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(words), "{arguments:?}: {told}");
    }
}

/// A status of a place that nobody has used is an error, and makes nothing there.
#[test]
fn who_only_looks_makes_nothing() {
    let (project, place) = (stages(), tempfile::tempdir().unwrap());
    let folder = place.path().to_str().unwrap();
    let unused = "no fleet left anything here; check the address, or begin one with `bellwether fuzz --join`";
    let output = bellwether(project.path(), &["fleet", "status", folder]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("error: {folder}: {unused}\n"));
    assert_eq!(files(place.path()), [] as [PathBuf; 0]);
    // Nor does it where somebody has.
    fuzz(project.path(), &["--join", folder, "--seed", "1", "--executions", FEW]);
    let before = files(place.path());
    assert!(!before.is_empty() && bellwether(project.path(), &["fleet", "status", folder]).status.success());
    assert_eq!(files(place.path()), before);
}
