//! A snapshot holds what revm's own database holds: both run the same random transactions, each committed before the next.

mod support;

use alloy_primitives::U256;
use bellwether::{
    code::Programs,
    evm::{CallTarget, Executor, Snapshot},
    harness::{Action, Harness},
    input::{Generator, Setup},
    world::{ACTORS, INITIAL_BALANCE, World},
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use revm::{
    Context, ExecuteCommitEvm, MainBuilder, MainContext,
    context::TxEnv,
    database::{CacheDB, EmptyDB},
    primitives::TxKind,
    state::AccountInfo,
};
use std::sync::Arc;
use support::{fixture, sandbox::Sandbox};

type Database = CacheDB<EmptyDB>;

/// More accounts and slots than a table holds: it writes a few dozen of each, and clears some.
const CROWD: &str = "contract Member {
    uint256[40] slots;
    function set(uint256 at, uint256 word) external payable { slots[at % 40] = word % 3; }
}
contract A {
    Member[24] members;
    mapping(uint256 => uint256) words;
    constructor() payable { for (uint256 i; i < 24; i++) members[i] = new Member(); }
    function set(uint256 member, uint256 at, uint256 word) external payable { members[member % 24].set{value: msg.value}(at, word); }
    function put(uint256 at, uint256 word) external { words[at % 64] = word % 2; }
}";

/// What both hold of the accounts and slots that a transaction can have reached.
fn assert_same(snapshot: &Snapshot, database: &Database, what: &str) {
    for (address, account) in &database.cache.accounts {
        assert_eq!(snapshot.balance(*address), account.info.balance, "{what}: balance of {address}");
        for (slot, word) in &account.storage {
            assert_eq!(snapshot.slot(*address, *slot), *word, "{what}: slot {slot} of {address}");
        }
    }
    for (address, slot, _, word) in Snapshot::empty(snapshot.moment()).changes(snapshot) {
        let known = database.cache.accounts.get(&address).and_then(|account| account.storage.get(&slot).copied());
        assert_eq!(known.unwrap_or_default(), word, "{what}: slot {slot} of {address}");
    }
}

/// The accounts that a world begins with.
fn genesis() -> Database {
    let mut database = Database::default();
    for actor in ACTORS {
        database.insert_account_info(actor.address, AccountInfo { balance: INITIAL_BALANCE, ..AccountInfo::default() });
    }
    database
}

/// Runs a call on revm's own database, by its own handler and instructions.
fn commit(database: &mut Database, call: &bellwether::evm::Call) -> bool {
    let (kind, data, gas_limit) = match &call.target {
        CallTarget::Account(address, data) => (TxKind::Call(*address), data.clone(), 10_000_000),
        CallTarget::Create(_, code) => (TxKind::Create, code.clone(), 400_000_000),
    };
    let tx = TxEnv { caller: call.sender, kind, data, value: call.value, gas_limit, gas_price: 0, ..TxEnv::default() };
    let context = Context::mainnet().with_db(database).modify_cfg_chained(|cfg| {
        cfg.disable_nonce_check = true;
        cfg.disable_base_fee = true;
        cfg.disable_block_gas_limit = true;
        cfg.tx_gas_limit_cap = Some(u64::MAX);
        cfg.limit_contract_code_size = Some(usize::MAX);
        cfg.limit_contract_initcode_size = Some(usize::MAX);
        cfg.tx_chain_id_check = false;
    });
    let context = context.modify_block_chained(|block| {
        block.timestamp = U256::from(call.moment.timestamp);
        block.number = U256::from(call.moment.number);
        block.basefee = call.moment.base_fee;
        block.beneficiary = call.moment.coinbase;
        block.prevrandao = Some(call.moment.prevrandao.into());
    });
    context.build_mainnet().transact_commit(tx).is_ok_and(|result| result.is_success())
}

fn check(harness: &Harness, seed: u64, transactions: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut generator = Generator::new(harness.calls.clone(), World::senders(), World::senders());
    generator.accounts.push(harness.calls.main().address);
    let mut executor: Executor = harness.executor();
    let (setup, mut state) = (0..200)
        .find_map(|_| {
            let mut deployment = generator.deployment(&mut rng);
            deployment.sender = World::owner();
            let setup = Setup::of(deployment);
            let (_, state) = harness.set_up(&mut executor, &setup, |_| {});
            Some((setup, state?))
        })
        .expect("a deployment succeeds");
    let mut database = genesis();
    let name = &harness.compiled().name;
    assert!(commit(&mut database, &harness.call(Action::of(&setup.steps()[0]), harness.world.genesis.moment())));
    assert_same(&state, &database, name);
    for number in 0..transactions {
        let transaction = generator.any_transaction(&mut rng).expect("a function");
        let call = harness.call(Action::Call(&transaction), state.moment());
        let outcome = executor.run(&state, &call);
        state = executor.commit();
        let succeeded = commit(&mut database, &call);
        assert_eq!(outcome.status == bellwether::evm::Status::Success, succeeded, "{name} {seed} {number}");
        assert_same(&state, &database, &format!("{name} {seed} {number}"));
    }
}

#[test]
fn a_snapshot_holds_what_revms_own_database_holds() {
    let project = bellwether::project::Project::load(&fixture("token")).unwrap();
    let fixtures = support::campaign::build(&project);
    let crowd = Sandbox::single(CROWD).build();
    for (build, contract, transactions) in [(fixtures, "TokenFixed", 100), (crowd, "A", 300)] {
        let programs = Arc::new(Programs::of(&build));
        let id = build.find_contract("", contract).unwrap_or_else(|| panic!("{:#?}", build.diagnostics));
        let harness = Harness::new(build, programs, id).unwrap();
        (1..=4).for_each(|seed| check(&harness, seed, transactions));
    }
}
