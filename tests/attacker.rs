//! The attacker's code is what solc makes of its source, and it makes its call once.

mod support;

use alloy_primitives::{Address, Bytes, U256, hex};
use bellwether::{
    evm::{Call, CallTarget, Executor, START, Scripted, Snapshot, Status},
    world::{World, attacker},
};
use std::sync::Arc;
use support::sandbox::Sandbox;

#[test]
fn the_code_is_that_of_the_source() {
    let mut project = Sandbox::new(&format!(
        "//- bellwether.toml\nsolc = \"0.8.30\"\n\
         //- foundry.toml\n[profile.default]\nevm_version = \"byzantium\"\noptimizer = true\noptimizer_runs = 200\n\
         //- src/Attacker.sol\n{}",
        attacker::SOURCE
    ));
    let build = project.build();
    let made = &build.contracts[0].runtime.code;
    // Behind the code that was made just now stands metadata.
    let kept = attacker::code().bytes();
    assert!(!kept.is_empty() && made.starts_with(&kept), "{made}");
}

/// Pays the attacker with this much gas for each of so many calls, and returns what it did: slot 0, and the ether that it passed on.
fn paid(gas: u16, times: usize) -> (U256, U256) {
    let [attacker, payer, heir] = [0xa7, 0xca, 0x4e].map(Address::repeat_byte);
    let [high, low] = gas.to_be_bytes();
    let pay =
        [&hex!("6000600060006000600773")[..], attacker.as_slice(), &hex!("61"), &[high, low], &hex!("f150")].concat();
    let state = Snapshot::empty(START)
        .with_balance(World::owner(), U256::MAX >> 1)
        .with_balance(payer, U256::from(100))
        .with_code(payer, pay.repeat(times).into());
    let storage = [U256::from(1), heir.into_word().into(), U256::from(5), U256::ZERO];
    let storage = (0_u64..).map(U256::from).zip(storage).collect();
    let scripted = Scripted { account: attacker, code: attacker::code(), storage };
    let programs = Arc::new(bellwether::code::Programs::of(&bellwether::compile::Build::default()));
    let mut executor = Executor::new(programs, Default::default());
    let call = Call {
        sender: World::owner(),
        target: CallTarget::Account(payer, Bytes::new()),
        value: U256::ZERO,
        moment: START,
        scripted: Some(Box::new(scripted)),
    };
    assert_eq!(executor.run(&state, &call).status, Status::Success);
    let after = executor.commit();
    assert_eq!(after.balance(attacker) + after.balance(heir), U256::from(7 * times));
    (after.slot(attacker, U256::ZERO), after.balance(heir))
}

#[test]
fn it_makes_its_call_once() {
    assert_eq!(paid(60_000, 1), (U256::from(3), U256::from(5)));
    assert_eq!(paid(60_000, 3), (U256::from(3), U256::from(5)));
}

#[test]
fn it_takes_what_a_transfer_pays_without_a_word() {
    // Two thousand three hundred come on top.
    assert_eq!(paid(0, 1), (U256::from(1), U256::ZERO));
}
