use super::*;
use crate::input::{Generator, Setup};
use alloy_primitives::Address;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{
    collections::BTreeSet,
    fs,
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

/// All kinds of parameters.
const MEMBERS: [&str; 8] = [
    "constructor(address owner, uint8 kind)",
    "function put(uint256 a, int64 b, bool c) payable",
    "function say(string text, bytes data, bytes4 id)",
    "function many(uint16[] a, bytes32[3] b, string[] c)",
    "function order((uint8, string, (address, uint256[])[]) all)",
    "function none()",
    "receive",
    "fallback",
];

fn interface() -> CallTable {
    CallTable::sample(&MEMBERS)
}

fn key() -> Key {
    Key { file: "src/A.sol".to_owned(), name: "A".to_owned(), suite: None }
}

/// A sequence of random calls.
fn drawn(interface: &CallTable, seed: u64) -> Sequence {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let accounts: Vec<_> = [1, 2, 3].map(Address::repeat_byte).into();
    let generator = Generator::new(std::sync::Arc::new(interface.clone()), accounts.clone(), accounts);
    let calls = rng.random_range(1..8);
    Sequence {
        setup: Setup::of(generator.deployment(&mut rng)),
        transactions: (0..calls).filter_map(|_| generator.any_transaction(&mut rng)).collect(),
    }
}

/// A corpus store whose warnings are recorded.
fn open(folder: &Path) -> (CorpusStore, Arc<Mutex<Vec<String>>>) {
    let said = Arc::<Mutex<Vec<String>>>::default();
    let noted = said.clone();
    let warn = move |words: &str| noted.lock().unwrap().push(words.to_owned());
    (CorpusStore::in_folder(folder, ".", Box::new(warn)).unwrap(), said)
}

/// The sequences in a corpus store that gives no warning.
fn sequences(folder: &Path) -> Vec<Sequence> {
    let (archive, said) = open(folder);
    let kept = archive.load(&key(), &interface());
    assert_eq!(*said.lock().unwrap(), [] as [&str; 0]);
    kept.sequences
}

/// Keeps sequences drawn with these seeds.
fn fill(folder: &Path, seeds: impl IntoIterator<Item = u64>) -> Vec<Sequence> {
    let (archive, interface) = (open(folder).0, interface());
    let sequences: Vec<_> = seeds.into_iter().map(|seed| drawn(&interface, seed)).collect();
    sequences.iter().for_each(|sequence| archive.keep(&key(), &interface, sequence));
    sequences
}

fn corpus(folder: &Path) -> PathBuf {
    folder::folder_of(folder, &key()).join("corpus")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn texts(sequences: &[Sequence]) -> BTreeSet<String> {
    sequences.iter().map(|sequence| format!("{sequence:?}")).collect()
}

#[test]
fn what_is_kept_is_there_after_the_end_in_an_order_of_its_own() {
    let folder = TempDir::new().unwrap();
    let kept = fill(folder.path(), 0..100);
    let found = sequences(folder.path());
    assert_eq!(texts(&found), texts(&kept));
    let lengths: Vec<_> = found.iter().map(|sequence| sequence.transactions.len()).collect();
    assert!(lengths.is_sorted(), "{lengths:?}");

    // The same content has the same names, whatever the order.
    let other = TempDir::new().unwrap();
    fill(other.path(), (0..100).rev().chain(0..50));
    assert_eq!(names(&corpus(folder.path())), names(&corpus(other.path())));
    assert_eq!(sequences(other.path()), found);
}

#[test]
fn a_file_is_for_people() {
    let folder = TempDir::new().unwrap();
    let interface = CallTable::sample(&["constructor()", "function put(uint8 x, string name) payable"]);
    let calls = serde_json::json!([
        { "function": "constructor()", "args": [], "sender": Address::ZERO.to_string(), "value": "0" },
        { "function": "put(uint8,string)", "args": ["7", "so \"so\""], "sender": Address::ZERO.to_string(), "value": "5" },
    ]);
    open(folder.path()).0.keep(&key(), &interface, &Sequence::from_json(&calls, &interface).unwrap());
    let file = fs::read_dir(corpus(folder.path())).unwrap().next().unwrap().unwrap().path();
    let zero = Address::ZERO;
    let expected = format!(
        r#"{{
  "contract": "A",
  "file": "src/A.sol",
  "sequence": [
    {{"function":"constructor()","args":[],"sender":"{zero}","value":"0","delay_seconds":0,"delay_blocks":0}},
    {{"function":"put(uint8,string)","args":["7","so \"so\""],"sender":"{zero}","value":"5","delay_seconds":0,"delay_blocks":0}}
  ]
}}
"#
    );
    assert_eq!(fs::read_to_string(file).unwrap(), expected);
}

