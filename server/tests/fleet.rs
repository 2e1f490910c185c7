//! Several processes that share what they find: by a folder, by an S3 server and by a NATS server, all of them real ones. Processes are
//! killed and stopped, servers go away and come back, and records lie.

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/files.rs"]
mod files;
mod servers;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use expect_test::expect;
use files::files;
use serde_json::{Value, json};
use servers::poll::{poll, poll_until};
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
};
use tempfile::TempDir;

/// A defect that takes three calls in a row.
const STAGES: &str = "// SPDX-License-Identifier: MIT
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
const FEW: &str = "60";

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn stages() -> TempDir {
    folder(&[("Stages.sol", STAGES)])
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(arguments).current_dir(folder);
    command
}

fn bellwether(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Fuzzes here with one worker, and returns the report.
fn fuzz(folder: &Path, arguments: &[&str]) -> Value {
    let briefly = ["fuzz", ".", "--workers", "1", "--format", "json", "--quiet"];
    read(&bellwether(folder, &[&briefly, arguments].concat()))
}

fn read(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The status of a fleet; nothing as long as none has begun.
fn status(folder: &Path, place: &str) -> Value {
    let output = bellwether(folder, &["fleet", "status", place, "--format", "json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// The findings of a report, those that are copies of another one included.
fn ids(report: &Value) -> BTreeSet<&str> {
    let findings = report["findings"].as_array().unwrap().iter();
    let all = findings.flat_map(|finding| match finding["places"].as_array() {
        Some(places) => places.iter().map(|place| &place["id"]).collect(),
        None => vec![&finding["id"]],
    });
    all.map(|id| id.as_str().unwrap()).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// One finds it, the next one has it at once, and a third sends nothing that is known.
#[track_caller]
fn share(place: &str, environment: &[(&str, &str)]) {
    let fuzz = |arguments: &[&str]| {
        let folder = stages();
        let briefly = ["fuzz", ".", "--workers", "1", "--format", "json", "--quiet"];
        let output = command(folder.path(), &[&briefly, arguments].concat()).envs(environment.to_vec()).output();
        read(&output.unwrap())
    };
    let first = fuzz(&["--join", place, "--seed", "1", "--executions", "20000"]);
    assert_eq!(ids(&first).len(), 1, "{first:#}");
    assert_eq!((&first["exchange"]["received"], &first["exchange"]["sent_twice"]), (&json!(0), &json!(0)));
    let sent = number(&first["exchange"]["sent"]);
    assert!(sent > 3, "{sent}");

    assert_eq!(ids(&fuzz(&["--seed", "7", "--executions", FEW])).len(), 0, "alone it takes longer");
    let second = fuzz(&["--join", place, "--seed", "7", "--executions", FEW]);
    assert_eq!(ids(&second), ids(&first));
    assert_eq!((&second["exchange"]["received"], &second["exchange"]["refused"]), (&json!(sent), &json!(0)));

    let third = fuzz(&["--join", place, "--seed", "1", "--executions", "20000"]);
    assert_eq!(ids(&third), ids(&first));
    assert_eq!(third["exchange"]["sent_twice"], 0, "what is known is not sent: {third:#}");
}

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
            { "name": "Stages", "file": "Stages.sol", "executions": most, "covered": u32::MAX, "known": 1 },
        ],
        "growth": [{ "seconds": most, "covered": u32::MAX, "findings": u32::MAX }, { "seconds": 0, "covered": 0, "findings": 0 }],
    });
    write("0.json", lies.to_string().as_bytes());
    write("1.json", lies.to_string().as_bytes());
    write("2.json", b"[[[[");
    write("3.json", &vec![b' '; 1 << 20]);
    write("4.json", b"{\"seconds\": -1}");
    write("4294967295.json", lies.to_string().as_bytes());
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

/// What machines cost together ends the run of one that itself has cost next to nothing, whether it runs already or joins later.
#[track_caller]
fn end_together(place: &str) {
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
            "nothere: no such folder; give one that `bellwether fuzz --corpus` wrote",
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

    if !slow::is_asked_for(" on a NATS server") {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats(store.path());
    let campaign = format!("nats://127.0.0.1:{}/nigth", server.port());
    let copy = tempfile::tempdir().unwrap();
    let copy = copy.path().to_str().unwrap();
    for arguments in [&["fleet", "status", &campaign][..], &["corpus", "merge", &campaign, copy]] {
        let output = bellwether(project.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("error: {campaign}: {unused}\n"));
    }
    let made: Vec<PathBuf> = files(store.path()).into_iter().filter(|file| file.ends_with("meta.inf")).collect();
    assert_eq!(made, [] as [PathBuf; 0], "no stream");
}

/// Says something to a NATS server in its own protocol, and waits until it has heard it.
fn say_to_nats(port: u16, message: &str) {
    let mut server = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
    server.get_mut().write_all(format!("CONNECT {{\"verbose\":false}}\r\n{message}PING\r\n").as_bytes()).unwrap();
    let mut lines = server.lines().map(|line| line.unwrap());
    assert!(lines.any(|line| line == "PONG"));
}

/// What the server has for long, and has forgotten that it was sent, is not copied there again.
#[test]
fn a_corpus_is_copied_to_a_nats_server_once() {
    if !slow::is_asked() {
        return;
    }
    let (project, store) = (stages(), tempfile::tempdir().unwrap());
    let [one, empty] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [one, empty] = [&one, &empty].map(|folder| folder.path().to_str().unwrap());
    fuzz(project.path(), &["--join", one, "--seed", "1", "--executions", "20000"]);
    let records: Vec<PathBuf> = files(&Path::new(one).join("1"));
    let server = servers::nats(store.path());
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let merge = |from: &str| {
        let output = bellwether(project.path(), &["corpus", "merge", from, &place]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(merge(empty).contains(": 0 records, 0 of them new in"));
    // Without the header by which the server itself would know a record again for an hour.
    for file in &records {
        let text = std::fs::read_to_string(file).unwrap();
        let parts: Vec<&str> = file.strip_prefix(one).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
        let [_, topic, kind, name] = parts.try_into().unwrap();
        let subject = format!("bellwether.night.records.{topic}.{kind}.{}", name.strip_suffix(".json").unwrap());
        say_to_nats(server.port(), &format!("PUB {subject} {}\r\n{text}\r\n", text.len()));
    }
    let stored = || {
        let status = read(&bellwether(project.path(), &["fleet", "status", &place, "--format", "json"]));
        number(&status["shared"]["sequences"]) + number(&status["shared"]["findings"])
    };
    poll_until("all records", || stored() == records.len() as u64);
    let told = merge(one);
    assert!(told.contains(&format!(": {} records, 0 of them new in", records.len())), "{told}");
    assert_eq!(stored(), records.len() as u64);
}

/// A bucket that is not there is an error with this remedy.
#[track_caller]
fn nothing_is_there(place: &str, environment: &[(&str, &str)], remedy: &str) {
    let project = stages();
    let mut fuzz = command(project.path(), &["fuzz", ".", "--join", place]);
    let output = fuzz.envs(environment.to_vec()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(remedy), "{told}");
}

#[test]
fn processes_share_by_an_s3_server() {
    if !slow::is_asked() {
        return;
    }
    let server = servers::s3("corpora");
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    let environment = [
        ("AWS_ENDPOINT_URL", endpoint.as_str()),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_REGION", "us-east-1"),
    ];
    share("s3://corpora/night", &environment);
    nothing_is_there("s3://nothere/a", &environment, "check the bucket, AWS_ACCESS_KEY_ID");
}

#[test]
fn processes_share_by_a_server_like_azures() {
    if !slow::is_asked() {
        return;
    }
    let server = servers::azure("corpora");
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    let environment = [("AZURE_STORAGE_USE_EMULATOR", "true"), ("AZURITE_BLOB_STORAGE_URL", endpoint.as_str())];
    share("az://corpora/night", &environment);
    nothing_is_there("az://nothere/a", &environment, "check the container, AZURE_STORAGE_ACCOUNT_NAME");
}

#[test]
fn processes_share_by_a_nats_server() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats(store.path());
    share(&format!("nats://127.0.0.1:{}/night", server.port()), &[]);
    // Two campaigns on one server know nothing of each other.
    share(&format!("nats://127.0.0.1:{}/day", server.port()), &[]);
    end_together(&format!("nats://127.0.0.1:{}/paid", server.port()));
}

/// Files with a certificate of this machine, which signs itself, and with its key.
fn certificate_and_key(folder: &Path) -> [PathBuf; 2] {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    [("certificate.pem", made.cert.pem()), ("key.pem", made.signing_key.serialize_pem())].map(|(name, text)| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file
    })
}

#[test]
fn a_nats_server_may_ask_for_certificates_and_passwords() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let [certificate, key] = certificate_and_key(store.path());
    let server = servers::nats_configured(
        store.path(),
        &format!(
            "tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n\
             authorization {{ users: [{{ user: fuzzer, password: secret }}] }}\n"
        ),
    );
    let place = |who: &str| format!("tls://{who}127.0.0.1:{}/night", server.port());
    let trusted = [("NATS_CA", certificate.to_str().unwrap())];
    share(&place("fuzzer:secret@"), &trusted);

    let refused = |who: &str, environment: &[(&str, &str)]| {
        let project = stages();
        let arguments = ["fuzz", ".", "--quiet", "--join", &place(who)];
        let output = command(project.path(), &arguments).envs(environment.to_vec()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap().replace(&server.port().to_string(), "PORT")
    };
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: invalid peer certificate: UnknownIssuer; check the certificates; NATS_CA names a file with those to trust, NATS_CERT and NATS_KEY one's own
    "#]].assert_eq(&refused("fuzzer:secret@", &[]));
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: the server does not let this machine in; give nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a credentials file in NATS_CREDS
    "#]].assert_eq(&refused("fuzzer:guess@", &trusted));
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: the server does not let this machine in; give nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a credentials file in NATS_CREDS
    "#]].assert_eq(&refused("", &trusted));
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: NATS_CA /nowhere/ca.pem: No such file or directory (os error 2); name a file with certificates, or unset NATS_CA
    "#]].assert_eq(&refused("fuzzer:secret@", &[("NATS_CA", "/nowhere/ca.pem")]));
}

#[test]
fn a_nats_server_may_ask_for_a_token_or_for_a_certificate_of_each_machine() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats_configured(store.path(), "authorization { token: \"s3cret\" }");
    share(&format!("nats://s3cret@127.0.0.1:{}/night", server.port()), &[]);
    let project = stages();
    let guess = format!("nats://guess@127.0.0.1:{}/night", server.port());
    let output = bellwether(project.path(), &["fuzz", ".", "--quiet", "--join", &guess]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.contains("does not let this machine in"), "{told}");

    let store = tempfile::tempdir().unwrap();
    let [certificate, key] = certificate_and_key(store.path());
    let server = servers::nats_configured(
        store.path(),
        &format!(
            "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {certificate:?}, verify: true }}\n\
             authorization {{ users: [{{ user: fuzzer, password: secret }}] }}\n"
        ),
    );
    let place = format!("tls://fuzzer:secret@127.0.0.1:{}/night", server.port());
    let [certificate, key] = [&certificate, &key].map(|file| file.to_str().unwrap());
    let environment = [("NATS_CA", certificate), ("NATS_CERT", certificate), ("NATS_KEY", key)];
    share(&place, &environment);
    for (environment, words) in [
        (
            &environment[..1],
            "check the certificates; NATS_CA names a file with those to trust, NATS_CERT and NATS_KEY one's own",
        ),
        (&environment[..2], "NATS_CERT and NATS_KEY belong together; name a certificate and its key"),
    ] {
        let mut run = command(project.path(), &["fuzz", ".", "--quiet", "--join", &place]);
        let output = run.envs(environment.to_vec()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(words), "{told}");
    }
}

#[test]
fn a_nats_server_may_ask_for_credentials_of_an_operator() {
    if !slow::is_asked() {
        return;
    }
    let (store, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (server, text) = servers::operator::nats_of_operator(store.path());
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let credentials = |text: &str| {
        let file = folder.path().join("night.creds");
        std::fs::write(&file, text).unwrap();
        file.into_os_string().into_string().unwrap()
    };
    share(&place, &[("NATS_CREDS", &credentials(&text))]);

    let refused = |file: &str| {
        let project = stages();
        let mut run = command(project.path(), &["fuzz", ".", "--quiet", "--join", &place]);
        let output = run.env("NATS_CREDS", file).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = String::from_utf8(output.stderr).unwrap().replace(&server.port().to_string(), "PORT");
        told.replace(folder.path().to_str().unwrap(), "FOLDER")
    };
    let (other, _) = text.split_once("-----BEGIN USER NKEY SEED").unwrap();
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: NATS_CREDS FOLDER/night.creds: cannot parse nkey from the credentials file; name a credentials file, or unset NATS_CREDS
    "#]].assert_eq(&refused(&credentials(other)));
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: NATS_CREDS /nowhere/night.creds: loading creds file '/nowhere/night.creds': No such file or directory (os error 2); name a credentials file, or unset NATS_CREDS
    "#]].assert_eq(&refused("/nowhere/night.creds"));
    let (_other, forged) = servers::operator::nats_of_operator(tempfile::tempdir().unwrap().path());
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: the server does not let this machine in; give nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a credentials file in NATS_CREDS
    "#]].assert_eq(&refused(&credentials(&forged)));
}

/// A run whose server has no room left goes on, says so once, and keeps what it finds.
#[test]
fn a_full_disk_behind_the_server_stops_nobody() {
    if !slow::is_asked() {
        return;
    }
    let (project, store) = (several(6), tempfile::tempdir().unwrap());
    let Some(server) = servers::nats_on_small_disk(store.path(), 96 << 10) else {
        let _ = writeln!(std::io::stderr(), "not run: this user may not mount a disk of its own");
        return;
    };
    let alone = fuzz(project.path(), &["--seed", "1", "--executions", "300000"]);
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let briefly = ["fuzz", ".", "--workers", "1", "--format", "json", "--progress", "plain", "--seed", "1"];
    let output = bellwether(project.path(), &[&briefly[..], &["--executions", "300000", "--join", &place]].concat());
    let report = read(&output);
    assert_eq!(ids(&report), ids(&alone));
    let told = String::from_utf8(output.stderr).unwrap();
    let told: Vec<&str> = told.lines().filter(|line| line.contains("nats://")).collect();
    expect![[r#"
        warning: --join nats://127.0.0.1:PORT/night: timed out: didn't receive ack in time; fuzzing continues alone, and joins again when it can
        warning: --join nats://127.0.0.1:PORT/night: no answer; what was found last is not shared"#]].assert_eq(&told.join("\n").replace(&server.port().to_string(), "PORT"));
}

/// Who may read alone sees what was found and takes it along; whoever fuzzes writes.
#[test]
fn a_nats_server_may_give_each_role_what_it_needs() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats_configured(
        store.path(),
        "authorization { users: [
            { user: fuzzer, password: f }
            { user: reader, password: r, permissions: {
                publish: [\"$JS.API.INFO\", \"$JS.API.STREAM.INFO.*\", \"$JS.API.STREAM.MSG.GET.*\", \"$JS.API.DIRECT.GET.>\", \"$JS.API.CONSUMER.>\"]
                subscribe: [\"_INBOX.>\"]
            } }
        ] }",
    );
    let place = |who: &str| format!("nats://{who}@127.0.0.1:{}/night", server.port());
    let project = stages();
    let found = fuzz(project.path(), &["--join", &place("fuzzer:f"), "--seed", "1", "--executions", "20000"]);
    assert_eq!(ids(&found).len(), 1, "{found:#}");

    let status = read(&bellwether(project.path(), &["fleet", "status", &place("reader:r"), "--format", "json"]));
    assert!(number(&status["shared"]["findings"]) > 0, "{status:#}");
    let copy = tempfile::tempdir().unwrap();
    let folder = copy.path().to_str().unwrap();
    assert!(bellwether(project.path(), &["corpus", "merge", &place("reader:r"), folder]).status.success());
    let again = fuzz(project.path(), &["--join", folder, "--seed", "7", "--executions", FEW]);
    assert_eq!(ids(&again), ids(&found));

    let refused = bellwether(project.path(), &["fuzz", ".", "--quiet", "--join", &place("reader:r")]);
    let told = String::from_utf8(refused.stderr).unwrap().replace(&server.port().to_string(), "PORT");
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: failed to create key in store: timed out: nats: Permissions Violation for Publish to "$KV.bellwether-night-machines.0"; try again, or leave the option out
    "#]].assert_eq(&told);
    assert_eq!(refused.status.code(), Some(2));
}

/// A process that runs, and what it tells on standard error.
struct Running {
    child: Child,
    told: mpsc::Receiver<String>,
}

impl Running {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = command(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (send, told) = mpsc::channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, told }
    }

    /// Waits for a line with these words.
    fn hears(&self, words: &str) -> String {
        self.told.iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("ended without {words}"))
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// What it writes at its end.
    fn report(mut self) -> Value {
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        self.child.wait().unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Contracts each of which has a defect that takes several calls.
fn several(count: usize) -> TempDir {
    let sources: Vec<(String, String)> = (0..count)
        .map(|nth| {
            let source =
                STAGES.replace("Stages", &format!("Stages{nth}")).replace("0xbeef1234", &format!("0xbeef{nth:04}"));
            (format!("Stages{nth}.sol"), source)
        })
        .collect();
    folder(&sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>())
}

/// Three workers on one campaign: one is killed, one is stopped and continued, and the server is killed and started again. Nothing that
/// was found is lost, nobody's number stays taken, and the findings are those of one machine.
#[test]
fn nothing_is_lost_with_a_machine_or_with_the_server() {
    if !slow::is_asked() {
        return;
    }
    let (project, store) = (several(6), tempfile::tempdir().unwrap());
    let mut server = servers::nats(store.path());
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let alone = fuzz(project.path(), &["--seed", "1", "--executions", "300000"]);
    assert_eq!(ids(&alone).len(), 6, "{alone:#}");

    let start = |seconds: &str| {
        let arguments = ["fuzz", ".", "--workers", "1", "--format", "json", "--seed", "1", "--progress", "plain"];
        Running::start(project.path(), &[&arguments[..], &["--join", &place, "--seconds", seconds]].concat())
    };
    let status = || status(project.path(), &place);
    let numbers = |told: &Value| -> BTreeSet<u64> {
        told["machines"].as_array().into_iter().flatten().map(|machine| number(&machine["number"])).collect()
    };
    let [mut killed, stopped, lasting] = [start("600"), start("60"), start("60")];
    poll_until("three machines", || numbers(&status()).len() == 3);
    poll_until("a finding", || number(&status()["shared"]["findings"]) > 0);
    killed.kill();
    stopped.signal("-STOP");
    server.kill();
    lasting.hears("fuzzing continues alone, and joins again when it can");
    server.restart();
    lasting.hears("joined again");
    stopped.signal("-CONT");
    // The number of the one that was killed comes back.
    poll_until("its number to be free", || numbers(&status()).len() == 2);
    let late = start("5");
    poll_until("a third machine", || numbers(&status()).len() == 3);
    let late = late.report();
    let [stopped, lasting] = [stopped.report(), lasting.report()];
    for report in [&late, &stopped, &lasting] {
        assert_eq!(ids(report), ids(&alone), "{report:#}");
        assert_eq!(report["exchange"]["refused"], 0);
    }
    let (replayed, all) = [&late, &stopped, &lasting].iter().fold((0, 0), |(replayed, all), report| {
        (replayed + number(&report["exchange"]["replayed"]), all + number(&report["executions"]))
    });
    let _ = writeln!(std::io::stdout(), "{replayed} of {all} transactions ran again what another machine had found");
    assert!(replayed * 20 < all, "{replayed} of {all}");
    poll_until("no machine that lives", || numbers(&status()).is_empty());
}
