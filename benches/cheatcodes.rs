//! What cheatcodes cost: the time of a handler's call that makes two of them beside the same call without, and the time of a call of a contract
//! that makes none, with cheatcodes switched on beside off. Each pair is run in turn, round by round; a ratio is the median of its rounds'.

#[path = "support/mod.rs"]
mod support;

use alloy_primitives::{U256, keccak256};
use bellwether::{
    evm::{Call, CallTarget, Executor, Snapshot, Status},
    harness::Harness,
    input::Setup,
    world::World,
};
use std::{hint::black_box, sync::Arc, time::Instant};
use support::{
    report::line,
    statistics::{median, quartiles},
};

const ROUNDS: usize = 41;
const CALLS: usize = 2_000;

/// A handler as projects write them: it bounds its argument, and acts on a token as somebody.
const HANDLER: &str = "
    interface Vm { function prank(address) external; function warp(uint256) external; }
    contract Token {
        mapping(address => uint256) public balanceOf;
        event Transfer(address indexed from, address indexed to, uint256 amount);
        function mint(address to, uint256 amount) external { balanceOf[to] += amount; }
        function transfer(address to, uint256 amount) external returns (bool) {
            require(balanceOf[msg.sender] >= amount, 'balance');
            balanceOf[msg.sender] -= amount;
            balanceOf[to] += amount;
            emit Transfer(msg.sender, to, amount);
            return true;
        }
    }
    contract Handler {
        Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
        Token token = new Token();
        address[4] users = [address(0x11), address(0x12), address(0x13), address(0x14)];
        uint256 sum;
        constructor() {
            token.mint(address(this), 1e30);
            for (uint256 i; i < 4; i++) token.mint(users[i], 1e30);
        }
        function bound(uint256 x, uint256 low, uint256 high) internal pure returns (uint256) {
            return low + x % (high - low + 1);
        }
        function plain(uint256 seed) external {
            uint256 amount = bound(seed, 1, 1e18);
            address to = users[seed % 4];
            token.transfer(to, amount);
            sum += amount;
        }
        function cheats(uint256 seed) external {
            uint256 amount = bound(seed, 1, 1e18);
            address to = users[seed % 4];
            vm.warp(block.timestamp + 1);
            vm.prank(users[(seed >> 8) % 4]);
            token.transfer(to, amount);
            sum += amount;
        }
    }";

fn main() {
    line(&format!("{ROUNDS} rounds of {CALLS} calls each.\n"));
    line("| pair | median ratio | quartiles |");
    line("|---|---|---|");
    let handler = support::compile("Handler", &format!("pragma solidity ^0.8.20;\n{HANDLER}"));
    let (mut executor, root) = ready(&handler);
    executor.set_cheatcodes(true);
    let [plain, cheats] = ["plain(uint256)", "cheats(uint256)"].map(|signature| calls(&handler, &root, signature));
    told("two cheatcodes / none, in a handler", || {
        [time(&mut executor, &root, &plain), time(&mut executor, &root, &cheats)]
    });
    for (fixture, contract, signature) in
        [("vault", "VaultFixed", "deposit()"), ("token", "TokenFixed", "transfer(address,uint256)")]
    {
        let harness = support::harness(fixture, contract);
        let (mut executor, root) = ready(&harness);
        let calls = calls(&harness, &root, signature);
        told(&format!("cheatcodes on / off, {contract} that makes none"), || {
            [false, true].map(|on| {
                executor.set_cheatcodes(on);
                time(&mut executor, &root, &calls)
            })
        });
    }
}

/// An executor, and the state after a setup with zeros for arguments.
fn ready(harness: &Arc<Harness>) -> (Executor, Snapshot) {
    use rand::SeedableRng;
    let generator = bellwether::input::Generator::new(harness.calls.clone(), World::senders(), World::senders());
    let mut executor = harness.executor();
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let state = (0..200).find_map(|_| {
        let mut deployment = generator.deployment(&mut rng);
        (deployment.sender, deployment.value) = (World::owner(), U256::ZERO);
        harness.set_up(&mut executor, &Setup::of(deployment), |_| {}).1
    });
    (executor, state.expect("it can be deployed").with_cheatcodes())
}

/// Calls of a function with two words as arguments, which differ from call to call.
fn calls(harness: &Harness, state: &Snapshot, signature: &str) -> Vec<Call> {
    let call = |number: usize| {
        let word = U256::from(number % 1_000);
        let data = [&keccak256(signature)[..4], &word.to_be_bytes::<32>(), &word.to_be_bytes::<32>()].concat();
        let target = CallTarget::Account(harness.calls.main().address, data.into());
        Call { sender: World::senders()[1], target, value: U256::ZERO, moment: state.moment(), scripted: None }
    };
    (0..CALLS).map(call).collect()
}

/// Seconds that the calls take, each with the state after it.
fn time(executor: &mut Executor, root: &Snapshot, calls: &[Call]) -> f64 {
    let started = Instant::now();
    for call in calls {
        let outcome = executor.run(root, call);
        assert!(outcome.status != Status::Refused);
        black_box((outcome, executor.commit()));
    }
    started.elapsed().as_secs_f64()
}

/// The second time over the first, of all rounds.
fn told(pair: &str, mut round: impl FnMut() -> [f64; 2]) {
    round();
    let ratios: Vec<f64> = (0..ROUNDS).map(|_| round()).map(|[one, other]| other / one).collect();
    let (low, high) = quartiles(ratios.clone());
    line(&format!("| {pair} | {:.2} | {low:.2}, {high:.2} |", median(ratios)));
}