#[test]
fn what_is_released_goes_and_what_is_not_kept_again_goes_when_it_is_settled() {
    let folder = TempDir::new().unwrap();
    let interface = interface();
    let kept = fill(folder.path(), 0..4);
    let (archive, _) = open(folder.path());
    assert_eq!(archive.load(&key(), &interface).sequences.len(), 4);
    archive.release(&key(), &interface, &kept[0]);
    archive.keep(&key(), &interface, &kept[1]);
    let new = drawn(&interface, 99);
    archive.keep(&key(), &interface, &new);
    archive.flush();
    assert_eq!(names(&corpus(folder.path())).len(), 4);
    archive.settle(&key());
    archive.flush();
    assert_eq!(texts(&sequences(folder.path())), texts(&[kept[1].clone(), new]));
    archive.clear();
    archive.flush();
    assert_eq!(names(&folder.path().join("1")), BTreeSet::new());
}

#[test]
fn of_too_many_the_first_go() {
    let folder = TempDir::new().unwrap();
    let kept = fill(folder.path(), 0..1_100);
    let left = texts(&sequences(folder.path()));
    assert_eq!(left.len(), 1024);
    assert_eq!(left, texts(&kept[1_100 - 1024..]));
}

#[test]
fn another_interface_gets_what_fits_and_takes_nothing_away() {
    let folder = TempDir::new().unwrap();
    let kept = fill(folder.path(), 0..50);
    let before = names(&corpus(folder.path()));
    let calls = |sequences: &[Sequence]| sequences.iter().map(|s| s.transactions.len()).sum::<usize>();
    let with = |members: &[&str]| {
        let (archive, said) = open(folder.path());
        let sequences = archive.load(&key(), &CallTable::sample(members)).sequences;
        if !members[0].starts_with("constructor") {
            // All sequences were adapted, and stay in case their interface returns.
            archive.settle(&key());
        }
        drop(archive);
        assert_eq!(*said.lock().unwrap(), [] as [&str; 0]);
        sequences
    };
    let without = |gone: &str| MEMBERS.into_iter().filter(|member| !member.contains(gone)).collect::<Vec<_>>();
    let left = with(&without("function order"));
    assert!(left.len() > 40 && calls(&left) < calls(&kept), "{}", left.len());
    let put = CallTable::sample(&MEMBERS).main().interface.by_signature("put(uint256,int64,bool)").unwrap().id;
    let puts = kept.iter().flat_map(|s| &s.transactions).filter(|call| call.call.function == put).count();
    // One more parameter, and a constructor without any.
    let mut members = without("constructor");
    members[0] = "function put(uint256 a, int64 b, bool c, address d) payable";
    let changed = with(&members);
    let put = CallTable::sample(&members).main().interface.by_signature("put(uint256,int64,bool,address)").unwrap().id;
    let still = changed.iter().flat_map(|s| &s.transactions).filter(|call| call.call.function == put).count();
    assert_eq!((changed.len(), calls(&changed), still), (50, calls(&kept), puts));
    assert!(puts > 5 && changed.iter().all(|sequence| sequence.setup.main().unwrap().arguments.is_empty()));
    assert_eq!(with(&["function other(int8 x)"]).len(), 0);
    assert_eq!(names(&corpus(folder.path())), before);
}

