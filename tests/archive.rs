//! What outlives the process: findings are back without fuzzing, the corpus is run again, and nothing that stands in the
//! files can do any harm.

mod support;

use bellwether::{
    corpus::store::CorpusStore,
    finding::Finding,
    fuzz::{Campaign, Event, Options},
    project::{Config, Level},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
};
use support::{files::texts, running::until_quiet, sandbox::Sandbox};
use tempfile::TempDir;

/// Its defect takes three calls in a row.
const STAGES: &str = "contract Stages {
    uint256 public stage;
    mapping(address => uint256) public paid;
    function first(uint256 key) external { require(key ^ 0x5eed == 0xbeef1234); stage = 1; }
    function second(uint64 key) external { require(stage == 1 && key > 1 ether); stage = 2; }
    function third(bytes4 key, string calldata word) external payable {
        if (stage == 2 && key == 0xdecafbad && msg.value > 7) { paid[msg.sender] += bytes(word).length; stage = 3; }
    }
    function check() external view { assert(stage != 3); }
}";

/// Whose ether it is that `third` takes is another question.
fn config() -> Config {
    Config { oracles: [("frozen-ether".to_owned(), Level::Off)].into(), ..Config::default() }
}

fn archive(folder: &Path) -> Option<Arc<CorpusStore>> {
    let warn = Box::new(|words: &str| panic!("{words}"));
    Some(Arc::new(CorpusStore::in_folder(folder, ".", warn).unwrap()))
}

/// A process: a campaign with one worker, its archive and its events.
struct Process {
    campaign: Campaign,
    events: mpsc::Receiver<Event>,
}

impl Process {
    /// Starts it at rest.
    fn start(archive: Option<Arc<CorpusStore>>, executions: Option<u64>) -> Self {
        let (send, events) = mpsc::channel();
        let options = Options { executions, archive, ..until_quiet(3) };
        let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
        campaign.set_paused(true);
        Self { campaign, events }
    }

    /// Starts it on what is in the sandbox now.
    fn on(sandbox: &mut Sandbox, folder: &Path, executions: Option<u64>) -> Self {
        let process = Self::start(archive(folder), executions);
        process.campaign.rebase(&sandbox.build(), &config(), 1);
        process
    }

    /// The first finding, once it is shrunk.
    fn found(&self) -> Arc<Finding> {
        self.campaign.set_paused(false);
        loop {
            match self.events.recv().unwrap() {
                Event::Shrunk { finding, .. } => return finding,
                Event::Quiet { .. } => panic!("nothing found"),
                _ => {}
            }
        }
    }

    /// Runs until all transactions are spent, or nothing new is found.
    fn spend(&self) {
        self.campaign.set_paused(false);
        loop {
            match self.events.recv().unwrap() {
                Event::Quiet { .. } => return,
                Event::Panicked { report, .. } => panic!("{report}"),
                _ => {}
            }
        }
    }

    fn end(self) {
        self.campaign.pause_and_wait();
        self.campaign.stop();
    }
}

/// The files of one kind, of all contracts.
fn files(folder: &Path, kind: &str) -> BTreeMap<PathBuf, String> {
    texts(folder).into_iter().filter(|(path, _)| path.parent().unwrap().ends_with(kind)).collect()
}

fn source(contract: &str) -> String {
    format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{contract}")
}

#[test]
fn after_a_restart_a_finding_is_back_without_fuzzing() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let first = Process::on(&mut sandbox, folder.path(), None);
    let found = first.found();
    first.end();

    // Elsewhere in the file meanwhile, among other functions.
    let edited =
        STAGES.replace("uint256 public stage;", "\n    function aaa(int8) external {}\n    uint256 public stage;");
    for (text, line) in [(STAGES.to_owned(), 11), (edited, 13), (STAGES.to_owned(), 11)] {
        sandbox.write("A.sol", &source(&text));
        let again = Process::on(&mut sandbox, folder.path(), None);
        let back = again.campaign.findings();
        assert_eq!(again.campaign.progress()[0].executions, 0);
        assert_eq!(back.len(), 1);
        let (back, told) = (&back[0], again.events.try_iter().collect::<Vec<_>>());
        assert!(matches!(&told[..], [Event::Found { generation: 1, finding }] if finding.id == found.id), "{told:?}");
        assert_eq!((back.lines.line, &back.message), (line, &found.message));
        assert_eq!((back.discovery.seed, back.discovery.executions), (3, found.discovery.executions));
        assert_eq!(back.discovery.elapsed, None);
        again.end();
        let kept = files(folder.path(), "findings");
        assert_eq!(kept.len(), 1, "one finding is one file");
        assert!(kept.values().next().unwrap().contains(&format!("\"line\": {line}")));
    }
}

