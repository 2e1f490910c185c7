//! Two machines that share what they find, without a network between them: what one found the other has after a few runs, what is known
//! is not sent twice, and nothing that a machine sends can do any harm.

mod support;

use alloy_primitives::{U256, keccak256};
use bellwether::{
    corpus::{
        exchange::{Counts, Exchange, Mailbox, Record, Topic},
        store::Kind,
    },
    fuzz::Options,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use support::{
    running::{Running, until_quiet},
    sandbox::Sandbox,
};

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
/// Transactions in which a machine alone finds nothing, and one that has been told finds it.
const FEW: u64 = 60;

/// One machine, with its mailbox.
struct Machine {
    mailbox: Arc<Mailbox>,
    running: Running,
}

impl Machine {
    /// One that fuzzes until nothing new is found, or this many transactions are spent.
    fn new(seed: u64, executions: Option<u64>) -> Self {
        let mailbox = Arc::new(Mailbox::new(Duration::ZERO));
        let options = Options { executions, exchange: Some(mailbox.clone()), ..until_quiet(seed) };
        Self { running: Running::start_with(options), mailbox }
    }

    /// The same, once these records have arrived.
    fn after(self, records: &[Record]) -> Self {
        let topics: Vec<Topic> = records.iter().map(|record| record.topic.clone()).collect();
        self.mailbox.subscribe(&topics);
        records.iter().for_each(|record| self.mailbox.accept(record.clone()));
        self
    }

    fn run(&self, sandbox: &mut Sandbox) -> Vec<String> {
        self.running.turn_to(sandbox, 1);
        self.running.rest(1);
        self.found()
    }

    fn found(&self) -> Vec<String> {
        let findings = self.running.campaign.findings();
        // Whose ether it is that `third` takes is another question.
        findings.iter().filter(|finding| finding.is_serious()).map(|finding| finding.id.clone()).collect()
    }

    fn sent(&self) -> Vec<Record> {
        self.mailbox.take_outgoing(usize::MAX)
    }
}

/// What the first machine finds, and sends.
fn first(sandbox: &mut Sandbox) -> (Vec<String>, Vec<Record>) {
    let first = Machine::new(3, None);
    let found = first.run(sandbox);
    assert_eq!(found.len(), 1);
    (found, first.sent())
}

#[test]
fn what_one_machine_found_another_has_after_a_few_runs() {
    let mut sandbox = Sandbox::single(STAGES);
    let (found, sent) = first(&mut sandbox);
    assert!(sent.iter().any(|record| record.kind == Kind::Finding) && sent.iter().any(|it| it.kind == Kind::Entry));

    assert_eq!(Machine::new(4, Some(FEW)).run(&mut sandbox), [] as [&str; 0], "alone it takes longer");
    let second = Machine::new(4, Some(FEW)).after(&sent);
    assert_eq!(second.run(&mut sandbox), found);
    assert_eq!(second.mailbox.counts(), Counts { received: sent.len() as u64, ..Counts::default() });
    let sent_back = second.sent();
    assert!(sent_back.iter().all(|record| !sent.contains(record)), "{sent_back:#?}");
    assert!(sent_back.iter().all(|record| record.kind == Kind::Entry), "the finding is known: {sent_back:#?}");
}

#[test]
fn only_what_makes_the_calls_again_is_sent() {
    let mut sandbox = Sandbox::single(STAGES);
    let (_, sent) = first(&mut sandbox);
    for Record { text, .. } in &sent {
        for of_the_source in ["require", "assert(", "stage !=", "beef1234", "message", "because", "result"] {
            assert!(!text.contains(of_the_source), "{of_the_source} in {text}");
        }
        assert!(text.contains("\"file\": \"A.sol\"") && text.contains("\"contract\": \"Stages\""), "{text}");
    }
}

#[test]
fn a_record_of_another_interface_is_adapted() {
    let mut sandbox = Sandbox::single(STAGES);
    let (_, sent) = first(&mut sandbox);
    let more = "uint256 public stage;\n    constructor(uint8) {}\n    function more(int8) external {}";
    let edited = STAGES.replace("uint256 public stage;", more);
    let mut other = Sandbox::single(&edited);
    assert_eq!(Machine::new(4, Some(FEW)).run(&mut other), [] as [&str; 0]);
    let second = Machine::new(4, Some(FEW)).after(&sent);
    assert_eq!(second.run(&mut other).len(), 1);
    assert_eq!(second.mailbox.counts().refused, 0);
}

/// A record with this content, on the contract of another one.
fn forged(like: &Record, kind: Kind, text: &str) -> Record {
    // What arrives is named by its content, whoever sent it.
    let named = |id: &str| Record::received(&like.topic, kind, id, text.as_bytes().to_vec());
    named(&id_of(text)).unwrap()
}

/// The name of a file with this content, as a corpus folder gives it.
fn id_of(text: &str) -> String {
    let mut bytes = (text.len() as u64).to_be_bytes().to_vec();
    bytes.extend(text.as_bytes());
    alloy_primitives::keccak256(bytes).to_string()[2..34].to_owned()
}

#[test]
fn what_no_fuzzer_would_do_is_refused() {
    let mut sandbox = Sandbox::single(STAGES);
    let (_, sent) = first(&mut sandbox);
    let longest =
        sent.iter().filter(|record| record.kind == Kind::Entry).max_by_key(|record| record.text.len()).unwrap();
    let whole: Value = serde_json::from_str(&longest.text).unwrap();
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut forged = whole.clone();
        change(forged["sequence"].as_array_mut().unwrap());
        forged.to_string()
    };
    let last = |calls: &mut Vec<Value>, field: &str, value: Value| calls.last_mut().unwrap()[field] = value;
    let nobody = "0x000000000000000000000000000000000000dead";
    let texts = [
        String::new(),
        "garbage".to_owned(),
        "[".repeat(100_000),
        json!({ "sequence": [] }).to_string(),
        json!({ "sequence": [{ "function": "selfdestruct(((((" }] }).to_string(),
        with(&|calls| last(calls, "sender", json!(nobody))),
        with(&|calls| calls[0]["sender"] = json!(nobody)),
        with(&|calls| last(calls, "delay_seconds", json!(u64::MAX))),
        with(&|calls| last(calls, "value", json!(format!("0x{}", "f".repeat(64))))),
        with(&|calls| {
            let call = calls.last().unwrap().clone();
            calls.extend(vec![call; 300]);
        }),
        with(&|calls| {
            let deployment = calls[0].clone();
            calls.splice(0..0, vec![deployment; 300]);
        }),
    ];
    let records: Vec<Record> = texts.iter().map(|text| forged(longest, Kind::Entry, text)).collect();
    let with_none: Vec<Record> = texts.iter().map(|text| forged(longest, Kind::Finding, text)).collect();
    let machine = Machine::new(4, Some(FEW)).after(&[records, with_none].concat());
    assert_eq!(machine.run(&mut sandbox), [] as [&str; 0]);
    // Equal texts are one record.
    assert_eq!(machine.mailbox.counts().refused, texts.len() as u64, "{:?}", machine.mailbox.take_refusal());
}