#[test]
fn what_is_damaged_or_not_ours_is_skipped_said_once_and_left() {
    let folder = TempDir::new().unwrap();
    let kept = fill(folder.path(), 0..3);
    let place = corpus(folder.path());
    let whole = names(&place);
    let good = fs::read_to_string(place.join(whole.first().unwrap())).unwrap();
    let longer = format!("{good}{}", " ".repeat(1 << 20));
    for (name, bytes) in [
        ("00000000000000000000000000000000.json", &b""[..]),
        ("11111111111111111111111111111111.json", &good.as_bytes()[..good.len() / 2]),
        ("22222222222222222222222222222222.json", b"\xff\xfe\x00"),
        ("33333333333333333333333333333333.json", br#"{"sequence": []}"#),
        ("44444444444444444444444444444444.json", br#"{"version": 2, "calls": []}"#),
        ("55555555555555555555555555555555.json", longer.as_bytes()),
        ("88888888888888888888888888888888.json", br#"{"sequence": [{"function": "constructor((((("}]}"#),
        (".tmpHalf", &good.as_bytes()[..9]),
        ("README.md", b"mine"),
    ] {
        fs::write(place.join(name), bytes).unwrap();
    }
    fs::create_dir(place.join("66666666666666666666666666666666.json")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/zero", place.join("77777777777777777777777777777777.json")).unwrap();
    let before = names(&place);

    let (archive, said) = open(folder.path());
    assert_eq!(texts(&archive.load(&key(), &interface()).sequences), texts(&kept));
    archive.settle(&key());
    archive.flush();
    let said = said.lock().unwrap().clone();
    assert_eq!(said.len(), 1, "{said:?}");
    let place = place.parent().unwrap().display();
    let start = format!(
        "{place} has 7 files that are damaged or not written by Bellwether, and left alone; the first: corpus/00000000000000000000000000000000.json: "
    );
    assert!(said[0].starts_with(&start), "{said:?}");
    let left = names(&corpus(folder.path()));
    assert_eq!(before.difference(&left).collect::<BTreeSet<_>>(), whole.iter().collect(), "those that were settled");
}

#[test]
fn what_somebody_put_there_is_read_and_never_removed() {
    let folder = TempDir::new().unwrap();
    let kept = fill(folder.path(), [5]);
    let place = corpus(folder.path());
    let name = names(&place).pop_first().unwrap();
    fs::rename(place.join(name), place.join("my seed.json")).unwrap();
    let (archive, _) = open(folder.path());
    assert_eq!(archive.load(&key(), &interface()).sequences, kept);
    archive.settle(&key());
    archive.clear();
    drop(archive);
    assert_eq!(names(&place), BTreeSet::from(["my seed.json".to_owned()]));
}

#[test]
fn where_nothing_can_be_written_that_is_said_once() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    // There is a file where the folder should be: nobody can write there, not even root.
    let place = folder.path().join("file").join("archive");
    assert!(CorpusStore::check_folder(&place).is_err());
    let (archive, said) = open(&place);
    let interface = interface();
    assert_eq!(archive.load(&key(), &interface).sequences, []);
    for seed in 0..10 {
        archive.keep(&key(), &interface, &drawn(&interface, seed));
        archive.flush();
    }
    archive.settle(&key());
    archive.clear();
    archive.flush();
    let said = said.lock().unwrap().clone();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("cannot be written") && said[0].contains("are kept in memory only"), "{said:?}");
}

#[test]
fn two_at_once_keep_and_lose_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let kept: Vec<Sequence> = std::thread::scope(|scope| {
        // Both save some of the same sequences, and read while the other one writes and deletes.
        let half = |seeds: std::ops::Range<u64>, gone: std::ops::Range<u64>| {
            scope.spawn(move || {
                let (archive, said) = open(path);
                let interface = interface();
                for seed in gone.clone() {
                    archive.keep(&key(), &interface, &drawn(&interface, seed));
                }
                archive.flush();
                for (seed, gone) in seeds.clone().zip(gone.cycle()) {
                    archive.keep(&key(), &interface, &drawn(&interface, seed));
                    archive.release(&key(), &interface, &drawn(&interface, gone));
                    archive.hurry();
                    archive.load(&key(), &interface);
                }
                drop(archive);
                assert_eq!(*said.lock().unwrap(), [] as [&str; 0]);
                seeds.map(|seed| drawn(&interface, seed)).collect::<Vec<_>>()
            })
        };
        let halves = [half(0..60, 1_000..1_020), half(30..90, 1_010..1_030)];
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    let there = texts(&sequences(path));
    assert!(there.is_superset(&texts(&kept)));
}

#[test]
fn it_moves_with_all_that_is_known() {
    let (one, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let root = Path::new("/p/vault");
    let archive = CorpusStore::in_cache(one.path(), root, Box::new(|words| panic!("{words}"))).unwrap();
    let interface = interface();
    let before: Vec<_> = (0..3).map(|seed| drawn(&interface, seed)).collect();
    before.iter().for_each(|sequence| archive.keep(&key(), &interface, sequence));
    archive.move_to(other.path(), root);
    let after = drawn(&interface, 3);
    archive.keep(&key(), &interface, &after);
    archive.flush();
    assert_eq!(texts(&sequences(&in_cache(one.path(), root))), texts(&before));
    assert_eq!(archive.load(&key(), &interface).sequences.len(), 4);
    assert_eq!(sequences(&in_cache(other.path(), root)).len(), 4);
}

#[test]
fn in_the_cache_what_nobody_uses_goes_with_age() {
    let folder = TempDir::new().unwrap();
    let root = Path::new("/p/vault");
    let place = in_cache(folder.path(), root);
    fill(&place, 0..3);
    let other = Key { file: "src/Gone.sol".to_owned(), ..key() };
    let interface = interface();
    open(&place).0.keep(&other, &interface, &drawn(&interface, 7));
    let long_ago = SystemTime::now() - Duration::from_secs(40 * 24 * 60 * 60);
    let date = |folder: &Path| {
        for entry in fs::read_dir(folder).unwrap() {
            fs::File::options().append(true).open(entry.unwrap().path()).unwrap().set_modified(long_ago).unwrap();
        }
    };
    let elsewhere = folder::folder_of(&place, &other);
    date(&elsewhere.join("corpus"));
    date(&corpus(&place));

    // In a folder that the user named, it does not.
    let (archive, _) = open(&place);
    let known = archive.load(&key(), &interface).sequences;
    known.iter().for_each(|sequence| archive.keep(&key(), &interface, sequence));
    archive.settle(&key());
    drop(archive);
    assert!(elsewhere.exists());

    let archive = CorpusStore::in_cache(folder.path(), root, Box::new(|words| panic!("{words}"))).unwrap();
    let known = archive.load(&key(), &interface).sequences;
    known.iter().for_each(|sequence| archive.keep(&key(), &interface, sequence));
    archive.settle(&key());
    drop(archive);
    assert!(!elsewhere.exists(), "an empty folder goes, too");
    assert_eq!(names(&corpus(&place)).len(), 3, "what is used is young");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_entry_reads_back(seed: u64) {
        let interface = interface();
        let sequence = drawn(&interface, seed);
        let text = record::entry(&key(), &interface, &sequence);
        prop_assert_eq!(record::read_entry(&text, &interface), Ok(Decoded::Whole(sequence.clone())));
        // By signature: the order and number of functions do not matter.
        let other = CallTable::sample(&[&MEMBERS[..], &["function a()", "function zz(uint256 x)"]].concat());
        let Ok(Decoded::Whole(there)) = record::read_entry(&text, &other) else { panic!("{text}") };
        prop_assert_eq!(record::entry(&key(), &other, &there), text);
    }

    #[test]
    fn any_bytes_are_an_entry_or_an_error(
        seed: u64,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..5_u8), 1..6),
    ) {
        let interface = interface();
        let mut bytes = record::entry(&key(), &interface, &drawn(&interface, seed)).into_bytes();
        for (at, byte, kind) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.truncate(at),
                2 => bytes.insert(at, byte),
                3 => drop(bytes.remove(at)),
                // A digit, a quote or a bracket leaves the text almost as it was.
                _ => bytes[at] = b"0123456789\"[](){},:x-"[usize::from(byte) % 21],
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(Decoded::Whole(sequence) | Decoded::Adapted(sequence)) = record::read_entry(&text, &interface) {
            // A sequence that was read can be written again.
            let again = record::entry(&key(), &interface, &sequence);
            prop_assert_eq!(record::read_entry(&again, &interface), Ok(Decoded::Whole(sequence)));
        }
        let _ = record::read_finding(&text, &interface);
    }
}
