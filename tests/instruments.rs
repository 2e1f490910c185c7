//! Instruments note what a transaction does and change nothing of it: with none, with some and with all of them it ends the same. What
//! they note of calls is told by one transaction with calls of each kind.

mod support;

use alloy_primitives::{Address, U256, keccak256};
use bellwether::{
    code::Programs,
    compile::Build,
    evm::{CHEATCODE_ADDRESS, Call, CallNode, CallTarget, Executor, Instruments, Outcome, Snapshot, Status},
    harness::{Action, Harness},
    input::{CallId, EnvStep, Generator, InstanceId, Setup, Transaction, Value},
    project::Project,
    world::World,
};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};
use support::{campaign, fixture, sandbox::Sandbox};

/// Fixture and contract: storage and transfers, loops, calls between contracts, logs, assembly, the checks of an old compiler, arithmetic that nobody
/// checks, and slots that two have.
const CONTRACTS: [(&str, &str); 10] = [
    ("vault", "Vault"),
    ("token", "Token"),
    ("channel", "ChannelFixed"),
    ("places", "Gateway"),
    ("wallet", "Preferences"),
    ("legacy", "PiggyBank"),
    ("overflow", "Ledger"),
    ("overflow", "Coupons"),
    ("slots", "PointLedger"),
    ("slots", "Gate"),
];

static HARNESSES: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    let harness = |(fixture_name, contract)| {
        let project = Project::load(&fixture(fixture_name)).unwrap();
        harness(&campaign::build(&project), contract)
    };
    CONTRACTS.map(harness).into()
});

fn harness(build: &Arc<Build>, contract: &str) -> Harness {
    let id = build.find_contract("", contract).unwrap_or_else(|| panic!("no {contract}: {:#?}", build.diagnostics));
    Harness::new(build.clone(), Arc::new(Programs::of(build)), id).unwrap()
}

/// One executor for each set of instruments; the first has none at all, not even those that every run has.
fn executors(harness: &Harness) -> Vec<Executor> {
    let bare = Executor::bare(harness.programs.clone(), harness.compiled().evm_version);
    let arithmetic = Some(harness.programs.arithmetic(&harness.build).clone());
    let mut executors: Vec<Executor> = (0..6).map(|_| harness.executor()).collect();
    executors[0] = bare;
    executors[2].set_instruments(&Instruments::ALL);
    executors[3].set_detailed(true);
    let contests = Some(harness.programs.contests(&harness.build).clone());
    executors[4].set_instruments(&Instruments { arithmetic, contests, ..Instruments::ALL });
    // Of which nobody calls one.
    executors[5].set_cheatcodes(true);
    executors
}

/// How a transaction ends under each executor, with the state that it leaves.
fn ends(executors: &mut [Executor], state: &Snapshot, call: &Call) -> Vec<(Outcome, Snapshot)> {
    let end = |executor: &mut Executor| {
        let outcome = executor.run(state, call);
        let after = executor.after().clone();
        assert_eq!((executor.before(), executor.call()), (state, Some(call)));
        assert!(executor.commit() == after && *executor.after() == after, "it can be looked at before it is committed");
        executor.run(state, call);
        for (address, slot, _, word) in state.changes(&after) {
            assert_eq!(executor.slot_after(address, slot), word, "a slot can be looked at without the rest");
        }
        for account in World::senders() {
            assert_eq!(executor.balance_after(account), after.balance(account), "and so can a balance");
        }
        assert!(executor.commit() == after, "it is the same for who commits at once");
        (outcome, after)
    };
    executors.iter_mut().map(end).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_run_ends_the_same_whatever_is_noted_of_it(contract in 0..CONTRACTS.len(), seed: u64) {
        let harness = &HARNESSES[contract];
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let generator = Generator::new(harness.calls.clone(), World::senders(), World::senders());
        let mut executors = executors(harness);

        let mut deployment = generator.deployment(&mut rng);
        deployment.sender = World::owner();
        let creation = harness.call(Action::Deploy(&deployment), harness.world.genesis.moment());
        let deployed = ends(&mut executors, &harness.world.genesis, &creation);
        prop_assert!(deployed.iter().all(|end| *end == deployed[0]), "{deployment:?}");
        let (Outcome { created: Some(_), .. }, mut state) = deployed[0].clone() else { return Ok(()) };

        for transaction in (0..12).filter_map(|_| generator.any_transaction(&mut rng)) {
            let call = harness.call(Action::Call(&transaction), state.moment());
            let ended = ends(&mut executors, &state, &call);
            prop_assert!(ended.iter().all(|end| *end == ended[0]), "{transaction:?}: {ended:?}");
            state = ended[0].1.clone();
        }
    }
}

const CALLS: &str = "
    library Counters {
        struct Counter { uint256 count; }
        event Counted();
        function bump(Counter storage counter) external { counter.count += 1; emit Counted(); }
    }
    contract Till {
        uint256 paid;
        event Paid(uint256 indexed amount, bytes note);
        function pay(uint256 amount) external payable {
            paid = amount;
            emit Paid(amount, 'thanks');
            require(amount != 7);
        }
    }
    contract A {
        using Counters for Counters.Counter;
        Counters.Counter counter;
        Till till = new Till();
        function run() external payable {
            counter.bump();
            till.pay{value: 3}(5);
            try till.pay(7) {} catch {}
            (bool done,) = address(4).staticcall('echo');
            new Till();
            assembly { log0(0, 0) }
        }
    }";

