//! Lookahead on what compilers make of Solidity: every jump is known, what is declared unreachable is never entered, and
//! paths are told apart by what is ahead of them.

mod support;

use alloy_primitives::{U256, keccak256};
use bellwether::{
    code::{BlockId, ProgramId, Programs, Stage},
    compile::Build,
    evm::{Call, CallTarget, Executor, Observation, Snapshot, Status},
    harness::{Action, Harness},
    input::{Generator, Setup},
    lookahead::{Ahead, Lookahead, SplitPoint},
    project::Project,
    world::World,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{collections::BTreeSet, sync::Arc};
use support::{campaign, projects, sandbox::Sandbox, slow};

/// Transactions of each contract.
const EXECUTIONS: u64 = 250;

type Place = (ProgramId, BlockId);

/// Looks ahead, and fails if the path is cut before it enters a target.
fn sound(lookahead: &mut Lookahead, observation: &Observation, targets: &BTreeSet<Place>) -> Ahead {
    lookahead.set_targets(targets.iter().copied());
    let ahead = lookahead.analyze(observation);
    if let (true, Some(SplitPoint { program, block })) = (ahead.is_cut, ahead.split_points.last()) {
        let entered = observation.entered();
        let cut = entered.iter().position(|place| place == &(*program, *block)).unwrap();
        let missed: Vec<&Place> = entered[cut..].iter().filter(|place| targets.contains(place)).collect();
        assert!(missed.is_empty(), "{missed:?} entered behind {program:?} {block:?}");
    }
    ahead
}

/// Random transactions of a contract, each from the state that the last one led to.
fn transactions(harness: &Harness, seed: u64, count: u64, mut each: impl FnMut(&Executor)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let senders = World::senders();
    let mut generator = Generator::new(harness.calls.clone(), senders.clone(), senders);
    let constants = harness.programs.get(harness.programs.id(harness.contract, Stage::Runtime)).constants();
    for word in constants {
        generator.dictionary.insert(*word);
    }
    let mut executor = harness.executor();
    executor.set_detailed(true);
    let address = harness.calls.main().address;
    let mut deployed: Option<Snapshot> = None;
    for _ in 0..count {
        if deployed.is_none() || rng.random_range(0..20_u32) == 0 {
            let mut deployment = generator.deployment(&mut rng);
            deployment.sender = World::owner();
            let (_, new) = harness.set_up(&mut executor, &Setup::of(deployment), |step| each(step.executor));
            deployed = new.or(deployed);
        }
        let Some(state) = &mut deployed else { continue };
        if !generator.accounts.contains(&address) {
            generator.accounts.push(address);
        }
        let Some(transaction) = generator.any_transaction(&mut rng) else { return };
        let call = harness.call(Action::Call(&transaction), state.moment());
        executor.run(state, &call);
        *state = executor.commit();
        each(&executor);
    }
}

/// Every contract of a build that can be deployed.
fn harnesses(build: &Arc<Build>) -> Vec<Harness> {
    let programs = Arc::new(Programs::of(build));
    let deployable = build.contract_ids().filter(|id| build.contract(*id).is_deployable());
    deployable.map(|id| Harness::new(build.clone(), programs.clone(), id).unwrap()).collect()
}

fn configured(configure: impl Fn(&mut Project)) -> Vec<Arc<Build>> {
    projects()
        .iter()
        .map(|root| {
            let mut project = Project::load(root).unwrap();
            configure(&mut project);
            campaign::build(&project)
        })
        .collect()
}

/// Whether a function that is called lies in storage, where anybody may have put another: through the IR it is a number,
/// before that a place to jump to.
fn stores_functions(harness: &Harness) -> bool {
    let layout = harness.compiled().storage.as_ref();
    layout.is_some_and(|layout| {
        layout.storage.iter().any(|variable| variable.storage_type.contains("t_function_internal"))
    })
}

fn check_fixtures(configure: impl Fn(&mut Project)) {
    for build in configured(configure) {
        for harness in harnesses(&build) {
            let name = &harness.compiled().name;
            let mut lookahead = Lookahead::new(harness.programs.clone(), []);
            for stage in [Stage::Creation, Stage::Runtime] {
                let program = harness.programs.id(harness.contract, stage);
                assert!(lookahead.knows_jumps(program) || stores_functions(&harness), "{name}, {stage:?}");
            }
            let mut seen = BTreeSet::new();
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            transactions(&harness, 1, EXECUTIONS, |executor| {
                let observation = executor.observation();
                let path = observation.entered();
                for (program, block) in &path {
                    assert!(lookahead.is_reachable(*program, *block), "{name} {program:?} {block:?}");
                }
                if path.is_empty() {
                    return;
                }
                // What came last, anything, and all that was never seen before.
                let any = path[rng.random_range(0..path.len() as u64) as usize];
                let fresh: BTreeSet<Place> = path.iter().copied().filter(|place| !seen.contains(place)).collect();
                for targets in [path.last().copied().into_iter().collect(), [any].into(), fresh] {
                    sound(&mut lookahead, observation, &targets);
                }
                seen.extend(path);
            });
            assert_eq!(lookahead.work().misfits, 0, "{name}");
        }
    }
}

#[test]
fn nothing_declared_unreachable_is_entered() {
    check_fixtures(|_| {});
}

#[test]
fn nothing_declared_unreachable_is_entered_with_the_optimizer() {
    check_fixtures(|project| project.compiler.optimizer = Some(true));
}

#[test]
fn nothing_declared_unreachable_is_entered_through_the_ir() {
    if !slow::is_asked() {
        return;
    }
    check_fixtures(|project| project.compiler.via_ir = true);
}

#[test]
fn nothing_declared_unreachable_is_entered_through_the_optimized_ir() {
    if !slow::is_asked() {
        return;
    }
    check_fixtures(|project| {
        project.compiler.via_ir = true;
        project.compiler.optimizer = Some(true);
    });
}

/// A contract `A`, whose blocks are told apart by what they push: the block of `mark = 0xbad1` is 0xbad1.
struct Marked {
    harness: Harness,
    executor: Executor,
    deployed: Snapshot,
    lookahead: Lookahead,
    creation: Observation,
}

impl Marked {
    fn new(source: &str) -> Self {
        Self::of(&Sandbox::single(source).build())
    }

    fn of(build: &Arc<Build>) -> Self {
        let programs = Arc::new(Programs::of(build));
        let id = build.find_contract("", "A").unwrap_or_else(|| panic!("{:#?}", build.diagnostics));
        let harness = Harness::new(build.clone(), programs.clone(), id).unwrap();
        let mut executor = harness.executor();
        executor.set_detailed(true);
        let generator = Generator::new(harness.calls.clone(), World::senders(), World::senders());
        let deployment = generator.deployment(&mut ChaCha8Rng::seed_from_u64(1));
        let deployed = harness.set_up(&mut executor, &Setup::of(deployment), |_| {}).1.unwrap();
        let creation = Observation { trace: executor.observation().trace.clone(), ..Observation::default() };
        Self { harness, executor, deployed, lookahead: Lookahead::new(programs, []), creation }
    }

    fn program(&self, stage: Stage) -> ProgramId {
        self.harness.programs.id(self.harness.contract, stage)
    }

    /// Blocks that push this mark.
    fn blocks(&self, mark: u64) -> Vec<Place> {
        let mut blocks = Vec::new();
        for (id, program) in self.harness.programs.iter() {
            for (index, block) in (0..).zip(&program.blocks) {
                let pushes =
                    |word| program.instructions_of(block).iter().any(|i| i.pushed(&program.code) == Some(word));
                // Data behind the code is none: runtime code stands in creation code.
                if pushes(U256::from(mark)) && block.instructions.start < program.mapped_instructions() as u32 {
                    blocks.push((id, BlockId(index)));
                }
            }
        }
        assert!(!blocks.is_empty(), "nothing pushes {mark:#x}");
        blocks
    }

    /// Whether a frame that begins anywhere may enter the blocks of a mark.
    fn is_reachable(&mut self, mark: u64) -> bool {
        self.blocks(mark).into_iter().any(|(program, block)| self.lookahead.is_reachable(program, block))
    }

    /// Calls a function with words for arguments, which succeeds.
    fn call(&mut self, signature: &str, arguments: &[u64]) {
        let mut data = keccak256(signature)[..4].to_vec();
        arguments.iter().for_each(|word| data.extend(U256::from(*word).to_be_bytes::<32>()));
        let state = &self.deployed;
        let target = CallTarget::Account(self.harness.calls.main().address, data.into());
        let call = Call { sender: World::owner(), target, value: U256::ZERO, moment: state.moment(), scripted: None };
        let outcome = self.executor.run(state, &call);
        assert_eq!(outcome.status, Status::Success, "{signature} {arguments:?}");
    }

    /// What is ahead of a call, for the blocks of these marks.
    fn ahead(&mut self, signature: &str, arguments: &[u64], marks: &[u64]) -> Ahead {
        let targets: BTreeSet<Place> = marks.iter().flat_map(|mark| self.blocks(*mark)).collect();
        self.call(signature, arguments);
        let ahead = sound(&mut self.lookahead, self.executor.observation(), &targets);
        assert_eq!(self.lookahead.work().misfits, 0);
        ahead
    }

    /// How many different prefixes calls have.
    fn prefixes(&mut self, signature: &str, calls: &[&[u64]], marks: &[u64]) -> usize {
        let ids: BTreeSet<_> = calls.iter().map(|arguments| self.ahead(signature, arguments, marks).id).collect();
        ids.len()
    }
}

/// Figure 2 of the paper; an assertion is written as what it compiles to.
const BAR: &str = "contract A { uint256 mark;
    function bar(uint256 w, uint256 x, uint256 y, uint256 z, uint256 a) external returns (uint256 ret) { unchecked {
        if (x % 2 == 0) {
            ret = 256;
            if (y % 2 == 0) { ret = 257; }
            w = w % ret;
            while (w != 0) { w--; }
            if (w != 0) { mark = 0xbad14; }
            z = z % ret;
            while (ret != z) { z++; }
            if (ret != z) { mark = 0xbad19; }
            if (ret > 257) { mark = 0xbad20; }
        } else {
            ret = 3 * a * a + 7 * a + 101;
            if (ret == 5687) { mark = 0xbad22; }
        }
    } } }";