#[test]
fn what_was_fixed_meanwhile_is_not_told_and_goes() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let first = Process::on(&mut sandbox, folder.path(), None);
    first.found();
    first.end();
    assert_eq!(files(folder.path(), "findings").len(), 1);
    for fixed in [
        STAGES.replace("stage != 3", "stage != 4"),
        // Or is gone.
        STAGES.replace("function check() external view { assert(stage != 3); }", ""),
    ] {
        let copy = TempDir::new().unwrap();
        for (path, text) in texts(folder.path()) {
            let path = copy.path().join(path.strip_prefix(folder.path()).unwrap());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        sandbox.write("A.sol", &source(&fixed));
        let again = Process::on(&mut sandbox, copy.path(), None);
        let told: Vec<_> = again.events.try_iter().collect();
        assert!(told.is_empty() && again.campaign.findings().is_empty(), "{told:?}");
        again.end();
        assert_eq!(files(copy.path(), "findings").len(), 0);
    }
}

#[test]
fn a_fix_takes_the_finding_from_the_folder() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let process = Process::on(&mut sandbox, folder.path(), None);
    process.found();
    sandbox.write("A.sol", &source(&STAGES.replace("stage != 3", "stage != 4")));
    process.campaign.rebase(&sandbox.build(), &config(), 2);
    process.end();
    assert_eq!(files(folder.path(), "findings").len(), 0);
}

#[test]
fn the_corpus_is_where_the_next_process_starts() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let first = Process::on(&mut sandbox, folder.path(), None);
    let found = first.found();
    first.end();
    let corpus = files(folder.path(), "corpus");
    assert!(corpus.len() > 3, "{corpus:#?}");
    for finding in files(folder.path(), "findings").into_keys() {
        fs::remove_file(finding).unwrap();
    }
    // Found again, by running what was kept: in as many transactions as that has.
    let again = Process::on(&mut sandbox, folder.path(), Some(20_000));
    let sooner = again.found();
    let calls: u64 = corpus.values().map(|text| text.matches("\"function\"").count() as u64).sum();
    assert_eq!(sooner.id, found.id);
    let (before, after) = (found.discovery.executions, sooner.discovery.executions);
    assert!(after < before && after <= calls, "{after} of {calls} instead of {before}");
    again.spend();
    again.end();
    // What brings nothing any more goes, and what is left is enough to reach as much.
    let settled = files(folder.path(), "corpus");
    let process = Process::on(&mut sandbox, folder.path(), Some(20_000));
    process.spend();
    process.end();
    assert!(files(folder.path(), "corpus").len() <= settled.len() + corpus.len());
}

#[test]
fn one_seed_leaves_the_same_folder_and_does_the_same_as_without_one() {
    let mut sandbox = Sandbox::single(STAGES);
    let run = |folder: Option<&Path>, sandbox: &mut Sandbox| {
        let process = Process::start(folder.and_then(archive), Some(20_000));
        process.campaign.rebase(&sandbox.build(), &config(), 1);
        process.spend();
        let progress = process.campaign.progress().remove(0);
        let findings: Vec<_> =
            process.campaign.findings().iter().map(|f| (f.discovery.executions, f.message.clone())).collect();
        process.end();
        (progress.executions, progress.paths, progress.branches, progress.instructions, findings)
    };
    let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let without = run(None, &mut sandbox);
    for folder in &folders {
        assert_eq!(run(Some(folder.path()), &mut sandbox), without);
    }
    let [one, other] = folders.map(|folder| {
        let strip = |path: PathBuf| path.strip_prefix(folder.path()).unwrap().to_owned();
        texts(folder.path()).into_iter().map(|(path, text)| (strip(path), text)).collect::<Vec<_>>()
    });
    assert_eq!(one, other);
    assert!(one.len() > 5, "{one:#?}");
}

#[test]
fn what_was_not_run_yet_when_the_next_build_came_is_not_lost() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let first = Process::on(&mut sandbox, folder.path(), Some(20_000));
    let found = first.found();
    first.spend();
    first.end();
    let corpus = files(folder.path(), "corpus");
    for finding in files(folder.path(), "findings").into_keys() {
        fs::remove_file(finding).unwrap();
    }
    // Two builds before it runs anything; the second has another function.
    let again = Process::on(&mut sandbox, folder.path(), Some(20_000));
    sandbox.write(
        "A.sol",
        &source(&STAGES.replace("uint256 public stage;", "uint256 public stage; function aaa() external {}")),
    );
    again.campaign.rebase(&sandbox.build(), &config(), 2);
    let sooner = again.found();
    let calls: u64 = corpus.values().map(|text| text.matches("\"function\"").count() as u64).sum();
    assert_eq!(sooner.message, found.message);
    assert!(sooner.discovery.executions <= calls, "{} of {calls}", sooner.discovery.executions);
    again.spend();
    again.end();
    let left = files(folder.path(), "corpus");
    assert!(corpus.keys().all(|path| left.contains_key(path)), "only who begins with nothing can tell what goes");
}