/// A call in one line, with its depth as dots: `.delegate A, code Counters: load 0, store 0=1, log`.
fn tell(call: &CallNode, names: &BTreeMap<Address, &str>) -> String {
    let name = |address| names.get(&address).copied().unwrap_or("?").to_owned();
    let mut told = format!("{}{:?} {}", ".".repeat(call.depth as usize), call.kind, name(call.target)).to_lowercase();
    if call.code != call.target {
        told += &format!(", code {}", name(call.code));
    }
    let accesses = call.storage.iter().map(|access| match access.stored {
        Some(word) => format!("store {}={word}", access.slot),
        None => format!("load {}", access.slot),
    });
    let logs = call.logs.iter().map(|log| {
        assert_eq!(log.address, call.target);
        format!("log of {} topics, {} bytes", log.topics().len(), log.data.data.len())
    });
    let ended = (!call.success).then(|| "failed".to_owned());
    let parts: Vec<String> = accesses.chain(logs).chain(ended).collect();
    format!("{told}: {}", parts.join(", "))
}

#[test]
fn calls_are_told_with_what_happened_inside() {
    let build = Sandbox::single(CALLS).build();
    let harness = harness(&build, "A");
    let mut executor = harness.executor();
    let genesis = &harness.world.genesis;
    let call = |sender, target, value| Call {
        sender,
        target,
        value: U256::from(value),
        moment: genesis.moment(),
        scripted: None,
    };
    let code = harness.world.creation(InstanceId::MAIN).clone();
    let creation = call(World::owner(), CallTarget::Create(harness.calls.main().address, code), 0);
    let own = executor.run(genesis, &creation).created.unwrap();
    let state = executor.commit();
    assert_eq!(executor.observation().calls.nodes(), [], "nobody asked for calls");

    let selector = keccak256("run()")[..4].to_vec();
    let call = call(World::senders()[0], CallTarget::Account(own, selector.into()), 3);
    let run = |executor: &mut Executor| executor.run(&state, &call);
    executor.set_instruments(&Instruments::ALL);
    let outcome = run(&mut executor);
    assert_eq!(outcome.status, Status::Success);
    let nodes = executor.observation().calls.nodes();
    let names = BTreeMap::from([
        (own, "a"),
        (nodes[1].code, "counters"),
        (nodes[2].target, "till"),
        (nodes[5].target, "second"),
    ]);
    assert_eq!(
        nodes.iter().map(|call| tell(call, &names)).collect::<Vec<_>>(),
        [
            "call a: load 1, load 1, log of 0 topics, 0 bytes",
            ".delegate a, code counters: load 0, store 0=1, log of 1 topics, 0 bytes",
            ".call till: store 0=5, log of 2 topics, 96 bytes",
            ".call till: store 0=7, log of 2 topics, 96 bytes, failed",
            ".static ?: ",
            ".create second: ",
        ]
    );
    assert!(nodes[1..].iter().all(|call| call.parent == Some(0)));
    assert_eq!((nodes[2].value, nodes[4].input.as_ref()), (U256::from(3), &b"echo"[..]));
    let calls = &executor.observation().calls;
    let lasting = (0..nodes.len()).filter(|index| calls.lasts(*index)).map(|index| nodes[index].logs.len());
    assert_eq!(lasting.sum::<usize>(), outcome.logs.len());

    executor.set_instruments(&Instruments { logs: true, ..Instruments::default() });
    run(&mut executor);
    let nodes = executor.observation().calls.nodes();
    assert!(nodes.iter().all(|call| call.storage.is_empty()) && nodes.iter().any(|call| !call.logs.is_empty()));
}

const CALLER: &str = "
    contract Caller {
        uint256 public result;
        function ask(address at, bytes calldata data) external {
            (bool ok, bytes memory output) = at.call(data);
            result = !ok ? 7 : output.length == 32 ? uint256(bytes32(output)) : 0;
        }
    }";

#[test]
fn cheatcodes_are_there_only_where_they_are_switched_on() {
    let mut sandbox = Sandbox::single(CALLER);
    let harness = harness(&sandbox.build(), "Caller");
    let mut executor = harness.executor();
    let generator = Generator::new(harness.calls.clone(), World::senders(), World::senders());
    let deployment = generator.deployment(&mut ChaCha8Rng::seed_from_u64(1));
    let root = harness.set_up(&mut executor, &Setup::of(deployment), |_| {}).1.unwrap();
    let at = harness.calls.main().address;
    let function = &harness.calls.main().interface.functions[0];
    assert_eq!(function.signature, "ask(address,bytes)");
    let result_of = |executor: &mut Executor, to: Address, data: &[u8]| {
        let transaction = Transaction {
            call: CallId::main(function.id),
            arguments: vec![Value::Address(to), Value::Bytes(data.to_vec())],
            sender: World::senders()[0],
            value: U256::ZERO,
            env: EnvStep::default(),
            at: None,
            reaction: None,
        };
        executor.run(&root, &harness.call(Action::Call(&transaction), root.moment()));
        executor.after().slot(at, U256::ZERO).to::<u64>()
    };
    let chain_id = &keccak256("getChainId()")[..4];
    assert_eq!(result_of(&mut executor, CHEATCODE_ADDRESS, chain_id), 0, "an account without code answers nothing");
    executor.set_cheatcodes(true);
    assert_eq!(result_of(&mut executor, CHEATCODE_ADDRESS, chain_id), 31_337);
    assert_eq!(result_of(&mut executor, CHEATCODE_ADDRESS, b""), 7, "it reverts");
    assert_eq!(result_of(&mut executor, World::senders()[1], chain_id), 0, "calls of others run as ever");
    executor.set_cheatcodes(false);
    assert_eq!(result_of(&mut executor, CHEATCODE_ADDRESS, chain_id), 0);
}