#[test]
fn a_finding_that_does_not_fail_is_not_shown() {
    let mut sandbox = Sandbox::single(STAGES);
    let (_, sent) = first(&mut sandbox);
    let finding = sent.iter().find(|record| record.kind == Kind::Finding).unwrap();
    let mut lie: Value = serde_json::from_str(&finding.text).unwrap();
    // Without the call that leads there.
    let calls = lie["sequence"].as_array_mut().unwrap();
    calls.remove(1);
    lie["id"] = json!("feedfacefeedface");
    let machine = Machine::new(4, Some(FEW)).after(&[forged(finding, Kind::Finding, &lie.to_string())]);
    assert_eq!(machine.run(&mut sandbox), [] as [&str; 0]);
}

#[test]
fn a_finding_behind_many_sequences_wakes_a_contract_that_rests() {
    // Only one of the machines compares the key itself; the other one knows its hash.
    let key = "0x5f3a91c27be6480d1c9e77a2b4560f83";
    let with =
        |check: &str| format!("contract Stages {{ function open(uint256 key) external pure {{ assert({check}); }} }}");
    let mut sandbox = Sandbox::single(&with(&format!("key != {key}")));
    let (_, sent) = first(&mut sandbox);
    let hash = U256::from_be_bytes(keccak256(key.parse::<U256>().unwrap().to_be_bytes::<32>()).0);
    let mut other = Sandbox::single(&with(&format!("uint256(keccak256(abi.encode(key))) != {hash}")));
    let resting = Machine::new(4, None);
    assert_eq!(resting.run(&mut other), [] as [&str; 0]);
    // More than are polled at once.
    let (findings, entries): (Vec<Record>, Vec<Record>) = sent.into_iter().partition(|it| it.kind == Kind::Finding);
    let text = |number: usize| format!("{}{}", entries[0].text, " ".repeat(number + 1));
    let copies = (0..70).map(|number| forged(&entries[0], Kind::Entry, &text(number)));
    copies.chain(findings).for_each(|record| resting.mailbox.accept(record));
    resting.running.campaign.receive();
    resting.running.rest(1);
    assert_eq!(resting.found().len(), 1);
}
