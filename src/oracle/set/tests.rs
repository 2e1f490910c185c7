use super::*;
use crate::{
    compile::{SourceId, Span},
    evm::{Call, CallTarget, Moment, Snapshot},
    input::{BlockReads, CallTable, Interface},
    oracle::{
        block_number::BlockNumber,
        evidence::{Evidence, Replay},
        interface::Needs,
        meta::OracleMeta,
        timestamp::Timestamp,
        violation::{Cause, Place, PlaceKind},
    },
    project::Level,
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, Bytes, U256};

const PLACE: Place = Place { source: SourceId(0), span: Span { start: 0, end: 0 }, kind: PlaceKind::Span };
const CONTRACT: Address = Address::repeat_byte(7);
const SENDER: Address = Address::repeat_byte(8);
const NOW: Moment = Moment::new(1, 1);

/// An oracle for one test: what it needs, and how it judges.
#[derive(Debug)]
struct Judge(fn() -> Needs, fn(&Execution<'_>) -> bool);

impl Oracle for Judge {
    fn meta(&self) -> &'static OracleMeta {
        const META: OracleMeta = OracleMeta {
            id: "test",
            setting: "oracles.test",
            title: "A test",
            swc: "100",
            level: Level::Hint,
            description: "Judges as a test wants (SWC-100).",
            page: "",
        };
        &META
    }

    fn needs(&self) -> Needs {
        self.0()
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        if (self.1)(execution) {
            violations.add(PLACE, Cause::Other("something is wrong"));
        }
    }

    fn weigh(&self, _: &Violation, _: &mut Trial<'_>) -> Option<Weight> {
        Some(Weight::always("A test says so."))
    }

    fn evidence(&self, _: &Violation, _: &Replay<'_>) -> Result<Evidence, &'static str> {
        Err("no test sees it")
    }
}

/// Whether an oracle finds something wrong with a call, with this value in wei, of code that stores 1 in slot 0 and emits a log.
fn finds(oracle: &'static Judge, value: u64) -> bool {
    let build = Arc::new(Build::default());
    let programs = Arc::new(Programs::of(&build));
    let mut executor = Executor::new(programs.clone(), Default::default());
    let mut set = OracleSet::new(build, programs, std::iter::once(oracle as &dyn Oracle));
    executor.set_instruments(set.instruments());
    // PUSH1 1, PUSH1 0, SSTORE, PUSH1 0, PUSH1 0, LOG0, STOP
    let code = Bytes::from_static(&[0x60, 1, 0x60, 0, 0x55, 0x60, 0, 0x60, 0, 0xa0, 0]);
    let state = Snapshot::empty(NOW).with_code(CONTRACT, code).with_balance(SENDER, U256::from(10));
    let target = CallTarget::Account(CONTRACT, Bytes::new());
    let outcome =
        executor.run(&state, &Call { sender: SENDER, target, value: U256::from(value), moment: NOW, scripted: None });
    let violations = set.judge(&executor, &outcome);
    executor.commit();
    assert_eq!(set.judge(&executor, &outcome), violations, "committing takes nothing away");
    assert!(violations.iter().all(|violation| violation.cause.describe() == "something is wrong"));
    !violations.is_empty()
}

fn every_transaction() -> Needs {
    Needs { every_transaction: true, ..Needs::default() }
}

#[test]
fn an_oracle_sees_the_states_before_and_after() {
    static KEEPS_ETHER: Judge = Judge(every_transaction, |execution| {
        assert_eq!(execution.call.sender, SENDER);
        let [before, after] = [execution.before(), execution.after()].map(|state| state.balance(CONTRACT));
        after == before + execution.call.value && after > before
    });
    assert!(finds(&KEEPS_ETHER, 3) && !finds(&KEEPS_ETHER, 0));
}

#[test]
fn an_oracle_sees_inside_of_calls_what_it_asked_for() {
    fn logs() -> Needs {
        Needs { instruments: Instruments { logs: true, ..Instruments::default() }, ..every_transaction() }
    }
    static SEES_LOGS: Judge = Judge(logs, |execution| {
        let own = &execution.calls().nodes()[0];
        (own.storage.len(), own.logs.len(), execution.outcome.logs.len()) == (0, 1, 1)
    });
    static SEES_NOTHING: Judge = Judge(every_transaction, |execution| execution.calls().nodes().is_empty());
    assert!(finds(&SEES_LOGS, 0) && finds(&SEES_NOTHING, 0));
}

#[test]
fn who_judges_failures_is_not_asked_where_nothing_failed() {
    static ALWAYS: Judge = Judge(Needs::default, |_| true);
    assert!(!finds(&ALWAYS, 0));
}

/// Which of these two are asked in a world whose code reads this of a block.
fn asked(block_reads: BlockReads) -> Vec<&'static str> {
    let calls = CallTable::of("C", Interface::new(&JsonAbi::default(), &|_| None)).with_block_reads(block_reads);
    let oracles: [&dyn Oracle; 2] = [&Timestamp, &BlockNumber];
    oracles.into_iter().filter(|oracle| oracle.applies_to(&calls)).map(|oracle| oracle.meta().id).collect()
}

#[test]
fn who_moves_blocks_is_not_asked_where_no_code_looks_at_a_block() {
    let nothing = BlockReads::default();
    assert!(asked(nothing).is_empty());
    assert!(asked(BlockReads { base_fee: true, coinbase: true, ..nothing }).is_empty());
    assert_eq!(asked(BlockReads { timestamp: true, ..nothing }), ["timestamp"]);
    assert_eq!(asked(BlockReads { number: true, ..nothing }), ["block-number"]);
    assert_eq!(asked(BlockReads { prevrandao: true, ..nothing }), ["block-number"]);
}