const BAR_SIGNATURE: &str = "bar(uint256,uint256,uint256,uint256,uint256)";
const EVEN: [&[u64]; 4] = [&[9, 2, 4, 250, 1], &[9, 2, 4, 30, 1], &[1, 4, 2, 250, 1], &[200, 0, 2, 3, 5]];

#[test]
fn the_papers_example() {
    let mut a = Marked::new(BAR);
    assert!(!a.is_reachable(0xbad14));
    assert!(!a.is_reachable(0xbad19));
    assert!(a.is_reachable(0xbad20), "256 and 257 are joined");
    assert!(a.is_reachable(0xbad22));
    // Once x is even nothing leads to the last target, whatever the loops do.
    assert_eq!(a.prefixes(BAR_SIGNATURE, &EVEN, &[0xbad14, 0xbad19, 0xbad22]), 1);
    // What ret is has to be known for the third one, and then is.
    let with_y_odd: &[u64] = &[9, 2, 5, 250, 1];
    assert_eq!(a.prefixes(BAR_SIGNATURE, &[EVEN[0], EVEN[1], EVEN[2], EVEN[3]], &[0xbad20, 0xbad22]), 1);
    assert_eq!(a.prefixes(BAR_SIGNATURE, &[EVEN[0], EVEN[1], with_y_odd], &[0xbad20, 0xbad22]), 2);
    // With an odd x the path comes to the comparison, and ends behind it.
    let odd = a.ahead(BAR_SIGNATURE, &[0, 1, 0, 0, 7], &[0xbad22]);
    let even = a.ahead(BAR_SIGNATURE, EVEN[0], &[0xbad22]);
    assert!(odd.is_cut && even.is_cut);
    assert_ne!(odd.id, even.id);
}

