//! The stand-in's code is what solc makes of its source, and it answers what was chosen for it.

mod support;

use alloy_primitives::{Address, Bytes, U256};
use bellwether::{
    evm::{Call, CallTarget, Executor, START, Snapshot, Status},
    world::{World, stand_in},
};
use std::sync::Arc;
use support::sandbox::Sandbox;

/// Bytes of creation code before the runtime code.
const CREATION: usize = 0x1d;

#[test]
fn the_code_is_that_of_the_source() {
    let mut project = Sandbox::new(&format!(
        "//- bellwether.toml\nsolc = \"0.8.30\"\n\
         //- foundry.toml\n[profile.default]\nevm_version = \"byzantium\"\noptimizer = true\noptimizer_runs = 200\n\
         //- src/StandIn.sol\n{}",
        stand_in::SOURCE
    ));
    let build = project.build();
    let made = &build.contracts[0].runtime.code;
    // Behind the code that was made just now stands metadata.
    assert!(made.starts_with(&stand_in::creation()[CREATION..]), "{made}");
}

#[test]
fn it_answers_what_was_said_last_and_zeros_before() {
    let at = Address::repeat_byte(0x51);
    // Calls `at` with its calldata and returns what that returns.
    let caller = Address::repeat_byte(0xca);
    let forward = [
        &[0x36, 0x60, 0, 0x60, 0, 0x37, 0x60, 0, 0x60, 0, 0x36, 0x60, 0, 0x60, 0, 0x73][..],
        at.as_slice(),
        &[0x5a, 0xf1, 0x50, 0x3d, 0x60, 0, 0x60, 0, 0x3e, 0x3d, 0x60, 0, 0xf3],
    ]
    .concat();
    let runtime = stand_in::creation()[CREATION..].to_vec();
    let mut state = Snapshot::empty(START)
        .with_balance(World::owner(), U256::MAX >> 1)
        .with_code(at, runtime.into())
        .with_code(caller, forward.into());
    let programs = Arc::new(bellwether::code::Programs::of(&bellwether::compile::Build::default()));
    let mut executor = Executor::new(programs, Default::default());
    let mut call = |state: &Snapshot, to: Address, data: Vec<u8>| {
        let target = CallTarget::Account(to, Bytes::from(data));
        let outcome = executor
            .run(state, &Call { sender: World::owner(), target, value: U256::ZERO, moment: START, scripted: None });
        assert_eq!(outcome.status, Status::Success);
        (outcome.output, executor.commit())
    };
    let price = vec![0xa0, 0x35, 0xb1, 0xfe];
    let words: Vec<u8> = [7_u64, 0, 9].iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).collect();
    let (answer, _) = call(&state, caller, price.clone());
    assert_eq!(answer.to_vec(), [0; 256]);
    state = call(&state, at, [price.clone(), words.clone()].concat()).1;
    assert_eq!(call(&state, caller, price.clone()).0.to_vec(), words);
    // A shorter answer takes the place of the longer one.
    state = call(&state, at, [price.clone(), words[..32].to_vec()].concat()).1;
    assert_eq!(call(&state, caller, price).0.to_vec(), words[..32]);
    assert_eq!(call(&state, caller, vec![1, 2, 3, 4]).0.to_vec(), [0; 256], "of another function nothing was said");
}