#[test]
fn a_contract_of_another_name_takes_along_what_was_kept_of_it() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let process = Process::on(&mut sandbox, folder.path(), None);
    let found = process.found();
    process.campaign.pause_and_wait();
    let before = process.campaign.progress().remove(0).paths;
    sandbox.write("A.sol", &source(&STAGES.replace("contract Stages", "contract Levels")));
    process.campaign.rebase(&sandbox.build(), &config(), 2);
    process.end();
    let again = Process::on(&mut sandbox, folder.path(), None);
    let back = again.campaign.findings();
    assert_eq!(back.iter().map(|finding| &finding.message).collect::<Vec<_>>(), [&found.message]);
    again.spend();
    let paths = again.campaign.progress()[0].paths;
    assert!(paths >= before.min(5), "{paths} of {before}");
    again.end();
    let folders: Vec<_> =
        fs::read_dir(folder.path().join("1")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(matches!(&folders[..], [one] if one.to_str().unwrap().starts_with("Levels-")), "{folders:?}");
}

#[test]
fn what_is_forgotten_is_forgotten_on_disk() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let process = Process::on(&mut sandbox, folder.path(), None);
    process.found();
    process.campaign.forget(2);
    assert_eq!(texts(folder.path()), BTreeMap::new());
    process.campaign.set_paused(true);
    process.campaign.rebase(&sandbox.build(), &config(), 3);
    assert!(process.campaign.findings().is_empty());
    assert_eq!(process.campaign.progress()[0].paths, 0);
    // And it begins anew.
    process.found();
    process.end();
    assert_eq!(files(folder.path(), "findings").len(), 1);
}

#[test]
fn a_constructor_that_refuses_takes_nothing_away() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let first = Process::on(&mut sandbox, folder.path(), Some(5_000));
    first.spend();
    first.end();
    let corpus = files(folder.path(), "corpus");
    sandbox.write(
        "A.sol",
        &source(&STAGES.replace("uint256 public stage;", "uint256 public stage; constructor() { revert(); }")),
    );
    let again = Process::on(&mut sandbox, folder.path(), None);
    again.campaign.set_paused(false);
    while !matches!(again.events.recv().unwrap(), Event::Undeployable { .. }) {}
    again.end();
    assert_eq!(files(folder.path(), "corpus"), corpus);
}

/// Numbers that are always the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

#[test]
fn whatever_stands_in_the_files_does_no_harm() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let first = Process::on(&mut sandbox, folder.path(), None);
    first.found();
    first.end();
    let good = texts(folder.path());
    let mut chance = Chance(7);
    let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let strange: [(&str, String); 6] = [
        ("\"value\":\"0\"", format!("\"value\":\"{most}\"")),
        ("\"delay_seconds\":0", format!("\"delay_seconds\":{}", u64::MAX)),
        ("\"delay_blocks\":0", format!("\"delay_blocks\":{}", u64::MAX)),
        ("0x000000000000000000000000000000000000", "0x000000000000000000000000000000000001".to_owned()),
        ("first(uint256)", "second(uint64)".to_owned()),
        ("stage", "\\u0000".to_owned()),
    ];
    for (number, (path, text)) in good.iter().cycle().take(400).enumerate() {
        let mut bytes = text.clone().into_bytes();
        if number % 2 == 0 {
            let (old, new) = &strange[chance.below(strange.len())];
            bytes = text.replace(old, new).into_bytes();
        }
        for _ in 0..chance.below(4) {
            let at = chance.below(bytes.len());
            match chance.below(4) {
                0 => bytes[at] = chance.below(256) as u8,
                1 => bytes[at] = b"0123456789\"[]{},:x"[chance.below(18)],
                2 => drop(bytes.remove(at)),
                _ if chance.below(4) == 0 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b'9'),
            }
        }
        fs::write(path.with_file_name(format!("{number:032x}.json")), bytes).unwrap();
    }
    let (send, said) = mpsc::channel();
    let send = std::sync::Mutex::new(send);
    let warn = Box::new(move |words: &str| send.lock().unwrap().send(words.to_owned()).unwrap());
    let archive = Arc::new(CorpusStore::in_folder(folder.path(), ".", warn).unwrap());
    let process = Process::start(Some(archive), Some(20_000));
    process.campaign.rebase(&sandbox.build(), &config(), 1);
    process.spend();
    assert_eq!(process.campaign.findings().len(), 1);
    process.end();
    let said: Vec<_> = said.try_iter().collect();
    assert!(matches!(&said[..], [words] if words.contains("damaged or not written by Bellwether")), "{said:?}");
}

#[test]
fn two_processes_share_a_folder() {
    let (mut sandbox, folder) = (Sandbox::single(STAGES), TempDir::new().unwrap());
    let one = Process::on(&mut sandbox, folder.path(), None);
    let other = Process::on(&mut sandbox, folder.path(), None);
    let (found, too) = (one.found(), other.found());
    assert_eq!(found.id, too.id);
    // One goes on, and the other one begins anew again and again.
    one.campaign.set_paused(false);
    for _ in 0..3 {
        let third = Process::on(&mut sandbox, folder.path(), Some(3_000));
        third.spend();
        third.end();
    }
    one.end();
    other.end();
    let last = Process::on(&mut sandbox, folder.path(), Some(1));
    assert_eq!(last.campaign.findings().len(), 1);
    last.end();
    assert_eq!(files(folder.path(), "findings").len(), 1);
}