#[test]
fn the_papers_example_where_constants_are_not_enough() {
    let source = BAR
        .replace("x % 2 == 0", "x % 1000 != 42")
        .replace("if (w != 0) { mark = 0xbad14; }", "")
        .replace("if (ret != z) { mark = 0xbad19; }", "if (x == 42 - w * z) { mark = 0xbad19; }");
    let mut a = Marked::new(&source);
    assert!(a.is_reachable(0xbad19));
    // Each number of rounds is a prefix of its own, but the blocks along them are the same.
    assert_eq!(a.prefixes(BAR_SIGNATURE, &EVEN, &[0xbad19, 0xbad22]), 4);
    let [one, other] = [EVEN[0], EVEN[1]].map(|call| a.ahead(BAR_SIGNATURE, call, &[0xbad19, 0xbad22]));
    assert_eq!(one.split_points, other.split_points);
    let odd = a.ahead(BAR_SIGNATURE, &[0, 1042, 0, 0, 7], &[0xbad19, 0xbad22]);
    assert!(odd.split_points.iter().any(|point| !one.split_points.contains(point)));
}

#[test]
fn how_many_blocks_away_a_target_is() {
    let mut a = Marked::new(
        "contract A { uint256 mark; uint256 sum;
            function f(uint256 x) external { unchecked {
                if (x == 5) {
                    mark = 0xbad1;
                } else {
                    mark = 0xbad2;
                    for (uint256 i = 0; i < x; i++) { sum += i; }
                    if (x > 7) {
                        mark = 0xbad3;
                        if (x == 9) { mark = 0xbad4; }
                    }
                }
            } } }",
    );
    let places = [0xbad1, 0xbad2, 0xbad3, 0xbad4].map(|mark| a.blocks(mark)[0]);
    a.lookahead.set_targets([places[3]]);
    let [other, far, near, there] = places.map(|(program, block)| a.lookahead.blocks_to_target(program, block));
    assert_eq!((other, near, there), (None, Some(1), Some(0)));
    assert!(far > near, "{far:?}");
}

#[test]
fn the_called_function_is_known() {
    let mut a = Marked::new(
        "contract A { uint256 mark; uint256 n;
            function f(uint256 x) external { step(x); if (x == 3) { mark = 0xf001; } }
            function g(uint256 x) external { step(x); step(x + 1); if (x == 4) { mark = 0xf002; } }
            function step(uint256 x) internal { for (uint256 i = 0; i < 4; i++) { n += x; } }
        }",
    );
    let f = a.ahead("f(uint256)", &[1], &[0xf002]);
    let g = a.ahead("g(uint256)", &[1], &[0xf002]);
    assert!(f.is_cut && f.split_points.len() < g.split_points.len());
    assert_eq!(a.prefixes("f(uint256)", &[&[1], &[2], &[3]], &[0xf002]), 1);
    assert_eq!(a.prefixes("f(uint256)", &[&[1], &[2], &[3]], &[0xf001]), 2);
}

#[test]
fn what_the_transaction_stored_is_known() {
    let mut a = Marked::new(
        "contract A { uint256 mark; uint256 mode; bool locked; mapping(address => uint256) balances;
            modifier lock() { require(!locked); locked = true; _; locked = false; }
            function set() external { mode = 3; if (mode == 4) { mark = 0xf001; } work(); }
            function guarded() external lock { if (!locked) { mark = 0xf002; } }
            function pays() external { mode = 3; balances[msg.sender] = 1; if (mode == 4) { mark = 0xf003; } }
            function work() internal { if (mode == 5) { mark = 0xf004; } }
        }",
    );
    assert!(!a.is_reachable(0xf001));
    assert!(!a.is_reachable(0xf002));
    assert!(a.is_reachable(0xf003), "a slot that depends on the sender may be any");
    assert!(!a.is_reachable(0xf004));
}

#[test]
fn calls_come_back_to_anything_and_transfers_to_receive() {
    let mut a = Marked::new(
        "interface I { function ping() external; }
        contract A { uint256 mark; uint256 mode;
            receive() external payable { if (mode == 9) { mark = 0xf001; } }
            function other(uint256 x) external { if (x == 3) { mark = 0xf002; } }
            function calls(I i, uint256 x) external { mode = 1; if (x == 0) { i.ping(); } if (mode == 2) { mark = 0xf003; } }
            function pays(address payable to, uint256 x) external { if (x == 1) { to.transfer(x); } mode = 4; }
            function asks(uint256 x) external { bytes32 h = sha256(abi.encode(x)); if (h == 0) { mark = 0xf004; } }
        }",
    );
    // `pays` may come to `receive`, and to nothing else.
    assert!(a.ahead("pays(address,uint256)", &[0x1234, 0], &[0xf002]).is_cut);
    let other = a.ahead("pays(address,uint256)", &[0x1234, 0], &[0xf002]);
    let receive = a.ahead("pays(address,uint256)", &[0x1234, 0], &[0xf001]);
    assert!(other.split_points.len() < receive.split_points.len());
    assert_eq!(a.prefixes("asks(uint256)", &[&[1], &[2]], &[0xf001, 0xf002]), 1);
    // A call may come to any function; without it, what was stored is known.
    assert!(a.is_reachable(0xf003));
    assert!(a.ahead("calls(address,uint256)", &[0x1234, 1], &[0xf002, 0xf003]).is_cut);
}

#[test]
fn function_pointers_are_known_where_they_are_set() {
    let mut a = Marked::new(
        "contract A { uint256 mark; function() internal stored;
            function choose(bool first) external { function() internal f = first ? one : two; f(); mark = 7; }
            function keep() external { stored = one; }
            function run() external { stored(); }
            function one() internal { mark = 0xf001; }
            function two() internal { mark = 0xf002; }
        }",
    );
    let runtime = a.program(Stage::Runtime);
    assert!(!a.lookahead.knows_jumps(runtime));
    let first = a.ahead("choose(bool)", &[1], &[0xf002]);
    assert!(first.is_cut);
    a.call("keep()", &[]);
    a.deployed = a.executor.commit();
    // What is called is known once it was called.
    assert!(a.ahead("run()", &[], &[0xf002]).is_cut);
}

#[test]
fn creation_code_is_looked_at_as_well() {
    let mut a = Marked::new(
        "contract A { uint256 immutable limit; uint256 mark;
            constructor() { limit = 5; if (block.timestamp == 1) { mark = 0xf001; } mark = 2; }
            function f() external { if (limit == 6) { mark = 0xf002; } }
        }",
    );
    assert!(a.is_reachable(0xf001));
    assert!(a.is_reachable(0xf002), "what an immutable is stands in no code");
    let targets: BTreeSet<Place> = a.blocks(0xf001).into_iter().collect();
    let Marked { lookahead, creation, .. } = &mut a;
    assert!(sound(lookahead, creation, &targets).is_cut);
}

#[test]
fn inherited_code_and_libraries_resolve() {
    let mut a = Marked::new(
        "library L { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }
        abstract contract Base { uint256 mark; function hook(uint256 x) internal virtual;
            function go(uint256 x) public { hook(x); if (x == 5) { mark = 0xf001; } } }
        contract A is Base {
            function hook(uint256 x) internal override { if (L.twice(x) == 12) { mark = 0xf002; } }
            function plain(uint256 x) external { if (x == 6) { mark = 0xf003; } }
        }",
    );
    for (id, program) in a.harness.programs.clone().iter() {
        assert!(a.lookahead.knows_jumps(id), "{:?} {:?}", program.contract, program.stage);
    }
    assert!(a.ahead("plain(uint256)", &[1], &[0xf001, 0xf002]).is_cut);
}
